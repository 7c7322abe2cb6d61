import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { followUnmerge } from '../contradictions/follow-merges.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import { currentState, earlier, expectRoot, membersOf, reduceGroup, reduceOwn } from '../entities/load-entity.ts';
import { toIso } from '../iso-time.ts';
import { addToTotals } from '../observations/observation-store.ts';
import { entitiesTotal } from '../observations/totals.ts';
import { printState } from '../reducer/entity-state.ts';
import { hasGuard, joinStates } from '../reducer/reducer.ts';
import { countEdgesOfMembers, listCrossing, splitSources, splitTargets } from '../relationships/relationship-store.ts';
import { findAcyclic } from '../relationships/relationship-types/relationship-types.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { entityTopic } from '../truth-vocabulary.ts';
import { lockGroups, moveMembers } from './merge-groups.ts';
import type { MergePair, UnmergeAnswer } from './merge-model.ts';
import {
  type EntityReduction,
  endMerge,
  findLastMerge,
  listChildren,
  listMembers,
  lockEntity,
  type MemberRow,
  setMergedInto,
  setReduction,
} from './merge-store.ts';

/** Computes an entity's row from its own observations and the rows of its children, which are reduced already. */
function* reduceEntity(db: Reader, deps: SchemaDeps, entity: EntityRow): Work<EntityReduction> {
  const { entity_id } = entity;
  const schema = yield* deps.schemas.active(db, entity.entity_type);
  const own = yield* reduceOwn(db, entity_id, schema);
  let { state, observationCount, lastObservedAt, lastRecordedAt, nextChangeAt } = own;
  let isGuarded = hasGuard(state);
  for (const child of yield* listChildren(db, entity_id)) {
    const part = yield* currentState(db, deps, child);
    isGuarded ||= hasGuard(part.state);
    if (!isGuarded) state = joinStates(state, part.state, schema);
    nextChangeAt = earlier(nextChangeAt, part.nextChangeAt);
    observationCount += child.observation_count;
    lastObservedAt = Math.max(lastObservedAt, child.last_observed_at);
    lastRecordedAt = Math.max(lastRecordedAt, child.last_recorded_at);
  }
  // A correction that gives way to newer statements needs all of them, not only the winners.
  if (isGuarded) state = (yield* reduceGroup(db, deps, entity)).state;
  return {
    entity_id,
    observation_count: observationCount,
    last_observed_at: lastObservedAt,
    last_recorded_at: lastRecordedAt,
    schema_version: schema.version,
    state: printState(state),
    next_change_at: nextChangeAt,
  };
}

interface UnmergePlan {
  readonly source: EntityRow;
  readonly root: EntityRow;
  readonly members: readonly MemberRow[];
  readonly edgesCount: number;
}

const idsOf = (members: readonly MemberRow[]): readonly string[] => members.map(({ entity_id }) => entity_id);

/**
 * Edges inside a group are ignored, so a chain u → s → t may lie in it. Unmerging only s would create edges in both
 * directions between s and the rest.
 */
function* checkCrossing(db: Reader, rootId: string, members: readonly string[]): Work<void> {
  const ways = new Map<string, number>();
  for (const { relationship_type } of yield* listCrossing(db, rootId, members)) {
    ways.set(relationship_type, (ways.get(relationship_type) ?? 0) + 1);
  }
  const both = [...ways].filter(([, count]) => count > 1).map(([type]) => type);
  const [type] = yield* findAcyclic(db, both);
  if (type === undefined) return;
  throw truthFaults.CYCLE_DETECTED(
    {
      why: `${type} edges lead from the rest of the group to the source and back; undo later merges first`,
    },
    { relationship_type: type },
  );
}

function* planUnmerge(db: Reader, input: MergePair): Work<UnmergePlan> {
  const source = yield* expectRoot(db, input.source_entity_id);
  const target = yield* expectRoot(db, input.target_entity_id);
  const { entity, root } = source;
  const refused = (why: string, field: string) => faults.VALIDATION_ERROR({ why }, { field });
  if (entity.merged_into === '') throw refused('The source is not merged', 'source_entity_id');
  const members = yield* listMembers(db, entity.entity_id, truthLimits.groupCount);
  const ids = idsOf(members);
  if (target.root.entity_id !== root.entity_id || ids.includes(input.target_entity_id)) {
    throw refused(`The source is not merged into the target but into ${entity.merged_into}`, 'target_entity_id');
  }
  yield* checkCrossing(db, root.entity_id, ids);
  const edgesCount = (yield* countEdgesOfMembers(db, root.entity_id, ids))?.count ?? 0;
  return { source: entity, root, members, edgesCount };
}

const toAnswer = (input: MergePair, { source, root, members, edgesCount }: UnmergePlan): UnmergeAnswer => ({
  unmerged: !input.dry_run,
  dry_run: input.dry_run,
  source_entity_id: input.source_entity_id,
  target_entity_id: input.target_entity_id,
  root_entity_id: source.entity_id,
  observation_count: source.observation_count,
  target_root_entity_id: root.entity_id,
  target_observation_count: root.observation_count - source.observation_count,
  entities_moved: members.length,
  relationships_moved: edgesCount,
});

export function* previewUnmerge(db: Reader, input: MergePair): Work<UnmergeAnswer> {
  return toAnswer(input, yield* planUnmerge(db, input));
}

function* recordUnmerge(db: Writer, sourceId: string): Work<number> {
  const last = yield* findLastMerge(db, sourceId);
  if (last === undefined || last.unmerged_at !== null)
    throw new Error('bug: the merge log has no entry for a merged entity');
  const unmergedAt = Math.max(db.now, last.merged_at);
  yield* endMerge(db, last, unmergedAt);
  return unmergedAt;
}

/** Reduces an entity and everything above it in its group again. Returns the count of the root. */
function* reduceAncestors(db: Writer, deps: SchemaDeps, fromId: string): Work<number> {
  let rootCount = 0;
  for (let id = fromId; id !== ''; ) {
    const row = (yield* lockEntity(db, id))!;
    const reduced = yield* reduceEntity(db, deps, row);
    yield* setReduction(db, reduced);
    yield* db.changed(entityTopic, id, 'update', sha256Hex(reduced.state));
    rootCount = reduced.observation_count;
    id = row.merged_into;
  }
  return rootCount;
}

export function* unmergeGroup(db: Writer, deps: SchemaDeps, input: MergePair, actor: string): Work<UnmergeAnswer> {
  yield* lockGroups(db);
  const plan = yield* planUnmerge(db, input);
  const { entity_id: sourceId, merged_into: parentId } = plan.source;
  const rootId = plan.root.entity_id;
  const group = yield* membersOf(db, rootId);
  yield* moveMembers(db, plan.members, sourceId);
  const source = (yield* setMergedInto(db, sourceId, '', sourceId))!;
  yield* db.changed(entityTopic, sourceId, 'update', sha256Hex(source.state));
  const rootCount = yield* reduceAncestors(db, deps, parentId);
  const ids = idsOf(plan.members);
  yield* splitSources(db, rootId, sourceId, ids);
  yield* splitTargets(db, rootId, sourceId, ids);
  const unmergedAt = yield* recordUnmerge(db, sourceId);
  yield* followUnmerge(db, deps, group, ids, actor);
  yield* addToTotals(db, [{ kind: entitiesTotal, key: source.entity_type, count: 1 }]);
  return {
    ...toAnswer(input, { ...plan, source }),
    target_observation_count: rootCount,
    unmerged_at: toIso(unmergedAt),
  };
}
