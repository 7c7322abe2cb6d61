import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { type OpenedContradiction, openContradictions } from '../contradictions/track-contradictions.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import { currentState, earlier, isStateCurrent, nextChangeOf } from '../entities/load-entity.ts';
import type { ObservationDetails, ObservationRow } from '../entities/observed-store.ts';
import type { EntityIndexingDeps } from '../entities/search/entity-documents.ts';
import { refuseForgotten } from '../forgetting/refuse-forgotten.ts';
import { byText, type EntityState, emptyState, parseState, printState } from '../reducer/entity-state.ts';
import { applyObservation } from '../reducer/reducer.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { readStatement } from '../schemas/read-statement.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { entityTopic } from '../truth-vocabulary.ts';
import {
  eventsOf,
  type LookupRows,
  lookupsOfExactName,
  lookupsOfFields,
  lookupsOfName,
  type ObservationFacts,
  writeLookups,
} from './derived-rows.ts';
import { completePeriod } from './effective-time.ts';
import { keySeparator, observationIdOf } from './entity-name.ts';
import type {
  Observation,
  ObservationDraft,
  ObservationSource,
  StatedPeriod,
  WrittenObservation,
} from './observation.ts';
import {
  addToTotals,
  insertEvents,
  insertObservations,
  type NewEntity,
  type NewObservation,
  type NewState,
  setState,
  setStates,
  touchEntities,
} from './observation-store.ts';
import type { SimilarHits } from './similar-names.ts';
import { createTally, entitiesTotal, eventsTotal, observationsTotal, type Tally } from './totals.ts';

export interface SourceStatement {
  readonly source: ObservationSource;
  readonly drafts: readonly ObservationDraft[];
}

interface PreparedObservation {
  readonly source: ObservationSource;
  readonly draft: ObservationDraft;
  readonly schema: EntitySchema;
  readonly observation: Observation;
  readonly period: StatedPeriod;
}

interface EntityUpdate {
  readonly entityId: string;
  readonly entityType: string;
  readonly name: string;
  readonly schema: EntitySchema;
  readonly observations: Observation[];
}

interface EntityChange {
  readonly what: 'create' | 'update';
  readonly state: string;
}

function prepare(
  draft: ObservationDraft,
  schema: EntitySchema,
  source: ObservationSource,
  recordedAt: number,
): PreparedObservation {
  const period = completePeriod(draft.period ?? source.period, Math.min(source.observedAt, recordedAt));
  const observation = {
    id: observationIdOf(draft.entityId, source.key, draft.role),
    observedAt: source.observedAt,
    recordedAt,
    effectiveAt: period.effectiveAt,
    effectiveUntil: period.effectiveUntil,
    priority: source.priority,
    isCorrection: source.kind === 'correction',
    isUntilNewer: source.isUntilNewer === true,
    origin: source.origin,
    ended: draft.ended ?? [],
    ...readStatement(schema, draft.stated),
  };
  return { source, draft, schema, observation, period };
}

function toDetails({ ended, isUntilNewer }: Observation, period: StatedPeriod): string {
  const details: ObservationDetails = {
    ...(ended.length === 0 ? {} : { ended }),
    ...(isUntilNewer ? { until_newer: true } : {}),
    ...(period.atChars === undefined ? {} : { at_chars: period.atChars }),
    ...(period.untilChars === undefined ? {} : { until_chars: period.untilChars }),
  };
  return JSON.stringify(details);
}

const toRow = ({ source, draft, schema, observation, period }: PreparedObservation): NewObservation => ({
  observation_id: observation.id,
  entity_id: draft.entityId,
  entity_type: draft.entityType,
  observed_at: observation.observedAt,
  schema_version: schema.version,
  source_kind: source.kind,
  source_id: source.id,
  role: draft.role,
  specificity: observation.specificity,
  priority: observation.priority,
  fields: JSON.stringify(observation.fields),
  raw_fragments: JSON.stringify(observation.rawFragments),
  submission_id: source.submissionId,
  effective_at: observation.effectiveAt,
  effective_until: observation.effectiveUntil,
  origin: observation.origin,
  details: toDetails(observation, period),
});

/** Returns only the new ones: a source that is sent again adds nothing. */
function* insertNew(db: Writer, prepared: readonly PreparedObservation[]): Work<readonly PreparedObservation[]> {
  const rows = yield* insertObservations(db, prepared.map(toRow));
  const inserted = new Set(rows.map(({ observation_id }) => observation_id));
  if (inserted.size === prepared.length) return prepared;
  return prepared.filter(({ observation }) => inserted.delete(observation.id));
}

