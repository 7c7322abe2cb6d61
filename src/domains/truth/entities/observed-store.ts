import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { joined, list, type Sql, sql } from '#kernel/storage/sql.ts';
import type { SourceKind } from '../observations/observation.ts';

/** What held at one time, as it was known at another. */
export interface Moment {
  readonly at: number;
  /** Inclusive. */
  readonly knownAt: number;
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
  readonly effective_at: number;
  /** Exclusive; null: no end. */
  readonly effective_until: number | null;
  /** When the statement was retracted. */
  readonly retracted_at: number | null;
  readonly origin: string;
  /** JSON; see `ObservationDetails`. */
  readonly details: string;
}

export interface ObservationRow extends ReducerRow {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly schema_version: string;
  readonly source_id: string;
  readonly role: string;
  readonly submission_id: string;
}

/** What few observations have. */
export interface ObservationDetails {
  /** Fields that have no value from here on. */
  readonly ended?: readonly string[];
  readonly until_newer?: true;
  /** Stated precision of the effective times: characters of the ISO 8601 form. */
  readonly at_chars?: number;
  readonly until_chars?: number;
}

const noDetails: ObservationDetails = {};
export const parseDetails = (text: string): ObservationDetails =>
  text === '{}' ? noDetails : (JSON.parse(text) as ObservationDetails);

export const observationHash = defineRowHash<ObservationRow>(
  {
    table: 'truth_observations',
    columns: [
      ...['entity_id', 'observed_at', 'observation_id', 'entity_type', 'schema_version', 'source_kind', 'source_id'],
      ...['role', 'specificity', 'priority', 'created_at', 'fields', 'raw_fragments', 'submission_id', 'effective_at'],
      ...['effective_until', 'retracted_at', 'origin', 'details'],
    ],
    reals: ['specificity'],
  },
  ({ observation_id, entity_id }) => `observation ${observation_id} of ${entity_id}`,
);

export type StoredObservation = ObservationRow & Hashed;

export const observationColumns = sql`entity_id, observed_at, observation_id, entity_type, schema_version, source_kind,
  source_id, role, specificity, priority, created_at, fields, raw_fragments, submission_id, effective_at,
  effective_until, retracted_at, origin, details, row_hash`;

/** Undefined: every observation, whatever its times. */
const inMoment = (moment: Moment | undefined): Sql =>
  moment === undefined
    ? sql`1 = 1`
    : sql`effective_at <= ${moment.at} and (effective_until is null or effective_until > ${moment.at})
      and created_at <= ${moment.knownAt} and (retracted_at is null or retracted_at > ${moment.knownAt})`;

/** When the earliest statement about these entities begins that was recorded by then; null: there is none. */
export const findFirstStart = (db: Reader, entityIds: readonly string[], knownAt: number) =>
  db.get(sql<{ readonly effective_at: number | null }>`
    select min(effective_at) as effective_at from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and created_at <= ${knownAt}
      and (retracted_at is null or retracted_at > ${knownAt})`);

/** One page of an entity's observations, oldest first, after a key. */
export const listReducerRows = (
  db: Reader,
  entityId: string,
  moment: Moment | undefined,
  after: Pick<ReducerRow, 'observed_at' | 'observation_id'>,
  limit: number,
) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select ${observationColumns}
    from truth_observations
    where tenant = ${db.tenant} and entity_id = ${entityId}
      and (observed_at, observation_id) > (${after.observed_at}, ${after.observation_id}) and ${inMoment(moment)}
    order by observed_at, observation_id limit ${limit}`,
  );

/** The same for many entities, unsorted: the reduction does not depend on the order. */
export const listReducerRowsOfMany = (db: Reader, entityIds: readonly string[], moment: Moment | undefined) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select ${observationColumns}
    from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and ${inMoment(moment)}`,
  );

export interface RawFragmentsRow
  extends Pick<ObservationRow, 'entity_id' | 'observed_at' | 'observation_id' | 'raw_fragments'> {
  /** If another version than the asked one accepted them; otherwise empty. */
  readonly other_fields: string;
}

export const listRawFragments = (db: Reader, entityId: string, moment: Moment, version: string, limit: number) =>
  db.all(sql<RawFragmentsRow>`
    select entity_id, observed_at, observation_id, raw_fragments,
      case when schema_version = ${version} then '{}' else fields end as other_fields
    from truth_observations
    where tenant = ${db.tenant} and entity_id = ${entityId} and ${inMoment(moment)}
    order by observed_at desc, observation_id limit ${limit}`);

export const listRawFragmentsOfMany = (
  db: Reader,
  entityIds: readonly string[],
  moment: Moment,
  version: string,
  limit: number,
) =>
  db.all(sql<RawFragmentsRow>`
    select entity_id, observed_at, observation_id, raw_fragments,
      case when schema_version = ${version} then '{}' else fields end as other_fields
    from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and ${inMoment(moment)}
    order by observed_at desc, observation_id limit ${limit}`);

/** The entities of this type that may have raw fragments: a version accepts all fields if it is not given. */
export interface RawSource {
  readonly entityId: string;
  readonly moment: Moment;
  readonly closedVersion: string | undefined;
}

