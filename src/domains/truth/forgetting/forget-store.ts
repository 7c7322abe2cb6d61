import type { Reader, Writer } from '#kernel/storage/port.ts';
import type { Hashed } from '#kernel/storage/row-hash.ts';
import { list, type Sql, sql, values } from '#kernel/storage/sql.ts';
import { entityHash } from '../entities/entity-store.ts';
import {
  type ObservationRow,
  observationColumns,
  observationHash,
  type StoredObservation,
} from '../entities/observed-store.ts';
import type { SourceKind } from '../observations/observation.ts';

export interface SourceRow {
  readonly source_kind: SourceKind;
  readonly source_id: string;
}

/** The sources that state something about these entities. */
export const listSources = (db: Reader, entityIds: readonly string[], limit: number) =>
  db.all(sql<SourceRow>`
    select distinct source_kind, source_id from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} order by source_kind, source_id limit ${limit}`);

export type FieldsRow = Pick<
  ObservationRow,
  'entity_id' | 'observed_at' | 'observation_id' | 'fields' | 'raw_fragments'
>;

/** Without a check: what is damaged is forgotten too. */
export const listFields = (db: Reader, entityId: string, after: FieldsRow | undefined, limit: number) =>
  db.all(sql<FieldsRow>`
    select entity_id, observed_at, observation_id, fields, raw_fragments from truth_observations
    where tenant = ${db.tenant} and entity_id = ${entityId}
      and (observed_at, observation_id) > (${after?.observed_at ?? Number.MIN_SAFE_INTEGER}, ${after?.observation_id ?? ''})
    order by observed_at, observation_id limit ${limit}`);

/**
 * Everything that these sources state, without a check. The keys come first, from the index by source: SQLite would
 * otherwise read all observations of the tenant.
 */
export const listStatedBy = (db: Reader, sourceIds: readonly string[]) =>
  db.all(sql<ObservationRow>`
    select ${observationColumns}
    from (
      select entity_id as of_entity, observed_at as read_at, observation_id as id from truth_observations
      where tenant = ${db.tenant} and source_id in ${list(sourceIds)}
    ) k cross join truth_observations o
    where o.tenant = ${db.tenant} and o.entity_id = k.of_entity and o.observed_at = k.read_at
      and o.observation_id = k.id`);

export const deleteObservationsOf = (db: Writer, entityIds: readonly string[]) =>
  db.run(sql`delete from truth_observations where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`);

export type ObservationKey = Pick<ObservationRow, 'entity_id' | 'observed_at' | 'observation_id'>;

export const deleteObservations = (db: Writer, rows: readonly ObservationKey[]) =>
  db.run(sql`
    with given (entity_id, observed_at, observation_id) as (
      values ${values(rows.map((row) => [row.entity_id, row.observed_at, row.observation_id]))})
    delete from truth_observations where tenant = ${db.tenant} and (entity_id, observed_at, observation_id) in (
      select entity_id, cast(observed_at as bigint), observation_id from given)`);

export const setStated = (db: Writer, rows: readonly ObservationRow[]) =>
  db.run(sql`
    with given (entity_id, observed_at, observation_id, fields, raw_fragments, row_hash) as (
      values ${values(
        rows.map((row) => [
          ...[row.entity_id, row.observed_at, row.observation_id, row.fields, row.raw_fragments],
          observationHash.of(row),
        ]),
      )})
    update truth_observations set fields = given.fields, raw_fragments = given.raw_fragments, row_hash = given.row_hash
    from given where truth_observations.tenant = ${db.tenant} and truth_observations.entity_id = given.entity_id
      and truth_observations.observed_at = cast(given.observed_at as bigint)
      and truth_observations.observation_id = given.observation_id`);

export const findStated = (db: Reader, rows: readonly ObservationKey[]) =>
  db.all(sql<StoredObservation>`
    with given (of_entity, read_at, id) as (
      values ${values(rows.map((row) => [row.entity_id, row.observed_at, row.observation_id]))})
    select ${observationColumns} from given cross join truth_observations o
    where o.tenant = ${db.tenant} and o.entity_id = given.of_entity and o.observed_at = cast(given.read_at as bigint)
      and o.observation_id = given.id`);

/** Entities of which nothing is stated any more, among these. */
export const findUnstated = (db: Reader, entityIds: readonly string[]) =>
  db.all(sql<{ readonly entity_id: string }>`
    select e.entity_id from truth_entities e
    where e.tenant = ${db.tenant} and e.entity_id in ${list(entityIds)} and e.merged_into = ''
      and not exists (select 1 from truth_observations o where o.tenant = ${db.tenant} and o.entity_id = e.entity_id)
      and not exists (
        select 1 from truth_entities c where c.tenant = ${db.tenant} and c.merged_into = e.entity_id
          and c.merged_into <> '')`);

interface TypedId {
  readonly entity_type: string;
  readonly merged_into: string;
}

export const deleteEntities = (db: Writer, entityIds: readonly string[]) =>
  db.all(sql<TypedId>`
    delete from truth_entities where tenant = ${db.tenant} and entity_id in ${list(entityIds)}
    returning entity_type, merged_into`);

