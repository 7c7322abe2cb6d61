import type { Fault } from '#kernel/fault/fault.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import type { Fields } from '../observations/observation.ts';
import { type EntityState, emptyState, parseState } from '../reducer/entity-state.ts';
import { type EntitySchema, fieldOf } from '../schemas/entity-schema.ts';
import { fitValue } from '../schemas/fit-value.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import {
  type EntityRow,
  findEntity,
  findRoots,
  findTargetKnownAt,
  listGroup,
  listGroupKnownAt,
} from './entity-store.ts';
import {
  findObservations,
  listRawFragments,
  listRawFragmentsOfMany,
  listReducerRows,
  listReducerRowsOfMany,
  type ObservationRow,
  type RawFragmentsRow,
  type ReducerRow,
  type TimeRange,
} from './observed-store.ts';
import { parseFields, reduceRows } from './reduce-rows.ts';

/** Looks up the root of each entity. ENTITY_NOT_FOUND names the missing argument. */
export function* expectRootIds<Field extends string>(
  db: Reader,
  asked: Readonly<Record<Field, string>>,
): Work<Readonly<Record<Field, string>>> {
  const fields = Object.entries<string>(asked);
  const rows = yield* findRoots(db, [...new Set(fields.map(([, id]) => id))]);
  const rootOf = new Map(rows.map(({ entity_id, root_id }) => [entity_id, root_id]));
  const found = fields.map(([field, id]) => {
    const root = rootOf.get(id);
    if (root === undefined) throw truthFaults.ENTITY_NOT_FOUND({}, { field });
    return [field, root] as const;
  });
  return Object.fromEntries(found) as Record<Field, string>;
}

export interface EntitiesDeps extends Pick<TruthDeps, 'storage' | 'clock' | 'ids'>, SchemaDeps {}

const entityMissing = (entityId: string): Fault => truthFaults.ENTITY_NOT_FOUND({}, { entity_id: entityId });

export interface LoadedEntity {
  readonly entity: EntityRow;
  /** The root of its group; the same row if it is not merged. */
  readonly root: EntityRow;
  readonly redirectedFrom?: string;
}

export function* expectRoot(db: Reader, entityId: string): Work<LoadedEntity> {
  const entity = yield* findEntity(db, entityId);
  if (entity === undefined) throw entityMissing(entityId);
  if (entity.root_id === entityId) return { entity, root: entity };
  const root = yield* findEntity(db, entity.root_id);
  if (root === undefined) throw new Error(`bug: the root of ${entityId} is missing`);
  return { entity, root, redirectedFrom: entityId };
}

export interface ReducedState {
  readonly state: EntityState;
  /** The schema that the state was reduced with. */
  readonly schema: EntitySchema;
}

const always: TimeRange = { observedAt: Number.MAX_SAFE_INTEGER, recordedAt: Number.MAX_SAFE_INTEGER };

/** Page by page, because an entity can have more observations than should be in memory together. */
function* eachPage(
  db: Reader,
  members: readonly string[],
  until: TimeRange,
  take: (rows: readonly ReducerRow[]) => void,
): Work<void> {
  if (members.length > truthLimits.pagedMembersCount) {
    take(yield* listReducerRowsOfMany(db, members, until));
    return;
  }
  for (const member of members) {
    let after = { observed_at: Number.MIN_SAFE_INTEGER, observation_id: '' };
    for (;;) {
      const rows = yield* listReducerRows(db, member, until, after, truthLimits.reducedPageCount);
      take(rows);
      if (rows.length < truthLimits.reducedPageCount) break;
      after = rows.at(-1)!;
    }
  }
}

export interface Reduction extends ReducedState {
  readonly observationCount: number;
  readonly lastObservedAt: number;
  readonly lastRecordedAt: number;
}

function* reduceMembers(
  db: Reader,
  members: readonly string[],
  until: TimeRange,
  schema: EntitySchema,
): Work<Reduction> {
  let state = emptyState;
  let observationCount = 0;
  let lastObservedAt = Number.MIN_SAFE_INTEGER;
  let lastRecordedAt = Number.MIN_SAFE_INTEGER;
  yield* eachPage(db, members, until, (rows) => {
    state = reduceRows(state, rows, schema);
    observationCount += rows.length;
    for (const { observed_at, created_at } of rows) {
      if (observed_at > lastObservedAt) lastObservedAt = observed_at;
      if (created_at > lastRecordedAt) lastRecordedAt = created_at;
    }
  });
  return { state, schema, observationCount, lastObservedAt, lastRecordedAt };
}

