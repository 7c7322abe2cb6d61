import type { Reader, Writer } from '#kernel/storage/port.ts';
import type { Hashed } from '#kernel/storage/row-hash.ts';
import { joined, list, type Sql, sql } from '#kernel/storage/sql.ts';
import {
  allEntities,
  type EntityRow,
  getEntity,
  type MergeRow,
  mergeHash,
  type StoredEntity,
  stateHash,
} from '../entities/entity-store.ts';

export interface MemberRow {
  readonly entity_id: string;
  /** 0 for the entity itself. */
  readonly depth: number;
}

/** An entity and all entities merged into it, up to `limit`. */
export const listMembers = (db: Reader, entityId: string, limit: number) =>
  db.all(sql<MemberRow>`
    with recursive members (entity_id, depth) as (
      select entity_id, 0 from truth_entities where tenant = ${db.tenant} and entity_id = ${entityId}
      union all
      select e.entity_id, m.depth + 1 from members m cross join truth_entities e
      where e.tenant = ${db.tenant} and e.merged_into = m.entity_id and e.merged_into <> '')
    select entity_id, depth from members limit ${limit}`);

/** Direct children. The inner query reads only ids from the index: for whole rows SQLite would scan the tenant. */
export const listChildren = (db: Reader, entityId: string) =>
  allEntities(
    db,
    sql<StoredEntity>`
    select e.entity_id, e.entity_type, e.canonical_name, e.merged_into, e.root_id, e.observation_count,
      e.last_observed_at, e.last_recorded_at, e.created_at, e.schema_version, e.state, e.next_change_at, e.row_hash,
      e.state_hash
    from truth_entities c
    join truth_entities e on e.tenant = ${db.tenant} and e.entity_id = c.entity_id
    where c.tenant = ${db.tenant} and c.merged_into = ${entityId} and c.merged_into <> ''`,
  );

export const setRoot = (db: Writer, entityIds: readonly string[], rootId: string) =>
  db.run(sql`
    update truth_entities set root_id = ${rootId}
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`);

/** Returns the row locked until the commit. An empty `mergedInto` unmerges. */
export const setMergedInto = (db: Writer, entityId: string, mergedInto: string, rootId: string) =>
  getEntity(
    db,
    sql<StoredEntity>`
    update truth_entities set merged_into = ${mergedInto}, root_id = ${rootId}
    where tenant = ${db.tenant} and entity_id = ${entityId}
    returning entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version, state, next_change_at, row_hash, state_hash`,
  );

/** The same lock without a change. */
export const lockEntity = (db: Writer, entityId: string) =>
  getEntity(
    db,
    sql<StoredEntity>`
    update truth_entities set root_id = root_id where tenant = ${db.tenant} and entity_id = ${entityId}
    returning entity_id, entity_type, canonical_name, merged_into, root_id, observation_count, last_observed_at,
      last_recorded_at, created_at, schema_version, state, next_change_at, row_hash, state_hash`,
  );

export type EntityReduction = Pick<
  EntityRow,
  | 'entity_id'
  | 'observation_count'
  | 'last_observed_at'
  | 'last_recorded_at'
  | 'schema_version'
  | 'state'
  | 'next_change_at'
>;

export const setReduction = (db: Writer, row: EntityReduction) =>
  db.run(sql`
    update truth_entities set observation_count = ${row.observation_count}, last_observed_at = ${row.last_observed_at},
      last_recorded_at = ${row.last_recorded_at}, schema_version = ${row.schema_version}, state = ${row.state},
      next_change_at = ${row.next_change_at}, state_hash = ${stateHash(row)}
    where tenant = ${db.tenant} and entity_id = ${row.entity_id}`);

export const findLastMerge = (db: Reader, sourceId: string) =>
  mergeHash.get(
    db,
    sql<MergeRow & Hashed>`
    select source_entity_id, merged_at, target_entity_id, unmerged_at, row_hash from truth_merges
    where tenant = ${db.tenant} and source_entity_id = ${sourceId} order by merged_at desc limit 1`,
  );

/** Replaces a merge that was undone in the same millisecond, which was never in effect. */
export const insertMerge = (db: Writer, sourceId: string, targetId: string, actor: string, mergedAt: number) =>
  db.run(sql`
    insert into truth_merges (tenant, source_entity_id, merged_at, target_entity_id, actor, unmerged_at, row_hash)
    values (${db.tenant}, ${sourceId}, ${mergedAt}, ${targetId}, ${actor}, null, ${mergeHash.of({
      ...{ source_entity_id: sourceId, merged_at: mergedAt, target_entity_id: targetId, unmerged_at: null },
    })})
    on conflict (tenant, source_entity_id, merged_at) do update set
      target_entity_id = excluded.target_entity_id, actor = excluded.actor, unmerged_at = null,
      row_hash = excluded.row_hash`);

export const endMerge = (db: Writer, merge: MergeRow, unmergedAt: number) =>
  db.run(sql`
    update truth_merges set unmerged_at = ${unmergedAt},
      row_hash = ${mergeHash.of({ ...merge, unmerged_at: unmergedAt })}
    where tenant = ${db.tenant} and source_entity_id = ${merge.source_entity_id} and merged_at = ${merge.merged_at}`);

export interface SharedKeyRow {
  readonly entity_type: string;
  readonly match_key: string;
}

/** After one. */
export const listSharedKeys = (db: Reader, after: SharedKeyRow, limit: number) =>
  db.all(sql<SharedKeyRow>`
    select entity_type, match_key from truth_shared_keys
    where tenant = ${db.tenant} and (entity_type, match_key) > (${after.entity_type}, ${after.match_key})
    order by entity_type, match_key limit ${limit}`);

export const listSharedKeysOfType = (db: Reader, after: SharedKeyRow, limit: number) =>
  db.all(sql<SharedKeyRow>`
    select entity_type, match_key from truth_shared_keys
    where tenant = ${db.tenant} and entity_type = ${after.entity_type} and match_key > ${after.match_key}
    order by match_key limit ${limit}`);

export interface SharedKeyMemberRow {
  readonly place: number;
  readonly root_id: string;
  readonly canonical_name: string;
}

const membersOfKey = (db: Reader, { entity_type, match_key }: SharedKeyRow, place: number, limit: number): Sql => sql`
  select * from (
    select cast(${place} as integer) as place, e.root_id, e.canonical_name from truth_match_keys k
    join truth_entities e on e.tenant = ${db.tenant} and e.entity_id = k.entity_id
    where k.tenant = ${db.tenant} and k.entity_type = ${entity_type} and k.match_key = ${match_key}
    order by k.entity_id limit ${limit}) as part`;

/** The first entities of each key with their groups; `place` is the index of the key. */
export const listMembersOfKeys = (db: Reader, keys: readonly SharedKeyRow[], limit: number) =>
  db.all(sql<SharedKeyMemberRow>`
    select place, root_id, canonical_name from (${joined(
      keys.map((key, place) => membersOfKey(db, key, place, limit)),
      ' union all ',
    )}) as parts
    order by place, root_id, canonical_name`);
