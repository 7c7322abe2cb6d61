import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import type { SourceKind } from '../observations/observation.ts';

/** An entity without its state. Counts include all entities merged into it. */
export interface EntityHead {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly canonical_name: string;
  /** Empty if not merged. */
  readonly merged_into: string;
  readonly root_id: string;
  readonly observation_count: number;
  readonly last_observed_at: number;
  readonly last_recorded_at: number;
  readonly created_at: number;
  /** The schema version that `state` was reduced with. */
  readonly schema_version: string;
}

export interface EntityRow extends EntityHead {
  /** Written by `printState`. */
  readonly state: string;
}

export const findEntity = (db: Reader, entityId: string) =>
  db.get(sql<EntityRow>`
    select entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version, state
    from truth_entities where tenant = ${db.tenant} and entity_id = ${entityId}`);

/** Unsorted. */
export const findEntities = (db: Reader, entityIds: readonly string[]) =>
  db.all(sql<EntityRow>`
    select entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version, state
    from truth_entities where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`);

/** Unsorted. */
export const findEntityHeads = (db: Reader, entityIds: readonly string[]) =>
  db.all(sql<EntityHead>`
    select entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version
    from truth_entities where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`);

export const listRoots = (db: Reader, limit: number, offset: number) =>
  db.all(sql<EntityHead>`
    select entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version
    from truth_entities where tenant = ${db.tenant} and merged_into = ''
    order by created_at desc, entity_id limit ${limit} offset ${offset}`);

export const listRootsOfType = (db: Reader, type: string, limit: number, offset: number) =>
  db.all(sql<EntityHead>`
    select entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version
    from truth_entities where tenant = ${db.tenant} and entity_type = ${type} and merged_into = ''
    order by created_at desc, entity_id limit ${limit} offset ${offset}`);

interface CountRow {
  readonly count: number;
}

export const findEntityTotal = (db: Reader, type: string) =>
  db.get(sql<CountRow>`
    select count from truth_totals where tenant = ${db.tenant} and kind = 'entities' and key = ${type}`);

/** One row per type, and there are few types. */
export const listEntityTotals = (db: Reader) =>
  db.all(sql<CountRow>`select count from truth_totals where tenant = ${db.tenant} and kind = 'entities'`);

interface IdRow {
  readonly entity_id: string;
}

/** The entity and all entities merged into it now. */
export const listGroup = (db: Reader, entityId: string) =>
  db.all(sql<IdRow>`
    with recursive members (entity_id) as (
      select entity_id from truth_entities where tenant = ${db.tenant} and entity_id = ${entityId}
      union
      select e.entity_id from members m cross join truth_entities e
      where e.tenant = ${db.tenant} and e.merged_into = m.entity_id and e.merged_into <> ''
    )
    select entity_id from members`);

/** The group according to the merges in effect at that time. */
export const listGroupKnownAt = (db: Reader, entityId: string, knownAt: number) =>
  db.all(sql<IdRow>`
    with recursive members (entity_id) as (
      select entity_id from truth_entities where tenant = ${db.tenant} and entity_id = ${entityId}
      union
      select g.source_entity_id from members m cross join truth_merges g
      where g.tenant = ${db.tenant} and g.target_entity_id = m.entity_id and g.merged_at <= ${knownAt} and (g.unmerged_at is null or g.unmerged_at > ${knownAt})
    )
    select entity_id from members`);

export const findTargetKnownAt = (db: Reader, entityId: string, knownAt: number) =>
  db.get(sql<{ readonly target_entity_id: string }>`
    select target_entity_id from truth_merges
    where tenant = ${db.tenant} and source_entity_id = ${entityId} and merged_at <= ${knownAt}
      and (unmerged_at is null or unmerged_at > ${knownAt})
    order by merged_at desc limit 1`);

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

/** One page of an entity's observations, oldest first, after a key. */
export const listReducerRows = (
  db: Reader,
  entityId: string,
  until: TimeRange,
  after: Pick<ReducerRow, 'observed_at' | 'observation_id'>,
  limit: number,
) =>
  db.all(sql<ReducerRow>`
    select observed_at, observation_id, source_kind, specificity, priority, created_at, fields, raw_fragments
    from truth_observations
    where tenant = ${db.tenant} and entity_id = ${entityId} and observed_at <= ${until.observedAt}
      and (observed_at, observation_id) > (${after.observed_at}, ${after.observation_id})
      and created_at <= ${until.recordedAt}
    order by observed_at, observation_id limit ${limit}`);

/** The same for many entities, unsorted: the reduction does not depend on the order. */
export const listReducerRowsOfMany = (db: Reader, entityIds: readonly string[], until: TimeRange) =>
  db.all(sql<ReducerRow>`
    select observed_at, observation_id, source_kind, specificity, priority, created_at, fields, raw_fragments
    from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and observed_at <= ${until.observedAt}
      and created_at <= ${until.recordedAt}`);

export type RawFragmentsRow = Pick<ReducerRow, 'source_kind' | 'raw_fragments'>;