/** Without the entities merged into it. */
export const reduceOwn = (db: Reader, entityId: string, schema: EntitySchema): Work<Reduction> =>
  reduceMembers(db, [entityId], always, schema);

const idsOf = (rows: readonly { readonly entity_id: string }[]): readonly string[] =>
  rows.map(({ entity_id }) => entity_id);

export function* membersOf(db: Reader, entityId: string): Work<readonly string[]> {
  return idsOf(yield* listGroup(db, entityId));
}

export function* reduceGroup(
  db: Reader,
  { schemas }: SchemaDeps,
  { entity_id, entity_type }: Pick<EntityRow, 'entity_id' | 'entity_type'>,
): Work<Reduction> {
  const schema = yield* schemas.active(db, entity_type);
  return yield* reduceMembers(db, yield* membersOf(db, entity_id), always, schema);
}

/** The stored state of a group, or a new reduction if another schema version is active ([TR17]). */
export function* currentState(
  db: Reader,
  { schemas }: SchemaDeps,
  entity: Pick<EntityRow, 'entity_id' | 'entity_type' | 'schema_version' | 'state'>,
): Work<ReducedState> {
  const schema = yield* schemas.active(db, entity.entity_type);
  if (schema.version === entity.schema_version) return { state: parseState(entity.state), schema };
  return yield* reduceMembers(db, yield* membersOf(db, entity.entity_id), always, schema);
}

export interface Moment {
  readonly at?: number | undefined;
  readonly asKnownAt?: number | undefined;
}

function* rootKnownAt(db: Reader, entityId: string, knownAt: number): Work<string> {
  const seen = new Set([entityId]);
  let root = entityId;
  for (;;) {
    const target = (yield* findTargetKnownAt(db, root, knownAt))?.target_entity_id;
    if (target === undefined || seen.has(target)) return root;
    seen.add(target);
    root = target;
  }
}

/** [TR18] Reduces only what had been observed, and was recorded, by then. */
export function* stateAt(db: Reader, deps: SchemaDeps, entityId: string, moment: Moment) {
  const { root } = yield* expectRoot(db, entityId);
  const { at = always.observedAt, asKnownAt } = moment;
  const schema = yield* deps.schemas.active(db, root.entity_type);
  const rootId = asKnownAt === undefined ? root.entity_id : yield* rootKnownAt(db, entityId, asKnownAt);
  const members = idsOf(
    asKnownAt === undefined ? yield* listGroup(db, rootId) : yield* listGroupKnownAt(db, rootId, asKnownAt),
  );
  const until = { observedAt: at, recordedAt: asKnownAt ?? always.recordedAt };
  const reduced = yield* reduceMembers(db, members, until, schema);
  if (reduced.observationCount === 0) throw entityMissing(entityId);
  return { ...reduced, rootId, members, until };
}

/** The observations of these rows, checked, in their order. Most observations have no fragments and are not read. */
function* findWhole(db: Reader, rows: readonly RawFragmentsRow[]): Work<readonly ObservationRow[]> {
  const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];
  const found = yield* findObservations(
    db,
    distinct(rows.map(({ entity_id }) => entity_id)),
    distinct(rows.map(({ observed_at }) => observed_at)),
    distinct(rows.map(({ observation_id }) => observation_id)),
  );
  const byId = new Map(found.map((row) => [row.observation_id, row]));
  return rows.flatMap(({ observation_id }) => byId.get(observation_id) ?? []);
}

/** Values that no active schema field accepts: the newest of each name, corrections first. */
export function* rawFragmentsOf(
  db: Reader,
  members: readonly string[],
  schema: EntitySchema,
  until: TimeRange = always,
): Work<Fields> {
  const rows =
    members.length === 1
      ? yield* listRawFragments(db, members[0]!, until, truthLimits.rawObservationsCount)
      : yield* listRawFragmentsOfMany(db, members, until, truthLimits.rawObservationsCount);
  const withFragments = rows.filter(({ raw_fragments }) => raw_fragments !== '{}');
  const whole = withFragments.length === 0 ? [] : yield* findWhole(db, withFragments);
  const found = new Map<string, Json>();
  for (const isCorrection of [true, false]) {
    for (const row of whole) {
      if ((row.source_kind === 'correction') !== isCorrection) continue;
      for (const [name, value] of Object.entries(parseFields(row.raw_fragments))) {
        const field = fieldOf(schema, name);
        const isAlive = field !== undefined && fitValue(field, value) !== undefined;
        if (!isAlive && !found.has(name)) found.set(name, value);
      }
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
