import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { joined, list, type Sql, sql } from '#kernel/storage/sql.ts';
import { type RelationshipType, relationshipTypes } from '../truth-vocabulary.ts';

/**
 * Blocks other writers of these types until the commit, so that two of them cannot close a cycle together. Locks in a
 * fixed order to avoid deadlocks.
 */
export function* lockEdges(db: Writer, types: readonly RelationshipType[]): Work<void> {
  for (const type of relationshipTypes) {
    if (types.includes(type)) yield* db.lock(`relationships:${type}`);
  }
}

export interface EdgeRow {
  readonly relationship_id: string;
  readonly relationship_type: RelationshipType;
  /** The ends as given. */
  readonly source_entity_id: string;
  readonly target_entity_id: string;
  /** The current roots of the ends. */
  readonly source_root_id: string;
  readonly target_root_id: string;
  readonly created_at: number;
  readonly metadata: string | null;
}

export interface CountRow {
  readonly count: number;
}

/** Edges of one type on one side of a root. Edges inside a group are never selected. */
export interface EdgeSelector {
  readonly rootId: string;
  readonly side: 'out' | 'in';
  readonly type: RelationshipType;
}

/** Without the roots, which follow the merges. */
type HashedEdge = Omit<EdgeRow, 'source_root_id' | 'target_root_id'>;

const rowHash = defineRowHash<HashedEdge>(
  {
    table: 'truth_relationships',
    columns: [
      ...['relationship_id', 'relationship_type', 'source_entity_id', 'target_entity_id', 'created_at', 'metadata'],
    ],
  },
  ({ relationship_id }) => `relationship ${relationship_id}`,
);

export const findEdge = (db: Reader, relationshipId: string) =>
  rowHash.get(
    db,
    sql<EdgeRow & Hashed>`
    select relationship_id, relationship_type, source_entity_id, target_entity_id, source_root_id, target_root_id,
      created_at, metadata, row_hash
    from truth_relationships where tenant = ${db.tenant} and relationship_id = ${relationshipId}`,
  );

/** Inserts nothing if it exists. */
export const insertEdge = (db: Writer, row: EdgeRow) =>
  db.run(sql`
    insert into truth_relationships (tenant, relationship_id, relationship_type, source_entity_id, target_entity_id,
      source_root_id, target_root_id, created_at, metadata, row_hash)
    values (${db.tenant}, ${row.relationship_id}, ${row.relationship_type}, ${row.source_entity_id},
      ${row.target_entity_id}, ${row.source_root_id}, ${row.target_root_id}, ${row.created_at}, ${row.metadata},
      ${rowHash.of(row)})
    on conflict do nothing`);

export const unionOf = (parts: readonly Sql[]): Sql => joined(parts, ' union all ');

/** Reads an index in order up to the limit, no matter how many edges there are. */
const newestOf = (db: Reader, { rootId, side, type }: EdgeSelector, limit: number): Sql =>
  side === 'out'
    ? sql`
      select * from (
        select relationship_id, created_at from truth_relationships
        where tenant = ${db.tenant} and source_root_id = ${rootId} and relationship_type = ${type}
          and target_root_id <> ${rootId}
        order by created_at desc, relationship_id limit ${limit}) as part`
    : sql`
      select * from (
        select relationship_id, created_at from truth_relationships
        where tenant = ${db.tenant} and target_root_id = ${rootId} and relationship_type = ${type}
          and source_root_id <> ${rootId}
        order by created_at desc, relationship_id limit ${limit}) as part`;

/** Newest first. An edge between two of the roots appears once. */
export const listEdges = (db: Reader, selectors: readonly EdgeSelector[], limit: number, offset = 0) =>
  rowHash.all(
    db,
    sql<EdgeRow & Hashed>`
    select r.relationship_id, r.relationship_type, r.source_entity_id, r.target_entity_id, r.source_root_id,
      r.target_root_id, r.created_at, r.metadata, r.row_hash
    from (
      select distinct relationship_id, created_at from (${unionOf(selectors.map((selector) => newestOf(db, selector, limit + offset)))}) as parts
      order by created_at desc, relationship_id limit ${limit} offset ${offset}) as page
    join truth_relationships r on r.tenant = ${db.tenant} and r.relationship_id = page.relationship_id
    order by r.created_at desc, r.relationship_id`,
  );

/**
 * Without statistics SQLite would scan all edges of the tenant instead of fetching rows through an index. So `k` reads
 * only indexed columns, and `r` fetches the rows by key.
 */
const anyOf = (db: Reader, { rootId, side, type }: EdgeSelector, limit: number): Sql =>
  side === 'out'
    ? sql`
      select * from (
        select 1 as one from truth_relationships k cross join truth_relationships r
        where k.tenant = ${db.tenant} and k.source_root_id = ${rootId} and k.relationship_type = ${type}
          and r.tenant = ${db.tenant} and r.relationship_id = k.relationship_id and r.target_root_id <> ${rootId}
        limit ${limit}) as part`
    : sql`
      select * from (
        select 1 as one from truth_relationships k cross join truth_relationships r
        where k.tenant = ${db.tenant} and k.target_root_id = ${rootId} and k.relationship_type = ${type}
          and r.tenant = ${db.tenant} and r.relationship_id = k.relationship_id and r.source_root_id <> ${rootId}
        limit ${limit}) as part`;

