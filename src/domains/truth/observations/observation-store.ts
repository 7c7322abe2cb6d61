import type { Reader, Writer } from '#kernel/storage/port.ts';
import { type Bound, type Sql, sql } from '#kernel/storage/sql.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import { truthLimits } from '../truth-limits.ts';
import type { SourceKind } from './observation.ts';

/**
 * A statement with any number of rows. There are few sizes (`piecesOf`), and each has its text once, frozen as that of a
 * place in the source is: a store finds what it prepared for it without putting the text together again.
 */
export function ofRows<Row = unknown>(before: string, width: number, after: readonly [string, ...string[]]) {
  const known = new Map<number, readonly string[]>();
  const between = (row: number, column: number): string => (column > 0 ? ', ' : row > 0 ? '), (' : `${before} (`);
  function partsOf(rowsCount: number): readonly string[] {
    let parts = known.get(rowsCount);
    if (parts === undefined) {
      const places = Array.from({ length: rowsCount * width }, (_, i) => between(Math.floor(i / width), i % width));
      parts = [...places, `) ${after[0]}`, ...after.slice(1)];
      // Whoever comes with other sizes pays for putting the text together; what is frozen stays prepared for good.
      if (known.size < truthLimits.statementSizesCount) known.set(rowsCount, Object.freeze(parts));
    }
    return parts;
  }
  return (rows: readonly (readonly Bound[])[], ...rest: readonly Bound[]): Sql<Row> => ({
    parts: partsOf(rows.length),
    args: [...rows.flat(), ...rest],
  });
}

export interface NewObservation {
  readonly observation_id: string;
  readonly entity_id: string;
  readonly entity_type: string;
  readonly observed_at: number;
  readonly schema_version: string;
  readonly source_kind: SourceKind;
  readonly source_id: string;
  readonly role: string;
  readonly specificity: number;
  readonly priority: number;
  readonly fields: string;
  readonly raw_fragments: string;
}

const observationsText = ofRows<Pick<NewObservation, 'observation_id'>>(
  `insert into truth_observations (tenant, entity_id, observed_at, observation_id, entity_type, schema_version,
    source_kind, source_id, role, specificity, priority, created_at, fields, raw_fragments) values`,
  14,
  ['on conflict do nothing returning observation_id'],
);

/** Returns the new ones. */
export const insertObservations = (db: Writer, rows: readonly NewObservation[]) =>
  db.all(
    observationsText(
      rows.map((row) => [
        ...[db.tenant, row.entity_id, row.observed_at, row.observation_id, row.entity_type, row.schema_version],
        ...[row.source_kind, row.source_id, row.role, row.specificity, row.priority, db.now],
        ...[row.fields, row.raw_fragments],
      ]),
    ),
  );

export type NewEntity = Pick<
  EntityRow,
  'entity_id' | 'entity_type' | 'canonical_name' | 'observation_count' | 'last_observed_at' | 'schema_version' | 'state'
>;

const entitiesText = ofRows<EntityRow>(
  `insert into truth_entities (tenant, entity_id, entity_type, canonical_name, merged_into, root_id, observation_count,
    last_observed_at, last_recorded_at, created_at, schema_version, state) values`,
  12,
  [
    `on conflict (tenant, entity_id) do update set
      observation_count = truth_entities.observation_count + excluded.observation_count,
      last_observed_at = case when excluded.last_observed_at > truth_entities.last_observed_at
        then excluded.last_observed_at else truth_entities.last_observed_at end,
      last_recorded_at = case when excluded.last_recorded_at > truth_entities.last_recorded_at
        then excluded.last_recorded_at else truth_entities.last_recorded_at end
    returning entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version, state`,
  ],
);

/**
 * Inserts new entities, adds to the counts of existing ones, and locks all rows until the commit, which serialises
 * writers of one entity on PostgreSQL. Returns existing states unchanged.
 */
export const touchEntities = (db: Writer, rows: readonly NewEntity[]) =>
  db.all(
    entitiesText(
      rows.map((row) => [
        ...[db.tenant, row.entity_id, row.entity_type, row.canonical_name, '', row.entity_id, row.observation_count],
        ...[row.last_observed_at, db.now, db.now, row.schema_version, row.state],
      ]),
    ),
  );

export type NewState = Pick<EntityRow, 'entity_id' | 'schema_version' | 'state'>;