function groupByEntity(prepared: readonly PreparedObservation[]): readonly EntityUpdate[] {
  const updates = new Map<string, EntityUpdate>();
  for (const { draft, schema, observation } of prepared) {
    const { entityId, entityType, name } = draft;
    const known = updates.get(entityId);
    if (known === undefined) updates.set(entityId, { entityId, entityType, name, schema, observations: [observation] });
    else known.observations.push(observation);
  }
  return [...updates.values()];
}

/** Only what holds now. */
const applyAll = (
  state: EntityState,
  observations: readonly Observation[],
  schema: EntitySchema,
  now: number,
): EntityState =>
  observations
    .filter(({ effectiveAt, effectiveUntil }) => effectiveAt <= now && (effectiveUntil ?? now + 1) > now)
    .reduce((before, one) => applyObservation(before, one, schema), state);

const nextChangeIn = (observations: readonly Observation[], now: number): number | null =>
  nextChangeOf(
    observations.map(({ effectiveAt, effectiveUntil }) => ({
      effective_at: effectiveAt,
      effective_until: effectiveUntil,
      retracted_at: null,
    })),
    now,
  );

const toEntity = ({ entityId, entityType, name, schema, observations }: EntityUpdate, now: number): NewEntity => ({
  entity_id: entityId,
  entity_type: entityType,
  canonical_name: name.replaceAll(keySeparator, ' '),
  observation_count: observations.length,
  last_observed_at: observations.reduce((last, one) => Math.max(last, one.observedAt), Number.MIN_SAFE_INTEGER),
  schema_version: schema.version,
  // Used only if the entity is new; `nextState` computes the state of an existing one.
  state: printState(applyAll(emptyState, observations, schema, now)),
  next_change_at: nextChangeIn(observations, now),
});

/** An outdated state is reduced again from all observations; those of this write are among them. */
function* nextState(
  db: Writer,
  deps: SchemaDeps,
  row: EntityRow,
  { schema, observations }: EntityUpdate,
): Work<NewState> {
  const { entity_id } = row;
  if (isStateCurrent(row, schema, db.now)) {
    const state = printState(applyAll(parseState(row.state), observations, schema, db.now));
    const next_change_at = earlier(row.next_change_at, nextChangeIn(observations, db.now));
    return { entity_id, schema_version: schema.version, state, next_change_at };
  }
  const current = yield* currentState(db, deps, row);
  return {
    entity_id,
    schema_version: current.schema.version,
    state: printState(current.state),
    next_change_at: current.nextChangeAt,
  };
}

/** Updates one level of the merge tree: the entities themselves first, then their parents. Returns the next level up. */
function* updateLevel(
  db: Writer,
  deps: SchemaDeps,
  updates: readonly EntityUpdate[],
  changes: Map<string, EntityChange>,
): Work<readonly EntityUpdate[]> {
  const byId = new Map(updates.map((update) => [update.entityId, update]));
  const states: NewState[] = [];
  const parents = new Map<string, EntityUpdate>();
  // Sorted by id, so that two writers lock the same rows in the same order.
  const sorted = updates.toSorted((a, b) => byText(a.entityId, b.entityId)).map((one) => toEntity(one, db.now));
  for (const row of yield* touchEntities(db, sorted)) {
    const update = byId.get(row.entity_id)!;
    if (row.observation_count === update.observations.length) {
      changes.set(row.entity_id, { what: 'create', state: row.state });
      continue;
    }
    const next = yield* nextState(db, deps, row, update);
    states.push(next);
    changes.set(row.entity_id, { what: changes.get(row.entity_id)?.what ?? 'update', state: next.state });
    if (row.merged_into === '') continue;
    const parent = parents.get(row.merged_into);
    if (parent === undefined)
      parents.set(row.merged_into, {
        ...update,
        entityId: row.merged_into,
        observations: [...update.observations],
      });
    else parent.observations.push(...update.observations);
  }
  yield* states.length === 1 ? setState(db, states[0]!) : setStates(db, states);
  return [...parents.values()];
}

const toFacts = ({ source, draft, observation }: PreparedObservation): ObservationFacts => ({
  observationId: observation.id,
  entityId: draft.entityId,
  entityType: draft.entityType,
  sourceId: source.id,
  fields: observation.fields,
});

function* writeEvents(db: Writer, prepared: readonly PreparedObservation[], tally: Tally): Work<void> {
  const events = prepared.flatMap((one) => eventsOf(one.schema, toFacts(one)));
  yield* insertEvents(db, events);
  for (const { event_type } of events) tally.add(eventsTotal, event_type);
}