/** Reads all of the tenant: the rows are in the order of the names. */
export const deleteIdentifiersOf = (db: Writer, entityIds: readonly string[]) =>
  db.run(sql`delete from truth_identifiers where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`);

export interface KeyRow {
  readonly entity_type: string;
  readonly match_key: string;
}

export const deleteMatchKeysOf = (db: Writer, entityIds: readonly string[]) =>
  db.all(sql<KeyRow>`
    delete from truth_match_keys where tenant = ${db.tenant} and entity_id in ${list(entityIds)}
    returning entity_type, match_key`);

/** Pairs of similar names are keys of two entities and contain both ids. */
export const deletePairsWith = (db: Writer, entityId: string) => {
  const pattern = `%${entityId}%`;
  return db.all(sql<KeyRow>`
    delete from truth_match_keys where tenant = ${db.tenant} and match_key like ${pattern}
    returning entity_type, match_key`);
};

/** Of these, the keys that fewer than two entities have. */
export const deleteUnshared = (db: Writer, keys: readonly KeyRow[]) =>
  db.run(sql`
    with given (entity_type, match_key) as (
      values ${values(keys.map(({ entity_type, match_key }) => [entity_type, match_key]))})
    delete from truth_shared_keys where tenant = ${db.tenant}
      and (entity_type, match_key) in (select entity_type, match_key from given)
      and (select count(*) from truth_match_keys k where k.tenant = ${db.tenant}
        and k.entity_type = truth_shared_keys.entity_type and k.match_key = truth_shared_keys.match_key) < 2`);

export interface IdentifierRow {
  readonly identifier: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly field: string;
}

export const deleteIdentifiers = (db: Writer, rows: readonly IdentifierRow[]) =>
  db.run(sql`
    with given (identifier, entity_type, entity_id, field) as (
      values ${values(rows.map((row) => [row.identifier, row.entity_type, row.entity_id, row.field]))})
    delete from truth_identifiers where tenant = ${db.tenant}
      and (identifier, entity_type, entity_id, field) in (select identifier, entity_type, entity_id, field from given)`);

export const deleteMatchKeys = (db: Writer, rows: readonly (KeyRow & { readonly entity_id: string })[]) =>
  db.run(sql`
    with given (entity_type, match_key, entity_id) as (
      values ${values(rows.map((row) => [row.entity_type, row.match_key, row.entity_id]))})
    delete from truth_match_keys where tenant = ${db.tenant}
      and (entity_type, match_key, entity_id) in (select entity_type, match_key, entity_id from given)`);

interface EventTypeRow {
  readonly event_type: string;
}

/** Reads all of the tenant. */
export const deleteEventsOf = (db: Writer, entityIds: readonly string[]) =>
  db.all(sql<EventTypeRow>`
    delete from truth_events where tenant = ${db.tenant} and entity_id in ${list(entityIds)} returning event_type`);

export const deleteEvents = (db: Writer, rows: readonly { readonly event_at: number; readonly event_id: string }[]) =>
  db.all(sql<EventTypeRow>`
    with given (event_at, event_id) as (values ${values(rows.map((row) => [row.event_at, row.event_id]))})
    delete from truth_events where tenant = ${db.tenant}
      and (event_at, event_id) in (select cast(event_at as bigint), event_id from given) returning event_type`);

export interface EndsRow {
  readonly relationship_id: string;
  readonly source_root_id: string;
  readonly target_root_id: string;
}

/** Edges of a root, deleted ones too. */
export const listEdgesOf = (db: Reader, rootId: string) =>
  db.all(sql<EndsRow>`
    select relationship_id, source_root_id, target_root_id from truth_relationships
    where tenant = ${db.tenant} and relationship_id in (
      select relationship_id from truth_relationships where tenant = ${db.tenant} and source_root_id = ${rootId}
      union select relationship_id from truth_relationships where tenant = ${db.tenant} and target_root_id = ${rootId})`);

export interface EdgeSourceRow {
  readonly relationship_id: string;
  readonly source_kind: string;
  readonly source_id: string | null;
  readonly submission_id: string | null;
}

export const listEdgeSources = (db: Reader, relationshipIds: readonly string[]) =>
  db.all(sql<EdgeSourceRow>`
    select distinct relationship_id, source_kind, source_id, submission_id from truth_relationship_statements
    where tenant = ${db.tenant} and relationship_id in ${list(relationshipIds)}`);

/** Edges that these submissions or records state. */
export const listEdgesStatedBy = (db: Reader, submissionIds: readonly string[]) =>
  db.all(sql<EdgeSourceRow>`
    select distinct relationship_id, source_kind, source_id, submission_id from truth_relationship_statements
    where tenant = ${db.tenant} and submission_id in ${list(submissionIds)} and submission_id is not null`);

export const deleteEdges = (db: Writer, relationshipIds: readonly string[]) =>
  db.run(
    sql`delete from truth_relationships where tenant = ${db.tenant} and relationship_id in ${list(relationshipIds)}`,
  );

