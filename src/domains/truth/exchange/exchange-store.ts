import type { Reader, Writer } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { allEntities, type EntityRow, type StoredEntity, stateHash } from '../entities/entity-store.ts';
import {
  type ObservationRow,
  observationColumns,
  observationHash,
  type StoredObservation,
} from '../entities/observed-store.ts';
import type { MatchKey, NewEvent } from '../observations/observation-store.ts';

/** Ordered by id, after one. */
export const listEntities = (db: Reader, after: string, limit: number) =>
  allEntities(
    db,
    sql<StoredEntity>`
    select entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version, state, next_change_at, row_hash, state_hash
    from truth_entities where tenant = ${db.tenant} and entity_id > ${after} order by entity_id limit ${limit}`,
  );

export type RebuiltEntity = Omit<EntityRow, 'entity_type' | 'canonical_name' | 'merged_into' | 'created_at'>;

export const setRebuiltEntity = (db: Writer, row: RebuiltEntity) =>
  db.run(sql`
    update truth_entities set root_id = ${row.root_id}, observation_count = ${row.observation_count},
      last_observed_at = ${row.last_observed_at}, last_recorded_at = ${row.last_recorded_at},
      schema_version = ${row.schema_version}, state = ${row.state}, next_change_at = ${row.next_change_at},
      state_hash = ${stateHash(row)}
    where tenant = ${db.tenant} and entity_id = ${row.entity_id}`);

export type ObservationKey = Pick<ObservationRow, 'entity_id' | 'observed_at' | 'observation_id'>;

/** All observations in primary-key order, after one. */
export const listAllObservations = (db: Reader, after: ObservationKey, limit: number) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select ${observationColumns}
    from truth_observations
    where tenant = ${db.tenant}
      and (entity_id, observed_at, observation_id) > (${after.entity_id}, ${after.observed_at}, ${after.observation_id})
    order by entity_id, observed_at, observation_id limit ${limit}`,
  );

/** Returns 1 if the event was missing or differed. */
export const insertMissingEvent = (db: Writer, row: NewEvent, createdAt: number) =>
  db.run(sql`
    insert into truth_events (tenant, event_at, event_id, event_type, entity_id, entity_type, field, value, source_id,
      observation_id, created_at)
    values (${db.tenant}, ${row.event_at}, ${row.event_id}, ${row.event_type}, ${row.entity_id}, ${row.entity_type},
      ${row.field}, ${row.value}, ${row.source_id}, ${row.observation_id}, ${createdAt})
    on conflict (tenant, event_at, event_id) do update set field = excluded.field, value = excluded.value,
      observation_id = excluded.observation_id
    where truth_events.field <> excluded.field or truth_events.value <> excluded.value
      or truth_events.observation_id <> excluded.observation_id`);

/** Keys of more than one entity, after one. */
export const listKeysOfMany = (db: Reader, after: MatchKey, limit: number) =>
  db.all(sql<MatchKey>`
    select entity_type, match_key from truth_match_keys
    where tenant = ${db.tenant} and (entity_type, match_key) > (${after.entity_type}, ${after.match_key})
    group by entity_type, match_key having count(*) > 1
    order by entity_type, match_key limit ${limit}`);

/** Returns how many edges had the wrong root. */
export const repairSources = (db: Writer) =>
  db.run(sql`
    update truth_relationships set source_root_id = e.root_id from truth_entities e
    where truth_relationships.tenant = ${db.tenant} and e.tenant = ${db.tenant}
      and e.entity_id = truth_relationships.source_entity_id and e.root_id <> truth_relationships.source_root_id`);

export const repairTargets = (db: Writer) =>
  db.run(sql`
    update truth_relationships set target_root_id = e.root_id from truth_entities e
    where truth_relationships.tenant = ${db.tenant} and e.tenant = ${db.tenant}
      and e.entity_id = truth_relationships.target_entity_id and e.root_id <> truth_relationships.target_root_id`);

export interface CountedRow {
  readonly key: string;
  readonly count: number;
}

/** Counted from an index; includes merged entities. */
export const countEntities = (db: Reader) =>
  db.all(sql<CountedRow>`
    select entity_type as key, count(*) as count from truth_entities where tenant = ${db.tenant} group by entity_type`);

/** Few rows, with an index of their own. */
export const countMerged = (db: Reader) =>
  db.all(sql<CountedRow>`
    select entity_type as key, count(*) as count from truth_entities
    where tenant = ${db.tenant} and merged_into <> '' group by entity_type`);

export const countRoots = (db: Reader) =>
  db.all(sql<CountedRow>`
    select entity_type as key, count(*) as count from truth_entities
    where tenant = ${db.tenant} and merged_into = '' group by entity_type`);

export const countEvents = (db: Reader) =>
  db.all(sql<CountedRow>`
    select event_type as key, count(*) as count from truth_events where tenant = ${db.tenant} group by event_type`);

export const countObservations = (db: Reader) =>
  db.all(sql<CountedRow>`
    select '' as key, count(*) as count from truth_observations where tenant = ${db.tenant}`);

export const countPayloads = (db: Reader) =>
  db.all(sql<CountedRow>`select '' as key, count(*) as count from truth_payloads where tenant = ${db.tenant}`);

export const listTotals = (db: Reader, kind: string) =>
  db.all(sql<CountedRow>`select key, count from truth_totals where tenant = ${db.tenant} and kind = ${kind}`);

export const setTotal = (db: Writer, kind: string, key: string, count: number) =>
  db.run(sql`
    insert into truth_totals (tenant, kind, key, count) values (${db.tenant}, ${kind}, ${key}, ${count})
    on conflict (tenant, kind, key) do update set count = excluded.count`);