/** Up to `limit`. */
export const countEdges = (db: Reader, selectors: readonly EdgeSelector[], limit: number) =>
  db.get(sql<CountRow>`
    select count(*) as count from (
      select one from (${unionOf(selectors.map((selector) => anyOf(db, selector, limit)))}) as parts limit ${limit}) as counted`);

export interface ReachRow {
  readonly visited: number;
  /** 1 if `to` was visited; null if nothing was. */
  readonly is_found: number | null;
}

type Reach = [type: RelationshipType, from: string, to: string, skipped: string, limit: number];

const sourceRoot = sql`source_root_id`;
const targetRoot = sql`target_root_id`;

const reach = (db: Reader, near: Sql, far: Sql, ...[type, from, to, skipped, limit]: Reach) =>
  db.get(sql<ReachRow>`
    with recursive reach (root_id) as (
      select r.${far} from truth_relationships k cross join truth_relationships r
      where k.tenant = ${db.tenant} and k.${near} = ${from} and k.relationship_type = ${type}
        and r.tenant = ${db.tenant} and r.relationship_id = k.relationship_id
        and r.${far} <> ${from} and r.${far} <> ${skipped}
      union
      select r.${far} from reach cross join truth_relationships k cross join truth_relationships r
      where k.tenant = ${db.tenant} and k.${near} = reach.root_id and k.relationship_type = ${type}
        and r.tenant = ${db.tenant} and r.relationship_id = k.relationship_id)
    select count(*) as visited, max(case when root_id = ${to} then 1 else 0 end) as is_found
    from (select root_id from reach limit ${limit}) as visits`);

/** Roots that edges of a type reach from a root, up to `limit`. The first edge may not lead to `skipped`. */
export const reachDown = (db: Reader, ...way: Reach) => reach(db, sourceRoot, targetRoot, ...way);

/** The same against the direction of the edges. */
export const reachUp = (db: Reader, ...way: Reach) => reach(db, targetRoot, sourceRoot, ...way);

/** Edges on one side of a root. */
const idsAt = (db: Reader, side: EdgeSelector['side'], rootId: string): Sql =>
  side === 'out'
    ? sql`select relationship_id from truth_relationships where tenant = ${db.tenant} and source_root_id = ${rootId}`
    : sql`select relationship_id from truth_relationships where tenant = ${db.tenant} and target_root_id = ${rootId}`;

/** Edges on either side of a root. */
export const countEdgesOf = (db: Reader, rootId: string) =>
  db.get(sql<CountRow>`
    select count(distinct relationship_id) as count
    from (${idsAt(db, 'out', rootId)} union all ${idsAt(db, 'in', rootId)}) as touched`);

/** Edges of a root that were created for one of these entities. */
export const countEdgesOfMembers = (db: Reader, rootId: string, entityIds: readonly string[]) =>
  db.get(sql<CountRow>`
    select count(*) as count from (
      select relationship_id from truth_relationships
      where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', rootId)})
        and source_entity_id in ${list(entityIds)}
      union
      select relationship_id from truth_relationships
      where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'in', rootId)})
        and target_entity_id in ${list(entityIds)}) as touched`);

/** Moves the edges of one root to another; edges between the two become internal. */
export const repointSources = (db: Writer, fromRootId: string, toRootId: string) =>
  db.run(sql`
    update truth_relationships set source_root_id = ${toRootId}
    where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', fromRootId)})`);

export const repointTargets = (db: Writer, fromRootId: string, toRootId: string) =>
  db.run(sql`
    update truth_relationships set target_root_id = ${toRootId}
    where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'in', fromRootId)})`);

/** Only edges that were created for one of these entities. */
export const splitSources = (db: Writer, fromRootId: string, toRootId: string, entityIds: readonly string[]) =>
  db.run(sql`
    update truth_relationships set source_root_id = ${toRootId}
    where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', fromRootId)})
      and source_entity_id in ${list(entityIds)}`);

export const splitTargets = (db: Writer, fromRootId: string, toRootId: string, entityIds: readonly string[]) =>
  db.run(sql`
    update truth_relationships set target_root_id = ${toRootId}
    where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'in', fromRootId)})
      and target_entity_id in ${list(entityIds)}`);

export interface CrossingRow {
  readonly relationship_type: RelationshipType;
  readonly leads_out: number;
}

/** Types and directions of edges inside a group between these members and the others. */
export const listCrossing = (db: Reader, rootId: string, entityIds: readonly string[]) =>
  db.all(sql<CrossingRow>`
    select distinct relationship_type, leads_out from (
      select relationship_type, 1 as leads_out from truth_relationships
      where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', rootId)}) and target_root_id = ${rootId}
        and source_entity_id in ${list(entityIds)} and target_entity_id not in ${list(entityIds)}
      union all
      select relationship_type, 0 as leads_out from truth_relationships
      where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', rootId)}) and target_root_id = ${rootId}
        and source_entity_id not in ${list(entityIds)} and target_entity_id in ${list(entityIds)}) as crossing
    order by relationship_type, leads_out`);
