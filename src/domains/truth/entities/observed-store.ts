import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import type { SourceKind } from '../observations/observation.ts';

/** Both bounds are inclusive. */
export interface TimeRange {
  readonly observedAt: number;
  readonly recordedAt: number;
}

/** Only the columns the reducer needs: an entity can have very many observations. */
export interface ReducerRow {
  readonly observed_at: number;
  readonly observation_id: string;
  readonly source_kind: SourceKind;
  readonly specificity: number;
  readonly priority: number;
  readonly created_at: number;
  readonly fields: string;
  readonly raw_fragments: string;
}

export interface ObservationRow extends ReducerRow {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly schema_version: string;
  readonly source_id: string;
  readonly role: string;
}

export const observationHash = defineRowHash<ObservationRow>(
  {
    table: 'truth_observations',
    columns: [
      ...['entity_id', 'observed_at', 'observation_id', 'entity_type', 'schema_version', 'source_kind', 'source_id'],
      ...['role', 'specificity', 'priority', 'created_at', 'fields', 'raw_fragments'],
    ],
    reals: ['specificity'],
  },
  ({ observation_id, entity_id }) => `observation ${observation_id} of ${entity_id}`,
);

export type StoredObservation = ObservationRow & Hashed;

/** One page of an entity's observations, oldest first, after a key. */
export const listReducerRows = (
  db: Reader,
  entityId: string,
  until: TimeRange,
  after: Pick<ReducerRow, 'observed_at' | 'observation_id'>,
  limit: number,
) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select entity_id, observed_at, observation_id, entity_type, schema_version, source_kind, source_id, role, specificity,
      priority, created_at, fields, raw_fragments, row_hash
    from truth_observations
    where tenant = ${db.tenant} and entity_id = ${entityId} and observed_at <= ${until.observedAt}
      and (observed_at, observation_id) > (${after.observed_at}, ${after.observation_id})
      and created_at <= ${until.recordedAt}
    order by observed_at, observation_id limit ${limit}`,
  );

/** The same for many entities, unsorted: the reduction does not depend on the order. */
export const listReducerRowsOfMany = (db: Reader, entityIds: readonly string[], until: TimeRange) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select entity_id, observed_at, observation_id, entity_type, schema_version, source_kind, source_id, role, specificity,
      priority, created_at, fields, raw_fragments, row_hash
    from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and observed_at <= ${until.observedAt}
      and created_at <= ${until.recordedAt}`,
  );

export type RawFragmentsRow = Pick<ObservationRow, 'entity_id' | 'observed_at' | 'observation_id' | 'raw_fragments'>;

export const listRawFragments = (db: Reader, entityId: string, until: TimeRange, limit: number) =>
  db.all(sql<RawFragmentsRow>`
    select entity_id, observed_at, observation_id, raw_fragments from truth_observations
    where tenant = ${db.tenant} and entity_id = ${entityId} and observed_at <= ${until.observedAt}
      and created_at <= ${until.recordedAt}
    order by observed_at desc, observation_id limit ${limit}`);

export const listRawFragmentsOfMany = (db: Reader, entityIds: readonly string[], until: TimeRange, limit: number) =>
  db.all(sql<RawFragmentsRow>`
    select entity_id, observed_at, observation_id, raw_fragments from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and observed_at <= ${until.observedAt}
      and created_at <= ${until.recordedAt}
    order by observed_at desc, observation_id limit ${limit}`);

/** Newest first. */
export const listObservations = (db: Reader, entityId: string, limit: number, offset: number) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select entity_id, observed_at, observation_id, entity_type, schema_version, source_kind, source_id, role, specificity,
      priority, created_at, fields, raw_fragments, row_hash
    from truth_observations where tenant = ${db.tenant} and entity_id = ${entityId}
    order by observed_at desc, observation_id limit ${limit} offset ${offset}`,
  );

/** The same for a group, sorted together. */
export const listGroupObservations = (db: Reader, entityIds: readonly string[], limit: number, offset: number) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select entity_id, observed_at, observation_id, entity_type, schema_version, source_kind, source_id, role, specificity,
      priority, created_at, fields, raw_fragments, row_hash
    from truth_observations where tenant = ${db.tenant} and entity_id in ${list(entityIds)}
    order by observed_at desc, observation_id limit ${limit} offset ${offset}`,
  );

/** The entity ids and times let the query use the primary key. Unsorted. */
export const findObservations = (
  db: Reader,
  entityIds: readonly string[],
  observedAts: readonly number[],
  observationIds: readonly string[],
) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select entity_id, observed_at, observation_id, entity_type, schema_version, source_kind, source_id, role, specificity,
      priority, created_at, fields, raw_fragments, row_hash
    from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and observed_at in ${list(observedAts)}
      and observation_id in ${list(observationIds)}`,
  );

/**
 * Observations of one entity whose JSON contains `pattern`, newest first, before a key: a first filter for one field.
 * `pattern` is a `like` pattern with `\` as escape.
 */
export const listObservationsOfField = (
  db: Reader,
  entityId: string,
  pattern: string,
  before: { readonly observedAt: number; readonly observationId: string },
  limit: number,
) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select entity_id, observed_at, observation_id, entity_type, schema_version, source_kind, source_id, role, specificity,
      priority, created_at, fields, raw_fragments, row_hash
    from truth_observations
    where tenant = ${db.tenant} and entity_id = ${entityId}
      and (observed_at, observation_id) < (${before.observedAt}, ${before.observationId})
      and (fields like ${pattern} escape '\\' or raw_fragments like ${pattern} escape '\\')
    order by observed_at desc, observation_id desc limit ${limit}`,
  );

/** Time of the newest correction of these entities at or after `since`. */
export const findCorrectionSince = (db: Reader, entityIds: readonly string[], since: number) =>
  db.get(sql<{ readonly observed_at: number | null }>`
    select max(observed_at) as observed_at from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and observed_at >= ${since}
      and source_kind = 'correction'`);

export interface CorrectionRow {
  readonly correction_id: string;
  readonly entity_id: string;
  readonly reason: string | null;
  readonly created_at: number;
}

const correctionHash = defineRowHash<CorrectionRow>(
  { table: 'truth_corrections', columns: ['correction_id', 'entity_id', 'reason', 'created_at'] },
  ({ correction_id }) => `correction ${correction_id}`,
);

export const insertCorrection = (db: Writer, row: Omit<CorrectionRow, 'created_at'>, actor: string) =>
  db.run(sql`
    insert into truth_corrections (tenant, correction_id, entity_id, reason, actor, created_at, row_hash)
    values (${db.tenant}, ${row.correction_id}, ${row.entity_id}, ${row.reason}, ${actor}, ${db.now},
      ${correctionHash.of({ ...row, created_at: db.now })})`);

export const findCorrections = (db: Reader, correctionIds: readonly string[]) =>
  correctionHash.all(
    db,
    sql<CorrectionRow & Hashed>`
    select correction_id, entity_id, reason, created_at, row_hash from truth_corrections
    where tenant = ${db.tenant} and correction_id in ${list(correctionIds)}`,
  );