export const deleteStatementsOf = (db: Writer, relationshipIds: readonly string[]) =>
  db.run(sql`
    delete from truth_relationship_statements
    where tenant = ${db.tenant} and relationship_id in ${list(relationshipIds)}`);

export const deleteStatementsBy = (db: Writer, submissionIds: readonly string[]) =>
  db.run(sql`
    delete from truth_relationship_statements
    where tenant = ${db.tenant} and submission_id in ${list(submissionIds)} and submission_id is not null`);

export const deleteMergesOf = (db: Writer, entityIds: readonly string[]) =>
  db.run(sql`
    delete from truth_merges where tenant = ${db.tenant}
      and (source_entity_id in ${list(entityIds)} or target_entity_id in ${list(entityIds)})`);

export const deleteContradictionsOf = (db: Writer, entityIds: readonly string[]) =>
  db.all(sql<{ readonly contradiction_id: string }>`
    delete from truth_contradictions where tenant = ${db.tenant}
      and (entity_id in ${list(entityIds)} or other_entity_id in ${list(entityIds)})
    returning contradiction_id`);

/** Contradictions about statements that no longer exist. */
export const deleteContradictionsBetween = (
  db: Writer,
  observationIds: readonly string[],
  fields: readonly string[] | undefined,
) => {
  const ofFields: Sql = fields === undefined ? sql`1 = 1` : sql`field in ${list(fields)}`;
  return db.all(sql<{ readonly contradiction_id: string }>`
    delete from truth_contradictions where tenant = ${db.tenant} and ${ofFields}
      and (observation_id in ${list(observationIds)} or other_observation_id in ${list(observationIds)})
    returning contradiction_id`);
};

export const deleteCorrections = (db: Writer, correctionIds: readonly string[]) =>
  db.run(sql`delete from truth_corrections where tenant = ${db.tenant} and correction_id in ${list(correctionIds)}`);

export const deleteRetractions = (db: Writer, targetIds: readonly string[]) =>
  db.run(sql`delete from truth_retractions where tenant = ${db.tenant} and target_id in ${list(targetIds)}`);

export const deletePayloads = (db: Writer, payloadIds: readonly string[]) =>
  db.run(sql`delete from truth_payloads where tenant = ${db.tenant} and payload_id in ${list(payloadIds)}`);

export const deleteSubmissions = (db: Writer, submissionIds: readonly string[]) =>
  db.run(sql`delete from truth_submissions where tenant = ${db.tenant} and submission_id in ${list(submissionIds)}`);

export const deleteTrashed = (db: Writer, topic: string, ids: readonly string[]) =>
  db.run(sql`delete from trash where tenant = ${db.tenant} and topic = ${topic} and id in ${list(ids)}`);

export const countFileUsers = (
  db: Reader,
  fileUrl: string,
  withoutPayloads: readonly string[],
  withoutRecords: readonly string[],
) => {
  const pattern = `%${fileUrl}%`;
  return db.get(sql<{ readonly count: number }>`
    select (select count(*) from truth_payloads where tenant = ${db.tenant} and payload_id not in ${list(withoutPayloads)}
        and (file_urls like ${pattern} or source_refs like ${pattern}))
      + (select count(*) from truth_records where tenant = ${db.tenant} and record_id not in ${list(withoutRecords)}
        and file_urls like ${pattern}) as count`);
};

export const findFilesOfRecords = (db: Reader, recordIds: readonly string[]) =>
  db.all(sql<{ readonly bucket: string; readonly sha256: string }>`
    select bucket, sha256 from truth_files where tenant = ${db.tenant} and record_id in ${list(recordIds)}`);

type NamedRow = {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly canonical_name: string;
  readonly created_at: number;
};

export const findNames = (db: Reader, entityIds: readonly string[]) =>
  db.all(sql<NamedRow & Hashed>`
    select entity_id, entity_type, canonical_name, created_at, row_hash from truth_entities
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`);

export const setName = (db: Writer, row: NamedRow) =>
  db.run(sql`
    update truth_entities set canonical_name = ${row.canonical_name}, row_hash = ${entityHash.of(row)}
    where tenant = ${db.tenant} and entity_id = ${row.entity_id}`);

export interface DatedId {
  readonly id: string;
  readonly created_at: number;
}

/** All, in the order of their ids, after one. */
export const listEntityIds = (db: Reader, after: string, limit: number) =>
  db.all(sql<DatedId>`
    select entity_id as id, created_at from truth_entities
    where tenant = ${db.tenant} and entity_id > ${after} order by entity_id limit ${limit}`);

export const listContentIds = (db: Reader, after: string, limit: number) =>
  db.all(sql<DatedId>`
    select content_id as id, created_at from truth_payloads
    where tenant = ${db.tenant} and content_id > ${after} order by content_id limit ${limit}`);

export const listRecordIds = (db: Reader, after: string, limit: number) =>
  db.all(sql<DatedId>`
    select record_id as id, created_at from truth_records
    where tenant = ${db.tenant} and record_id > ${after} order by record_id limit ${limit}`);
