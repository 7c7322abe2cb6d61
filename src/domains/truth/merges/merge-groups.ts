import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { followMerge } from '../contradictions/follow-merges.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import {
  type CurrentState,
  currentState,
  earlier,
  expectRoot,
  type LoadedEntity,
  reduceGroup,
} from '../entities/load-entity.ts';
import { toIso } from '../iso-time.ts';
import { addToTotals } from '../observations/observation-store.ts';
import { entitiesTotal } from '../observations/totals.ts';
import { printState } from '../reducer/entity-state.ts';
import { hasGuard, joinStates } from '../reducer/reducer.ts';
import { findCycleOfMerge } from '../relationships/find-cycle.ts';
import { countEdgesOf, repointSources, repointTargets } from '../relationships/relationship-store.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { entityTopic } from '../truth-vocabulary.ts';
import type { MergeAnswer, MergePair } from './merge-model.ts';
import {
  findLastMerge,
  insertMerge,
  listMembers,
  lockEntity,
  type MemberRow,
  setMergedInto,
  setReduction,
  setRoot,
} from './merge-store.ts';

/**
 * Sets the root of all members, deepest first: writers of observations lock rows in the same order, which avoids
 * deadlocks.
 */
export function* moveMembers(db: Writer, members: readonly MemberRow[], rootId: string): Work<void> {
  const byDepth = Map.groupBy(members, ({ depth }) => depth);
  for (const depth of [...byDepth.keys()].sort((a, b) => b - a)) {
    if (depth === 0) continue;
    yield* setRoot(
      db,
      byDepth.get(depth)!.map(({ entity_id }) => entity_id),
      rootId,
    );
  }
}

/**
 * Keeps merges and edges unchanged until the commit: two concurrent merges cannot form a cycle, and no edge points to
 * an outdated root. Taken before any row lock, to avoid deadlocks.
 */
export function* lockGroups(db: Writer): Work<void> {
  yield* db.lock('truth-groups');
}

const invalidPair = (why: string, field: string) => faults.VALIDATION_ERROR({ why }, { field });

function checkPair(source: LoadedEntity, target: LoadedEntity): void {
  const { entity } = source;
  const { root } = target;
  if (entity.entity_id === target.entity.entity_id) {
    throw invalidPair('An entity cannot be merged with itself', 'target_entity_id');
  }
  if (entity.merged_into !== '') {
    throw invalidPair(
      `The source is already merged into ${entity.merged_into}; undo that with unmerge_entities first`,
      'source_entity_id',
    );
  }
  if (root.entity_id === entity.entity_id) {
    throw invalidPair('The target is already merged into the source', 'target_entity_id');
  }
  if (entity.entity_type !== root.entity_type) {
    throw invalidPair(
      `Only entities of the same type can be merged, not ${entity.entity_type} and ${root.entity_type}`,
      'target_entity_id',
    );
  }
}

interface MergePlan {
  readonly source: EntityRow;
  readonly root: EntityRow;
  /** The source and all entities merged into it. */
  readonly members: readonly MemberRow[];
  readonly edgesCount: number;
}

function* checkSize(db: Reader, members: readonly MemberRow[], rootId: string): Work<void> {
  const { groupCount, groupDepth } = truthLimits;
  const others = yield* listMembers(db, rootId, groupCount);
  if (members.length + others.length > groupCount) {
    throw faults.RESOURCE_LIMIT({ what: 'The merged group', limit: groupCount, unit: 'entities' });
  }
  if (members.some(({ depth }) => depth + 1 > groupDepth)) {
    throw invalidPair(
      `The source's group is ${groupDepth} levels deep; merge the target into it instead`,
      'source_entity_id',
    );
  }
}

