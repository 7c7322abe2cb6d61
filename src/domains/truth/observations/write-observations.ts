import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import { currentState } from '../entities/load-entity.ts';
import { type EntityState, emptyState, parseState, printState } from '../reducer/entity-state.ts';
import type { Observed } from '../reducer/observed.ts';
import { applyObservation } from '../reducer/reducer.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { entityTopic } from '../words.ts';
import { eventsOf, foundByFields, foundByName, type ObservationFacts } from './derive-rows.ts';
import { enterMatchKeys } from './enter-match-keys.ts';
import { keySeparator, observationIdOf } from './entity-name.ts';
import {
  addToTotals,
  insertEvents,
  insertIdentifiers,
  insertObservations,
  type NewEntity,
  type NewObservation,
  type NewState,
  setState,
  setStates,
  touchEntities,
} from './observation-store.ts';
import type { Draft, Source, WrittenObservation } from './source.ts';
import { splitFields } from './split-fields.ts';
import { createTally, entitiesTotal, eventsTotal, observationsTotal, type Tally } from './totals.ts';

export interface ObserveDeps {
  readonly schemas: Pick<Schemas, 'active' | 'activeOf'>;
}

/** What one source says. */
export interface Telling {
  readonly source: Source;
  readonly drafts: readonly Draft[];
}

interface Prepared {
  readonly source: Source;
  readonly draft: Draft;
  readonly schema: EntitySchema;
  readonly observed: Observed;
}

/** What is said of one entity, by whichever name. */
interface Told {
  readonly entityId: string;
  readonly entityType: string;
  readonly name: string;
  readonly schema: EntitySchema;
  readonly observed: Observed[];
}