export const listRawFragments = (db: Reader, entityId: string, until: TimeRange, limit: number) =>
  db.all(sql<RawFragmentsRow>`
    select source_kind, raw_fragments from truth_observations
    where tenant = ${db.tenant} and entity_id = ${entityId} and observed_at <= ${until.observedAt}
      and created_at <= ${until.recordedAt}
    order by observed_at desc, observation_id limit ${limit}`);

export const listRawFragmentsOfMany = (db: Reader, entityIds: readonly string[], until: TimeRange, limit: number) =>
  db.all(sql<RawFragmentsRow>`
    select source_kind, raw_fragments from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and observed_at <= ${until.observedAt}
      and created_at <= ${until.recordedAt}
    order by observed_at desc, observation_id limit ${limit}`);

export interface ObservationRow extends ReducerRow {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly schema_version: string;
  readonly source_id: string;
  readonly role: string;
}

/** Newest first. */
export const listObservations = (db: Reader, entityId: string, limit: number, offset: number) =>
  db.all(sql<ObservationRow>`
    select entity_id, observed_at, observation_id, entity_type, schema_version, source_kind, source_id, role, specificity,
      priority, created_at, fields, raw_fragments
    from truth_observations where tenant = ${db.tenant} and entity_id = ${entityId}
    order by observed_at desc, observation_id limit ${limit} offset ${offset}`);

/** The same for a group, sorted together. */
export const listGroupObservations = (db: Reader, entityIds: readonly string[], limit: number, offset: number) =>
  db.all(sql<ObservationRow>`
    select entity_id, observed_at, observation_id, entity_type, schema_version, source_kind, source_id, role, specificity,
      priority, created_at, fields, raw_fragments
    from truth_observations where tenant = ${db.tenant} and entity_id in ${list(entityIds)}
    order by observed_at desc, observation_id limit ${limit} offset ${offset}`);

/** The entity ids and times let the query use the primary key. Unsorted. */
export const findObservations = (
  db: Reader,
  entityIds: readonly string[],
  observedAts: readonly number[],
  observationIds: readonly string[],
) =>
  db.all(sql<ObservationRow>`
    select entity_id, observed_at, observation_id, entity_type, schema_version, source_kind, source_id, role, specificity,
      priority, created_at, fields, raw_fragments
    from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and observed_at in ${list(observedAts)}
      and observation_id in ${list(observationIds)}`);

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
  db.all(sql<ObservationRow>`
    select entity_id, observed_at, observation_id, entity_type, schema_version, source_kind, source_id, role, specificity,
      priority, created_at, fields, raw_fragments
    from truth_observations
    where tenant = ${db.tenant} and entity_id = ${entityId}
      and (observed_at, observation_id) < (${before.observedAt}, ${before.observationId})
      and (fields like ${pattern} escape '\\' or raw_fragments like ${pattern} escape '\\')
    order by observed_at desc, observation_id desc limit ${limit}`);

/** Time of the newest correction of these entities at or after `since`. */
export const findCorrectionSince = (db: Reader, entityIds: readonly string[], since: number) =>
  db.get(sql<{ readonly observed_at: number | null }>`
    select max(observed_at) as observed_at from truth_observations
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and observed_at >= ${since}
      and source_kind = 'correction'`);

export interface RootRow extends IdRow {
  readonly root_id: string;
}

/** Unsorted. */
export const findRoots = (db: Reader, entityIds: readonly string[]) =>
  db.all(sql<RootRow>`
    select entity_id, root_id from truth_entities
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`);

export const listEntitiesByIdentifier = (db: Reader, identifiers: readonly string[], limit: number) =>
  db.all(sql<RootRow>`
    select distinct i.entity_id, e.root_id from truth_identifiers i
    join truth_entities e on e.tenant = ${db.tenant} and e.entity_id = i.entity_id
    where i.tenant = ${db.tenant} and i.identifier in ${list(identifiers)}
    limit ${limit}`);

export const listEntitiesByIdentifierOfType = (
  db: Reader,
  identifiers: readonly string[],
  type: string,
  limit: number,
) =>
  db.all(sql<RootRow>`
    select distinct i.entity_id, e.root_id from truth_identifiers i
    join truth_entities e on e.tenant = ${db.tenant} and e.entity_id = i.entity_id
    where i.tenant = ${db.tenant} and i.identifier in ${list(identifiers)} and i.entity_type = ${type}
    limit ${limit}`);

export interface CorrectionRow {
  readonly correction_id: string;
  readonly entity_id: string;
  readonly reason: string | null;
  readonly created_at: number;
}

export const insertCorrection = (db: Writer, row: Omit<CorrectionRow, 'created_at'>, actor: string) =>
  db.run(sql`
    insert into truth_corrections (tenant, correction_id, entity_id, reason, actor, created_at)
    values (${db.tenant}, ${row.correction_id}, ${row.entity_id}, ${row.reason}, ${actor}, ${db.now})`);

export const findCorrections = (db: Reader, correctionIds: readonly string[]) =>
  db.all(sql<CorrectionRow>`
    select correction_id, entity_id, reason, created_at from truth_corrections
    where tenant = ${db.tenant} and correction_id in ${list(correctionIds)}`);