function* planMerge(db: Reader, input: MergePair): Work<MergePlan> {
  const source = yield* expectRoot(db, input.source_entity_id);
  const target = yield* expectRoot(db, input.target_entity_id);
  checkPair(source, target);
  const sourceId = source.entity.entity_id;
  const rootId = target.root.entity_id;
  const members = yield* listMembers(db, sourceId, truthLimits.groupCount + 1);
  yield* checkSize(db, members, rootId);
  const type = yield* findCycleOfMerge(db, sourceId, rootId);
  if (type !== undefined) {
    throw truthFaults.CYCLE_DETECTED(
      { why: `${type} edges lead from one entity to the other through others` },
      { relationship_type: type },
    );
  }
  const edgesCount = (yield* countEdgesOf(db, sourceId))?.count ?? 0;
  return { source: source.entity, root: target.root, members, edgesCount };
}

const toAnswer = (input: MergePair, { source, root, members, edgesCount }: MergePlan): MergeAnswer => ({
  merged: !input.dry_run,
  dry_run: input.dry_run,
  source_entity_id: input.source_entity_id,
  target_entity_id: input.target_entity_id,
  root_entity_id: root.entity_id,
  observation_count: root.observation_count + source.observation_count,
  observations_moved: source.observation_count,
  entities_moved: members.length,
  relationships_moved: edgesCount,
});

export function* previewMerge(db: Reader, input: MergePair): Work<MergeAnswer> {
  return toAnswer(input, yield* planMerge(db, input));
}

/** Not before the end of the previous merge, even if the clock was set back. */
function* recordMerge(db: Writer, sourceId: string, rootId: string, actor: string): Work<number> {
  const last = yield* findLastMerge(db, sourceId);
  const mergedAt = last === undefined ? db.now : Math.max(db.now, last.merged_at, last.unmerged_at ?? 0);
  yield* insertMerge(db, sourceId, rootId, actor, mergedAt);
  return mergedAt;
}

/** A correction that gives way to newer statements needs all of them, not only the winners. */
function* joinGroups(
  db: Reader,
  deps: SchemaDeps,
  root: EntityRow,
  a: CurrentState,
  b: CurrentState,
): Work<Pick<CurrentState, 'state' | 'nextChangeAt'>> {
  if (hasGuard(a.state) || hasGuard(b.state)) return yield* reduceGroup(db, deps, root);
  return { state: joinStates(a.state, b.state, a.schema), nextChangeAt: earlier(a.nextChangeAt, b.nextChangeAt) };
}

/** Locks rows from the deepest up, as writers of observations do. */
export function* mergeGroups(db: Writer, deps: SchemaDeps, input: MergePair, actor: string): Work<MergeAnswer> {
  yield* lockGroups(db);
  const plan = yield* planMerge(db, input);
  const rootId = plan.root.entity_id;
  const sourceId = plan.source.entity_id;
  yield* moveMembers(db, plan.members, rootId);
  const source = (yield* setMergedInto(db, sourceId, rootId, rootId))!;
  const root = (yield* lockEntity(db, rootId))!;
  const before = yield* currentState(db, deps, root);
  const added = yield* currentState(db, deps, source);
  const joined = yield* joinGroups(db, deps, root, before, added);
  const state = printState(joined.state);
  yield* setReduction(db, {
    entity_id: rootId,
    observation_count: root.observation_count + source.observation_count,
    last_observed_at: Math.max(root.last_observed_at, source.last_observed_at),
    last_recorded_at: Math.max(root.last_recorded_at, source.last_recorded_at),
    schema_version: before.schema.version,
    state,
    next_change_at: joined.nextChangeAt,
  });
  yield* repointSources(db, sourceId, rootId);
  yield* repointTargets(db, sourceId, rootId);
  const mergedAt = yield* recordMerge(db, sourceId, rootId, actor);
  yield* followMerge(db, deps, rootId, {
    ids: plan.members.map(({ entity_id }) => entity_id),
    isSmaller: source.observation_count <= root.observation_count,
  });
  yield* addToTotals(db, [{ kind: entitiesTotal, key: root.entity_type, count: -1 }]);
  yield* db.changed(entityTopic, sourceId, 'update', sha256Hex(source.state));
  yield* db.changed(entityTopic, rootId, 'update', sha256Hex(state));
  return { ...toAnswer(input, { ...plan, source, root }), merged_at: toIso(mergedAt) };
}