export const setState = (db: Writer, { entity_id, schema_version, state }: NewState) =>
  db.run(sql`
    update truth_entities set schema_version = ${schema_version}, state = ${state}
    where tenant = ${db.tenant} and entity_id = ${entity_id}`);

const statesText = ofRows('with given (entity_id, schema_version, state) as (values', 3, [
  `) update truth_entities set schema_version = given.schema_version, state = given.state from given
    where truth_entities.tenant = `,
  ' and truth_entities.entity_id = given.entity_id',
]);

export const setStates = (db: Writer, rows: readonly NewState[]) =>
  db.run(
    statesText(
      rows.map((row) => [row.entity_id, row.schema_version, row.state]),
      db.tenant,
    ),
  );

export interface NewIdentifier {
  readonly identifier: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly field: string;
}

const identifiersText = ofRows(
  'insert into truth_identifiers (tenant, identifier, entity_type, entity_id, field) values',
  5,
  ['on conflict do nothing'],
);

export const insertIdentifiers = (db: Writer, rows: readonly NewIdentifier[]) =>
  db.run(identifiersText(rows.map((row) => [db.tenant, row.identifier, row.entity_type, row.entity_id, row.field])));

export interface NewMatchKey {
  readonly entity_type: string;
  readonly match_key: string;
  readonly entity_id: string;
}

const matchKeysText = ofRows<Omit<NewMatchKey, 'entity_id'>>(
  'insert into truth_match_keys (tenant, entity_type, match_key, entity_id) values',
  4,
  ['on conflict do nothing returning entity_type, match_key'],
);

/** Returns the new ones. */
export const insertMatchKeys = (db: Writer, rows: readonly NewMatchKey[]) =>
  db.all(matchKeysText(rows.map((row) => [db.tenant, row.entity_type, row.match_key, row.entity_id])));

export type MatchKey = Omit<NewMatchKey, 'entity_id'>;

const sharedText = ofRows<MatchKey>('with given (entity_type, match_key) as (values', 2, [
  // A cross join makes SQLite start with the few given keys; without statistics it would read all keys of the tenant.
  `) select k.entity_type, k.match_key from given g cross join truth_match_keys k
    where k.tenant = `,
  ` and k.entity_type = g.entity_type and k.match_key = g.match_key
    group by k.entity_type, k.match_key having count(*) > 1`,
]);

/** Keys of more than one entity. */
export const findSharedKeys = (db: Reader, keys: readonly MatchKey[]) =>
  db.all(
    sharedText(
      keys.map(({ entity_type, match_key }) => [entity_type, match_key]),
      db.tenant,
    ),
  );

const sharedKeysText = ofRows('insert into truth_shared_keys (tenant, entity_type, match_key) values', 3, [
  'on conflict do nothing',
]);

export const insertSharedKeys = (db: Writer, keys: readonly MatchKey[]) =>
  db.run(sharedKeysText(keys.map(({ entity_type, match_key }) => [db.tenant, entity_type, match_key])));

export interface NewEvent {
  readonly event_id: string;
  readonly event_at: number;
  readonly event_type: string;
  readonly entity_id: string;
  readonly entity_type: string;
  readonly field: string;
  readonly value: string;
  readonly source_id: string;
  readonly observation_id: string;
}

const eventsText = ofRows(
  `insert into truth_events (tenant, event_at, event_id, event_type, entity_id, entity_type, field, value, source_id,
    observation_id, created_at) values`,
  11,
  [''],
);

export const insertEvents = (db: Writer, rows: readonly NewEvent[]) =>
  db.run(
    eventsText(
      rows.map((row) => [
        ...[db.tenant, row.event_at, row.event_id, row.event_type, row.entity_id, row.entity_type, row.field],
        ...[row.value, row.source_id, row.observation_id, db.now],
      ]),
    ),
  );

export interface Total {
  readonly kind: string;
  readonly key: string;
  readonly count: number;
}

const totalsText = ofRows('insert into truth_totals (tenant, kind, key, count) values', 4, [
  'on conflict (tenant, kind, key) do update set count = truth_totals.count + excluded.count',
]);

/** Each key at most once. */
export const addToTotals = (db: Writer, rows: readonly Total[]) =>
  db.run(totalsText(rows.map((row) => [db.tenant, row.kind, row.key, row.count])));
