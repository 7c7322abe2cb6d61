import type { Fault, FaultDetails } from '#kernel/fault/fault.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { showTime } from '../iso-time.ts';
import { type EntityState, emptyState, parseState } from '../reducer/entity-state.ts';
import { hasGuard, reduceNewer, replaceCorrections } from '../reducer/reducer.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
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
  findFirstStart,
  listReducerRows,
  listReducerRowsOfMany,
  type Moment,
  type ReducerRow,
} from './observed-store.ts';
import { holdsAt, reduceRows, toObservation } from './reduce-rows.ts';

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

const entityMissing = (entityId: string, why?: string, more: FaultDetails = {}): Fault =>
  truthFaults.ENTITY_NOT_FOUND(why === undefined ? {} : { why }, { entity_id: entityId, ...more });

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

/** The clock of another process may be ahead: what it recorded holds already. */
export const presentOf = ({ now }: Reader, { last_recorded_at }: Pick<EntityRow, 'last_recorded_at'>): number =>
  Math.max(now, last_recorded_at);

export const currentMoment = (db: Reader, root: Pick<EntityRow, 'last_recorded_at'>): Moment => ({
  at: presentOf(db, root),
  knownAt: Number.MAX_SAFE_INTEGER,
});

/**
 * Page by page, because an entity can have more observations than should be in memory together. Without a moment it
 * reads all observations.
 */
function* eachPage(
  db: Reader,
  members: readonly string[],
  moment: Moment | undefined,
  take: (rows: readonly ReducerRow[]) => void,
): Work<void> {
  if (members.length > truthLimits.pagedMembersCount) {
    take(yield* listReducerRowsOfMany(db, members, moment));
    return;
  }
  for (const member of members) {
    let after = { observed_at: Number.MIN_SAFE_INTEGER, observation_id: '' };
    for (;;) {
      const rows = yield* listReducerRows(db, member, moment, after, truthLimits.reducedPageCount);
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
  /** When a statement begins or ends, so that the state changes; null: never. Only of the current state. */
  readonly nextChangeAt: number | null;
}

/** The next moment after `now` at which one of the statements begins or ends. */
export function nextChangeOf(
  rows: readonly Pick<ReducerRow, 'effective_at' | 'effective_until' | 'retracted_at'>[],
  now: number,
): number | null {
  let next = Number.POSITIVE_INFINITY;
  for (const { effective_at, effective_until, retracted_at } of rows) {
    if (retracted_at !== null) continue;
    if (effective_at > now) next = Math.min(next, effective_at);
    else if (effective_until !== null && effective_until > now) next = Math.min(next, effective_until);
  }
  return next === Number.POSITIVE_INFINITY ? null : next;
}

export const earlier = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);

/** At a moment, or, without one, now; the counts are then those of all observations. */
function* reduceMembers(
  db: Reader,
  members: readonly string[],
  moment: Moment | undefined,
  schema: EntitySchema,
  now = db.now,
): Work<Reduction> {
  let state = emptyState;
  let observationCount = 0;
  let lastObservedAt = Number.MIN_SAFE_INTEGER;
  let lastRecordedAt = Number.MIN_SAFE_INTEGER;
  let nextChangeAt: number | null = null;
  const holding = (rows: readonly ReducerRow[]): readonly ReducerRow[] =>
    moment === undefined ? rows.filter((row) => holdsAt(row, now)) : rows;
  yield* eachPage(db, members, moment, (rows) => {
    state = reduceRows(state, holding(rows), schema);
    observationCount += rows.length;
    nextChangeAt = earlier(nextChangeAt, nextChangeOf(rows, now));
    for (const { observed_at, created_at } of rows) {
      if (observed_at > lastObservedAt) lastObservedAt = observed_at;
      if (created_at > lastRecordedAt) lastRecordedAt = created_at;
    }
  });
  if (hasGuard(state)) {
    const corrected = state;
    let newer = emptyState;
    yield* eachPage(db, members, moment, (rows) => {
      newer = reduceNewer(newer, corrected, holding(rows).map(toObservation), schema);
    });
    state = replaceCorrections(state, newer);
  }
  return { state, schema, observationCount, lastObservedAt, lastRecordedAt, nextChangeAt };
}

/** Without the entities merged into it. */
export const reduceOwn = (db: Reader, entityId: string, schema: EntitySchema): Work<Reduction> =>
  reduceMembers(db, [entityId], undefined, schema);

/** What holds at a moment of the future, as far as it is known now, and when that changes. */
export const reduceAsOf = (db: Reader, members: readonly string[], schema: EntitySchema, at: number): Work<Reduction> =>
  reduceMembers(db, members, undefined, schema, at);

export const idsOf = (rows: readonly { readonly entity_id: string }[]): readonly string[] =>
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
  return yield* reduceMembers(db, yield* membersOf(db, entity_id), undefined, schema);
}

type StoredState = Pick<
  EntityRow,
  'entity_id' | 'entity_type' | 'schema_version' | 'state' | 'next_change_at' | 'last_recorded_at'
>;

/** [TR17] The stored state is that of this schema version, and no statement began or ended since. */
export const isStateCurrent = (
  { schema_version, next_change_at }: Pick<EntityRow, 'schema_version' | 'next_change_at'>,
  schema: EntitySchema,
  now: number,
): boolean => schema.version === schema_version && (next_change_at === null || next_change_at > now);

export interface CurrentState extends ReducedState {
  readonly nextChangeAt: number | null;
}

/** The stored state of a group, or a new reduction if that is outdated. */
export function* currentState(db: Reader, { schemas }: SchemaDeps, entity: StoredState): Work<CurrentState> {
  const schema = yield* schemas.active(db, entity.entity_type);
  const now = presentOf(db, entity);
  if (isStateCurrent(entity, schema, now)) {
    return { state: parseState(entity.state), schema, nextChangeAt: entity.next_change_at };
  }
  return yield* reduceMembers(db, yield* membersOf(db, entity.entity_id), undefined, schema, now);
}

/** The times of a question, if it gives any. */
export interface AskedMoment {
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

/** [TR18] Reduces only what held at that time and was recorded by then, with the schema of then. */
export function* stateAt(
  db: Reader,
  deps: SchemaDeps,
  entityId: string,
  asked: AskedMoment,
  otherwise: 'fault' | 'empty' = 'fault',
) {
  const { root } = yield* expectRoot(db, entityId);
  const { at = presentOf(db, root), asKnownAt } = asked;
  const schema =
    asKnownAt === undefined
      ? yield* deps.schemas.active(db, root.entity_type)
      : yield* deps.schemas.activeAt(db, root.entity_type, asKnownAt);
  const rootId = asKnownAt === undefined ? root.entity_id : yield* rootKnownAt(db, entityId, asKnownAt);
  const members = idsOf(
    asKnownAt === undefined ? yield* listGroup(db, rootId) : yield* listGroupKnownAt(db, rootId, asKnownAt),
  );
  const moment: Moment = { at, knownAt: asKnownAt ?? Number.MAX_SAFE_INTEGER };
  const reduced = yield* reduceMembers(db, members, moment, schema);
  if (reduced.observationCount === 0 && otherwise === 'fault') {
    const first = yield* findFirstStart(db, members, moment.knownAt);
    if (first?.effective_at == null) throw entityMissing(entityId, 'nothing was recorded about it by as_known_at');
    const known_from = showTime(first.effective_at);
    throw entityMissing(entityId, `nothing is known about it at that time; known from ${known_from}`, { known_from });
  }
  return { ...reduced, rootId, members, moment };
}
