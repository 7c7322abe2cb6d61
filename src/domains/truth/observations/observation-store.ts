import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { sql, values } from '#kernel/storage/sql.ts';
import { type EntityRow, entityHash, type StoredEntity, stateHash, toEntityRow } from '../entities/entity-store.ts';
import { observationHash } from '../entities/observed-store.ts';
import type { SourceKind } from './observation.ts';

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
  readonly submission_id: string;
  readonly effective_at: number;
  readonly effective_until: number | null;
  readonly origin: string;
  readonly details: string;
}

/** Returns the new ones. */
export const insertObservations = (db: Writer, rows: readonly NewObservation[]) =>
  db.all(sql<Pick<NewObservation, 'observation_id'>>`
    insert into truth_observations (tenant, entity_id, observed_at, observation_id, entity_type, schema_version,
      source_kind, source_id, role, specificity, priority, created_at, fields, raw_fragments, submission_id,
      effective_at, effective_until, origin, details, row_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, row.entity_id, row.observed_at, row.observation_id, row.entity_type, row.schema_version],
        ...[row.source_kind, row.source_id, row.role, row.specificity, row.priority, db.now],
        ...[row.fields, row.raw_fragments, row.submission_id, row.effective_at, row.effective_until, row.origin],
        ...[row.details, observationHash.of({ ...row, created_at: db.now, retracted_at: null })],
      ]),
    )}
    on conflict do nothing returning observation_id`);

export type NewEntity = Pick<
  EntityRow,
  | 'entity_id'
  | 'entity_type'
  | 'canonical_name'
  | 'observation_count'
  | 'last_observed_at'
  | 'schema_version'
  | 'state'
  | 'next_change_at'
>;

/**
 * Inserts new entities, adds to the counts of existing ones, and locks all rows until the commit, which serialises writers
 * of one entity on PostgreSQL. Returns existing states unchanged.
 */
export function* touchEntities(db: Writer, rows: readonly NewEntity[]): Work<readonly EntityRow[]> {
  const touched = yield* db.all(sql<StoredEntity>`
    insert into truth_entities (tenant, entity_id, entity_type, canonical_name, merged_into, root_id, observation_count,
      last_observed_at, last_recorded_at, created_at, schema_version, state, next_change_at, row_hash, state_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, row.entity_id, row.entity_type, row.canonical_name, '', row.entity_id, row.observation_count],
        ...[row.last_observed_at, db.now, db.now, row.schema_version, row.state, row.next_change_at],
        ...[entityHash.of({ ...row, created_at: db.now }), stateHash(row)],
      ]),
    )}
    on conflict (tenant, entity_id) do update set
      observation_count = truth_entities.observation_count + excluded.observation_count,
      last_observed_at = case when excluded.last_observed_at > truth_entities.last_observed_at
        then excluded.last_observed_at else truth_entities.last_observed_at end,
      last_recorded_at = case when excluded.last_recorded_at > truth_entities.last_recorded_at
        then excluded.last_recorded_at else truth_entities.last_recorded_at end
    returning entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version, state, next_change_at, row_hash, state_hash`);
  return touched.map(toEntityRow);
}

export type NewState = Pick<EntityRow, 'entity_id' | 'schema_version' | 'state' | 'next_change_at'>;

export const setState = (db: Writer, row: NewState) =>
  db.run(sql`
    update truth_entities set schema_version = ${row.schema_version}, state = ${row.state},
      next_change_at = ${row.next_change_at}, state_hash = ${stateHash(row)}
    where tenant = ${db.tenant} and entity_id = ${row.entity_id}`);

export const setStates = (db: Writer, rows: readonly NewState[]) =>
  db.run(sql`
    with given (entity_id, schema_version, state, next_change_at, state_hash) as (
      values ${values(
        rows.map((row) => [row.entity_id, row.schema_version, row.state, row.next_change_at, stateHash(row)]),
      )})
    update truth_entities set schema_version = given.schema_version, state = given.state,
      next_change_at = cast(given.next_change_at as bigint), state_hash = given.state_hash
    from given
    where truth_entities.tenant = ${db.tenant} and truth_entities.entity_id = given.entity_id`);

export interface NewIdentifier {
  readonly identifier: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly field: string;
}

export const insertIdentifiers = (db: Writer, rows: readonly NewIdentifier[]) =>
  db.run(sql`
    insert into truth_identifiers (tenant, identifier, entity_type, entity_id, field)
    values ${values(rows.map((row) => [db.tenant, row.identifier, row.entity_type, row.entity_id, row.field]))}
    on conflict do nothing`);

export interface NewMatchKey {
  readonly entity_type: string;
  readonly match_key: string;
  readonly entity_id: string;
}

/** Returns the new ones. */
export const insertMatchKeys = (db: Writer, rows: readonly NewMatchKey[]) =>
  db.all(sql<Omit<NewMatchKey, 'entity_id'>>`
    insert into truth_match_keys (tenant, entity_type, match_key, entity_id)
    values ${values(rows.map((row) => [db.tenant, row.entity_type, row.match_key, row.entity_id]))}
    on conflict do nothing returning entity_type, match_key`);

export type MatchKey = Omit<NewMatchKey, 'entity_id'>;

/**
 * Keys of more than one entity. The cross join makes SQLite start with the few given keys: without
 * statistics it would read all keys of the tenant.
 */
export const findSharedKeys = (db: Reader, keys: readonly MatchKey[]) =>
  db.all(sql<MatchKey>`
    with given (entity_type, match_key) as (
      values ${values(keys.map(({ entity_type, match_key }) => [entity_type, match_key]))})
    select k.entity_type, k.match_key from given g cross join truth_match_keys k
    where k.tenant = ${db.tenant} and k.entity_type = g.entity_type and k.match_key = g.match_key
    group by k.entity_type, k.match_key having count(*) > 1`);

export const insertSharedKeys = (db: Writer, keys: readonly MatchKey[]) =>
  db.run(sql`
    insert into truth_shared_keys (tenant, entity_type, match_key)
    values ${values(keys.map(({ entity_type, match_key }) => [db.tenant, entity_type, match_key]))}
    on conflict do nothing`);

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

export const insertEvents = (db: Writer, rows: readonly NewEvent[]) =>
  db.run(sql`
    insert into truth_events (tenant, event_at, event_id, event_type, entity_id, entity_type, field, value, source_id,
      observation_id, created_at)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, row.event_at, row.event_id, row.event_type, row.entity_id, row.entity_type, row.field],
        ...[row.value, row.source_id, row.observation_id, db.now],
      ]),
    )}`);

export interface Total {
  readonly kind: string;
  readonly key: string;
  readonly count: number;
}

/** Each key at most once. */
export const addToTotals = (db: Writer, rows: readonly Total[]) =>
  db.run(sql`
    insert into truth_totals (tenant, kind, key, count)
    values ${values(rows.map((row) => [db.tenant, row.kind, row.key, row.count]))}
    on conflict (tenant, kind, key) do update set count = truth_totals.count + excluded.count`);