/** [TR80] Last, because writers of one index wait for each other from here to the commit. */
function* indexChanges(db: Writer, deps: EntityIndexingDeps, prepared: readonly PreparedObservation[]): Work<void> {
  const changed = prepared.map(({ draft, observation: { fields, rawFragments } }) => ({
    entityId: draft.entityId,
    stated: [fields, rawFragments],
  }));
  if (deps.entityDocuments !== undefined) yield* deps.entityDocuments.put(db, changed);
}

export const writeTotals = (db: Writer, tally: Tally) => addToTotals(db, tally.rows());

const toWritten = (
  { draft, observation }: PreparedObservation,
  isNew: boolean,
  lookups: LookupRows | undefined,
  similar: SimilarHits,
  opened: readonly OpenedContradiction[],
): WrittenObservation => ({
  observationId: observation.id,
  entityId: draft.entityId,
  entityType: draft.entityType,
  identityRule: draft.identityRule,
  role: draft.role,
  name: draft.name,
  isNew,
  matchKeys: lookups?.matchKeys ?? [],
  similar: isNew ? (similar.get(draft.entityId) ?? []) : [],
  opened: opened.filter(({ statements }) => statements.some(({ observationId }) => observationId === observation.id)),
});

/** The first statement about an entity contradicts nothing. */
function* findContradictions(
  db: Writer,
  deps: SchemaDeps,
  prepared: readonly PreparedObservation[],
  updates: readonly EntityUpdate[],
  changes: ReadonlyMap<string, EntityChange>,
): Work<readonly OpenedContradiction[]> {
  const first = updates.filter((one) => one.observations.length === 1 && changes.get(one.entityId)?.what === 'create');
  const skipped = new Set(first.map(({ entityId }) => entityId));
  const rows = prepared
    .filter(({ draft }) => !skipped.has(draft.entityId))
    .map((one): ObservationRow => ({ ...toRow(one), created_at: db.now, retracted_at: null }));
  return yield* openContradictions(db, deps, rows);
}

/**
 * The only place that inserts observations. Its cost does not grow with earlier observations: each entity's row, and each
 * row above it in its group, holds the reduction so far. A caller that passes a `tally` adds its own counts and writes the
 * totals itself, last, because every writer of a tenant locks the same total rows.
 */
export function* writeStatements(
  db: Writer,
  deps: SchemaDeps & EntityIndexingDeps,
  statements: readonly SourceStatement[],
  given?: Tally,
): Work<readonly (readonly WrittenObservation[])[]> {
  const tally = given ?? createTally();
  const types = new Set(statements.flatMap(({ drafts }) => drafts.map(({ entityType }) => entityType)));
  const schemas = yield* deps.schemas.activeOf(db, [...types]);
  const all = statements.map(({ source, drafts }) =>
    drafts.map((draft) => prepare(draft, schemas.get(draft.entityType)!, source, db.now)),
  );
  const forgotten = yield* refuseForgotten(db, deps.tombstones, all.flat());
  const prepared = yield* insertNew(db, all.flat());
  const updates = groupByEntity(prepared);
  const changes = new Map<string, EntityChange>();
  for (let level = updates; level.length > 0; ) level = yield* updateLevel(db, deps, level, changes);
  const created = updates.filter(({ entityId }) => changes.get(entityId)?.what === 'create');
  yield* writeEvents(db, prepared, tally);
  const lookups = new Map(prepared.map((one) => [one, lookupsOfFields(one.schema, toFacts(one))]));
  const lookupsOf = deps.entityDocuments?.namesLater === true ? lookupsOfExactName : lookupsOfName;
  const { similar } = yield* writeLookups(db, [
    ...created.map(({ entityId, entityType, name }) => lookupsOf(entityType, entityId, name)),
    ...lookups.values(),
  ]);
  const opened = yield* findContradictions(db, deps, prepared, updates, changes);
  if (prepared.length > 0) tally.add(observationsTotal, '', prepared.length);
  for (const { entityType } of created) tally.add(entitiesTotal, entityType);
  if (given === undefined) yield* writeTotals(db, tally);
  for (const [entityId, { what, state }] of changes) yield* db.changed(entityTopic, entityId, what, sha256Hex(state));
  yield* indexChanges(db, deps, prepared);
  const newIds = new Set(created.map(({ entityId }) => entityId));
  return all.map((some) =>
    some.map((one) => ({
      ...toWritten(one, newIds.has(one.draft.entityId), lookups.get(one), similar, opened),
      forgottenBefore: forgotten.get(one.draft.entityId),
    })),
  );
}

export function* writeObservations(
  db: Writer,
  deps: SchemaDeps & EntityIndexingDeps,
  source: ObservationSource,
  drafts: readonly ObservationDraft[],
): Work<readonly WrittenObservation[]> {
  const [written] = yield* writeStatements(db, deps, [{ source, drafts }]);
  return written!;
}