/** The same for several entities, each up to the limit; only rows with fragments. */
export const listRawFragmentsOfEach = (db: Reader, sources: readonly RawSource[], limit: number) => {
  const parts = sources.map(
    ({ entityId, moment, closedVersion }) => sql`
      select * from (
        select entity_id, observed_at, observation_id, raw_fragments,
          ${closedVersion === undefined ? sql`'{}'` : sql`case when schema_version = ${closedVersion} then '{}' else fields end`}
            as other_fields
        from truth_observations
        where tenant = ${db.tenant} and entity_id = ${entityId} and ${inMoment(moment)}
        order by observed_at desc, observation_id limit ${limit}) as part
      where raw_fragments <> '{}' or other_fields <> '{}'`,
  );
  return db.all(sql<RawFragmentsRow>`${joined(parts, ' union all ')}`);
};

export type TimesRow = Pick<ObservationRow, 'effective_at' | 'effective_until' | 'created_at' | 'retracted_at'>;

/** Of the newest observations of each of these entities. */
export const listNewestTimes = (db: Reader, entityIds: readonly string[], limit: number) => {
  const parts = entityIds.map(
    (entityId) => sql`
      select * from (
        select effective_at, effective_until, created_at, retracted_at from truth_observations
        where tenant = ${db.tenant} and entity_id = ${entityId}
        order by observed_at desc, observation_id limit ${limit}) as part`,
  );
  return db.all(sql<TimesRow>`${joined(parts, ' union all ')}`);
};

/** The newest observation of each of these entities that counts at a moment. */
export const findNewestInMoment = (db: Reader, entityIds: readonly string[], moment: Moment) => {
  const parts = entityIds.map(
    (entityId) => sql`
      select * from (
        select ${observationColumns} from truth_observations
        where tenant = ${db.tenant} and entity_id = ${entityId} and ${inMoment(moment)}
        order by observed_at desc, observation_id limit 1) as part`,
  );
  return observationHash.all(db, sql<StoredObservation>`${joined(parts, ' union all ')}`);
};

/** Newest first. */
export const listObservations = (db: Reader, entityId: string, limit: number, offset: number) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select ${observationColumns}
    from truth_observations where tenant = ${db.tenant} and entity_id = ${entityId}
    order by observed_at desc, observation_id limit ${limit} offset ${offset}`,
  );

/** The same for a group, sorted together. */
export const listGroupObservations = (db: Reader, entityIds: readonly string[], limit: number, offset: number) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select ${observationColumns}
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
    select ${observationColumns}
    from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and observed_at in ${list(observedAts)}
      and observation_id in ${list(observationIds)}`,
  );

/** `like` patterns with `\` as escape. */
export interface FieldPattern {
  readonly stated: string;
  readonly ended: string;
}

/** Observations of one entity whose JSON matches, newest first, before a key: a first filter for one field. */
export const listObservationsOfField = (
  db: Reader,
  entityId: string,
  pattern: FieldPattern,
  before: { readonly observedAt: number; readonly observationId: string },
  limit: number,
) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select ${observationColumns}
    from truth_observations
    where tenant = ${db.tenant} and entity_id = ${entityId}
      and (observed_at, observation_id) < (${before.observedAt}, ${before.observationId})
      and (fields like ${pattern.stated} escape '\\' or raw_fragments like ${pattern.stated} escape '\\'
        or details like ${pattern.ended} escape '\\')
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
    sql<CorrectionRow & { readonly actor: string } & Hashed>`
    select correction_id, entity_id, reason, actor, created_at, row_hash from truth_corrections
    where tenant = ${db.tenant} and correction_id in ${list(correctionIds)}`,
  );

/**
 * The observations of one act of stating, in the order of their roles. The keys come first, from the index by source:
 * SQLite would otherwise read all observations of the tenant.
 */
export const listObservationsOfSubmission = (db: Reader, sourceId: string, submissionId: string) =>
  observationHash.all(
    db,
    sql<StoredObservation>`
    select ${observationColumns}
    from (
      select entity_id as of_entity, observed_at as read_at, observation_id as id from truth_observations
      where tenant = ${db.tenant} and source_id = ${sourceId}
    ) k cross join truth_observations o
    where o.tenant = ${db.tenant} and o.entity_id = k.of_entity and o.observed_at = k.read_at
      and o.observation_id = k.id and o.submission_id = ${submissionId}
    order by role`,
  );

/** The statement no longer counts from now on; what was known before stays known. */
export const retractObservation = (db: Writer, row: ObservationRow) =>
  db.run(sql`
    update truth_observations set retracted_at = ${db.now},
      row_hash = ${observationHash.of({ ...row, retracted_at: db.now })}
    where tenant = ${db.tenant} and entity_id = ${row.entity_id} and observed_at = ${row.observed_at}
      and observation_id = ${row.observation_id}`);

/** Only for forgetting. */
export const setCorrectionReason = (db: Writer, row: CorrectionRow) =>
  db.run(sql`
    update truth_corrections set reason = ${row.reason}, row_hash = ${correctionHash.of(row)}
    where tenant = ${db.tenant} and correction_id = ${row.correction_id}`);