interface Change {
  readonly what: 'create' | 'update';
  readonly state: string;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function prepare(draft: Draft, schema: EntitySchema, source: Source, recordedAt: number): Prepared {
  const observed = {
    id: observationIdOf(draft.entityId, source.key, draft.role),
    observedAt: source.observedAt,
    recordedAt,
    priority: source.priority,
    isCorrection: source.kind === 'correction',
    ...splitFields(schema, draft.stated),
  };
  return { source, draft, schema, observed };
}

const toRow = ({ source, draft, schema, observed }: Prepared): NewObservation => ({
  observation_id: observed.id,
  entity_id: draft.entityId,
  entity_type: draft.entityType,
  observed_at: observed.observedAt,
  schema_version: schema.version,
  source_kind: source.kind,
  source_id: source.id,
  role: draft.role,
  specificity: observed.specificity,
  priority: observed.priority,
  fields: JSON.stringify(observed.fields),
  raw_fragments: JSON.stringify(observed.rawFragments),
});

/** Those that were not there yet: a source that comes again says nothing new. */
function* insertNew(db: Writer, prepared: readonly Prepared[]): Work<readonly Prepared[]> {
  const rows = yield* insertObservations(db, prepared.map(toRow));
  const inserted = new Set(rows.map(({ observation_id }) => observation_id));
  if (inserted.size === prepared.length) return prepared;
  return prepared.filter(({ observed }) => inserted.delete(observed.id));
}

function byEntity(prepared: readonly Prepared[]): readonly Told[] {
  const told = new Map<string, Told>();
  for (const { draft, schema, observed } of prepared) {
    const { entityId, entityType, name } = draft;
    const known = told.get(entityId);
    if (known === undefined) told.set(entityId, { entityId, entityType, name, schema, observed: [observed] });
    else known.observed.push(observed);
  }
  return [...told.values()];
}

const applyAll = (state: EntityState, observed: readonly Observed[], schema: EntitySchema): EntityState =>
  observed.reduce((before, one) => applyObservation(before, one, schema), state);

const toEntity = ({ entityId, entityType, name, schema, observed }: Told): NewEntity => ({
  entity_id: entityId,
  entity_type: entityType,
  canonical_name: name.replaceAll(keySeparator, ' '),
  observation_count: observed.length,
  last_observed_at: observed.reduce((last, one) => Math.max(last, one.observedAt), Number.MIN_SAFE_INTEGER),
  schema_version: schema.version,
  // An entity that is new has nothing to be joined with.
  state: printState(applyAll(emptyState, observed, schema)),
});

/** [TR17] Under another schema the observations are asked, and those of this write are among them already. */
function* nextState(db: Writer, deps: ObserveDeps, row: EntityRow, { schema, observed }: Told): Work<NewState> {
  const { entity_id } = row;
  if (row.schema_version === schema.version) {
    const state = printState(applyAll(parseState(row.state), observed, schema));
    return { entity_id, schema_version: schema.version, state };
  }
  const anew = yield* currentState(db, deps, row);
  return { entity_id, schema_version: anew.schema.version, state: printState(anew.state) };
}

function* saveStates(db: Writer, states: readonly NewState[]): Work<void> {
  if (states.length === 1) yield* setState(db, states[0]!);
  else yield* setStates(db, states);
}

/** One floor of groups: the entities themselves, or what they are merged into. Answers the floor above. */
function* tellFloor(
  db: Writer,
  deps: ObserveDeps,
  told: readonly Told[],
  changes: Map<string, Change>,
): Work<readonly Told[]> {
  const tellings = new Map(told.map((one) => [one.entityId, one]));
  const states: NewState[] = [];
  const above = new Map<string, Told>();
  // In the order of their ids: two writers that want the same rows wait for each other in one direction.
  const sorted = told.toSorted((a, b) => byText(a.entityId, b.entityId)).map(toEntity);
  for (const row of yield* touchEntities(db, sorted)) {
    const one = tellings.get(row.entity_id)!;
    if (row.observation_count === one.observed.length) {
      changes.set(row.entity_id, { what: 'create', state: row.state });
      continue;
    }
    const next = yield* nextState(db, deps, row, one);
    states.push(next);
    changes.set(row.entity_id, { what: changes.get(row.entity_id)?.what ?? 'update', state: next.state });
    if (row.merged_into === '') continue;
    const parent = above.get(row.merged_into);
    if (parent === undefined)
      above.set(row.merged_into, { ...one, entityId: row.merged_into, observed: [...one.observed] });
    else parent.observed.push(...one.observed);
  }
  yield* saveStates(db, states);
  return [...above.values()];
}

function* writeFoundBy(
  db: Writer,
  told: readonly Told[],
  prepared: readonly Prepared[],
  changes: ReadonlyMap<string, Change>,
): Work<void> {
  const found = [
    ...told
      .filter(({ entityId }) => changes.get(entityId)?.what === 'create')
      .map(({ entityId, entityType, name }) => foundByName(entityType, entityId, name)),
    ...prepared.map((one) => foundByFields(one.schema, toFacts(one))),
  ];
  yield* insertIdentifiers(
    db,
    found.flatMap(({ identifiers }) => identifiers),
  );
  yield* enterMatchKeys(
    db,
    found.flatMap(({ matchKeys }) => matchKeys),
  );
}

const toFacts = ({ source, draft, observed }: Prepared): ObservationFacts => ({
  observationId: observed.id,
  entityId: draft.entityId,
  entityType: draft.entityType,
  sourceId: source.id,
  fields: observed.fields,
});

function* writeEvents(db: Writer, prepared: readonly Prepared[], tally: Tally): Work<void> {
  const events = prepared.flatMap((one) => eventsOf(one.schema, toFacts(one)));
  yield* insertEvents(db, events);
  for (const { event_type } of events) tally.add(eventsTotal, event_type);
}

export const writeTotals = (db: Writer, tally: Tally) => addToTotals(db, tally.rows());

const toWritten = ({ draft, observed }: Prepared): WrittenObservation => ({
  observationId: observed.id,
  entityId: draft.entityId,
  entityType: draft.entityType,
  identityRule: draft.identityRule,
  role: draft.role,
});

/**
 * The only place that inserts observations, of as many sources as there are in one transaction. What it costs does not
 * depend on how much was said before: each entity's row holds the reduction so far, and so does every row above it in its
 * group. Whoever gives a `tally` counts more than this and writes the totals himself, last: every writer of a tenant
 * wants them.
 */
export function* writeTellings(
  db: Writer,
  deps: ObserveDeps,
  tellings: readonly Telling[],
  given?: Tally,
): Work<readonly (readonly WrittenObservation[])[]> {
  const tally = given ?? createTally();
  const types = new Set(tellings.flatMap(({ drafts }) => drafts.map(({ entityType }) => entityType)));
  const schemas = yield* deps.schemas.activeOf(db, [...types]);
  const all = tellings.map(({ source, drafts }) =>
    drafts.map((draft) => prepare(draft, schemas.get(draft.entityType)!, source, db.now)),
  );
  const prepared = yield* insertNew(db, all.flat());
  const told = byEntity(prepared);
  const changes = new Map<string, Change>();
  for (let floor = told; floor.length > 0; ) floor = yield* tellFloor(db, deps, floor, changes);
  yield* writeEvents(db, prepared, tally);
  yield* writeFoundBy(db, told, prepared, changes);
  if (prepared.length > 0) tally.add(observationsTotal, '', prepared.length);
  for (const { entityId, entityType } of told) {
    if (changes.get(entityId)?.what === 'create') tally.add(entitiesTotal, entityType);
  }
  if (given === undefined) yield* writeTotals(db, tally);
  for (const [entityId, { what, state }] of changes) yield* db.changed(entityTopic, entityId, what, sha256Hex(state));
  return all.map((some) => some.map(toWritten));
}

/** Of one source. */
export function* writeObservations(
  db: Writer,
  deps: ObserveDeps,
  source: Source,
  drafts: readonly Draft[],
): Work<readonly WrittenObservation[]> {
  const [written] = yield* writeTellings(db, deps, [{ source, drafts }]);
  return written!;
}
