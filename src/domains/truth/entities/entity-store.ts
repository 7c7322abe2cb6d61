import type { Reader, Work } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed, hashRow } from '#kernel/storage/row-hash.ts';
import { joined, list, type Sql, sql } from '#kernel/storage/sql.ts';

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
  /** The state holds until then: a statement begins or ends. Null: until something is written. */
  readonly next_change_at: number | null;
}

/** The part that never changes. */
export const entityHash = defineRowHash<Pick<EntityRow, 'entity_id' | 'entity_type' | 'canonical_name' | 'created_at'>>(
  { table: 'truth_entities', columns: ['entity_id', 'entity_type', 'canonical_name', 'created_at'] },
  ({ entity_id }) => `entity ${entity_id}`,
);

const stateTable = {
  table: 'truth_entities',
  columns: ['entity_id', 'schema_version', 'state', 'next_change_at'],
} as const;

export const stateHash = ({
  entity_id,
  schema_version,
  state,
  next_change_at,
}: Pick<EntityRow, 'entity_id' | 'schema_version' | 'state' | 'next_change_at'>): string =>
  hashRow(stateTable, { entity_id, schema_version, state, next_change_at });

export interface StoredEntity extends EntityRow, Hashed {
  readonly state_hash: string | null;
}

/** The schema version of a damaged state. No schema has it, so the state is reduced from the observations again. */
export const damagedState = '';

/** A damaged entity is rejected. A damaged state is never read: it can be reduced again. */
export function toEntityRow(row: StoredEntity): EntityRow {
  entityHash.check(row);
  const { row_hash: _row, state_hash, ...entity } = row;
  return state_hash === stateHash(row) ? entity : { ...entity, schema_version: damagedState, state: '' };
}

export function* getEntity(db: Reader, query: Sql<StoredEntity>): Work<EntityRow | undefined> {
  const row = yield* db.get(query);
  return row === undefined ? undefined : toEntityRow(row);
}

export function* allEntities(db: Reader, query: Sql<StoredEntity>): Work<readonly EntityRow[]> {
  return (yield* db.all(query)).map(toEntityRow);
}

export const findEntity = (db: Reader, entityId: string) =>
  getEntity(
    db,
    sql<StoredEntity>`
    select entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version, state, next_change_at, row_hash, state_hash
    from truth_entities where tenant = ${db.tenant} and entity_id = ${entityId}`,
  );

/** Unsorted. */
export const findEntities = (db: Reader, entityIds: readonly string[]) =>
  allEntities(
    db,
    sql<StoredEntity>`
    select entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version, state, next_change_at, row_hash, state_hash
    from truth_entities where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`,
  );

/** Unsorted. */
export const findEntityHeads = (db: Reader, entityIds: readonly string[]) =>
  entityHash.all(
    db,
    sql<EntityHead & Hashed>`
    select entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version, row_hash
    from truth_entities where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`,
  );

/** An item whose stored state no longer holds. */
export interface DueRow {
  readonly id: string;
  readonly next_change_at: number;
}

export const listDueEntities = (db: Reader, now: number, after: DueRow, limit: number) =>
  db.all(sql<DueRow>`
    select entity_id as id, next_change_at from truth_entities
    where tenant = ${db.tenant} and next_change_at is not null and next_change_at <= ${now}
      and (next_change_at, entity_id) > (${after.next_change_at}, ${after.id})
    order by next_change_at, entity_id limit ${limit}`);

interface CountRow {
  readonly count: number;
}

export const findEntityTotal = (db: Reader, type: string) =>
  db.get(sql<CountRow>`
    select count from truth_totals where tenant = ${db.tenant} and kind = 'entities' and key = ${type}`);

/** One row per type, and there are few types. */
export const listEntityTotals = (db: Reader) =>
  db.all(sql<CountRow & { readonly key: string }>`
    select key, count from truth_totals where tenant = ${db.tenant} and kind = 'entities'`);

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

export interface MergeRow {
  readonly source_entity_id: string;
  readonly merged_at: number;
  readonly target_entity_id: string;
  readonly unmerged_at: number | null;
}

export const mergeHash = defineRowHash<MergeRow>(
  { table: 'truth_merges', columns: ['source_entity_id', 'merged_at', 'target_entity_id', 'unmerged_at'] },
  ({ source_entity_id, target_entity_id }) => `the merge of ${source_entity_id} into ${target_entity_id}`,
);

/** The group according to the merges in effect at that time. */
export function* listGroupKnownAt(db: Reader, entityId: string, knownAt: number): Work<readonly IdRow[]> {
  const members = yield* db.all(sql<IdRow>`
    with recursive members (entity_id) as (
      select entity_id from truth_entities where tenant = ${db.tenant} and entity_id = ${entityId}
      union
      select g.source_entity_id from members m cross join truth_merges g
      where g.tenant = ${db.tenant} and g.target_entity_id = m.entity_id and g.merged_at <= ${knownAt} and (g.unmerged_at is null or g.unmerged_at > ${knownAt})
    )
    select entity_id from members`);
  if (members.length > 1) yield* listMerges(db, idsOf(members));
  return members;
}

const idsOf = (rows: readonly IdRow[]): readonly string[] => rows.map(({ entity_id }) => entity_id);

/** Checks them. */
const listMerges = (db: Reader, sourceIds: readonly string[]) =>
  mergeHash.all(
    db,
    sql<MergeRow & Hashed>`
    select source_entity_id, merged_at, target_entity_id, unmerged_at, row_hash from truth_merges
    where tenant = ${db.tenant} and source_entity_id in ${list(sourceIds)}`,
  );

export const findTargetKnownAt = (db: Reader, entityId: string, knownAt: number) =>
  mergeHash.get(
    db,
    sql<MergeRow & Hashed>`
    select source_entity_id, merged_at, target_entity_id, unmerged_at, row_hash from truth_merges
    where tenant = ${db.tenant} and source_entity_id = ${entityId} and merged_at <= ${knownAt}
      and (unmerged_at is null or unmerged_at > ${knownAt})
    order by merged_at desc limit 1`,
  );

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

export interface WantedIdentifier {
  readonly type: string;
  readonly identifiers: readonly string[];
}

export interface PlacedRow extends RootRow {
  /** Index of what was wanted. */
  readonly place: number;
}

/** Of each, up to `limit` entities that have one of the identifiers. */
export const listEntitiesByIdentifiers = (db: Reader, wanted: readonly WantedIdentifier[], limit: number) => {
  const parts = wanted.map(
    ({ type, identifiers }, place) => sql`
      select * from (
        select distinct cast(${place} as integer) as place, i.entity_id, e.root_id from truth_identifiers i
        join truth_entities e on e.tenant = ${db.tenant} and e.entity_id = i.entity_id
        where i.tenant = ${db.tenant} and i.identifier in ${list(identifiers)} and i.entity_type = ${type}
        limit ${limit}) as part`,
  );
  return db.all(sql<PlacedRow>`${joined(parts, ' union all ')}`);
};

/** Everything that these entities are merged into. */
export const listAncestors = (db: Reader, entityIds: readonly string[]) =>
  db.all(sql<IdRow>`
    with recursive above (entity_id) as (
      select merged_into from truth_entities
      where tenant = ${db.tenant} and entity_id in ${list(entityIds)} and merged_into <> ''
      union
      select e.merged_into from above a cross join truth_entities e
      where e.tenant = ${db.tenant} and e.entity_id = a.entity_id and e.merged_into <> ''
    )
    select entity_id from above`);
