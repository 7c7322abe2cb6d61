import type { Reader, Writer } from '#kernel/storage/port.ts';
import { joined, list, type Sql, sql } from '#kernel/storage/sql.ts';
import type { RelationshipType } from '../words.ts';

export interface EdgeRow {
  readonly relationship_id: string;
  readonly relationship_type: RelationshipType;
  /** The ends as they were given. */
  readonly source_entity_id: string;
  readonly target_entity_id: string;
  /** The groups they belong to now. */
  readonly source_root_id: string;
  readonly target_root_id: string;
  readonly created_at: number;
  /** JSON, or null. */
  readonly metadata: string | null;
}

export interface CountRow {
  readonly count: number;
}

/** Edges of one type at one side of one root. An edge that leads to its own group belongs to none. */
export interface Arm {
  readonly rootId: string;
  readonly side: 'out' | 'in';
  readonly type: RelationshipType;
}

export const findEdge = (db: Reader, relationshipId: string) =>
  db.get(sql<EdgeRow>`
    select relationship_id, relationship_type, source_entity_id, target_entity_id, source_root_id, target_root_id,
      created_at, metadata
    from truth_relationships where tenant = ${db.tenant} and relationship_id = ${relationshipId}`);

/** Nothing when it is there already. */
export const insertEdge = (db: Writer, row: EdgeRow) =>
  db.run(sql`
    insert into truth_relationships (tenant, relationship_id, relationship_type, source_entity_id, target_entity_id,
      source_root_id, target_root_id, created_at, metadata)
    values (${db.tenant}, ${row.relationship_id}, ${row.relationship_type}, ${row.source_entity_id},
      ${row.target_entity_id}, ${row.source_root_id}, ${row.target_root_id}, ${row.created_at}, ${row.metadata})
    on conflict do nothing`);

/** One list of several. */
export const unionOf = (parts: readonly Sql[]): Sql => joined(parts, ' union all ');

/** An index is read in order up to the limit, however many edges there are. */
const newestOf = (db: Reader, { rootId, side, type }: Arm, limit: number): Sql =>
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

/** Newest first. An edge between two of the roots comes once. */
export const listEdges = (db: Reader, arms: readonly Arm[], limit: number, offset = 0) =>
  db.all(sql<EdgeRow>`
    select r.relationship_id, r.relationship_type, r.source_entity_id, r.target_entity_id, r.source_root_id,
      r.target_root_id, r.created_at, r.metadata
    from (
      select distinct relationship_id, created_at from (${unionOf(arms.map((arm) => newestOf(db, arm, limit + offset)))}) as parts
      order by created_at desc, relationship_id limit ${limit} offset ${offset}) as page
    join truth_relationships r on r.tenant = ${db.tenant} and r.relationship_id = page.relationship_id
    order by r.created_at desc, r.relationship_id`);

/**
 * Without statistics SQLite takes whoever is first in the primary key for few rows, and would read all edges of a tenant
 * rather than fetch rows behind an index. So an index is asked for what stands in it (`k`), and the rows by their keys (`r`).
 */
const anyOf = (db: Reader, { rootId, side, type }: Arm, limit: number): Sql =>
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
export const countEdges = (db: Reader, arms: readonly Arm[], limit: number) =>
  db.get(sql<CountRow>`
    select count(*) as count from (
      select one from (${unionOf(arms.map((arm) => anyOf(db, arm, limit)))}) as parts limit ${limit}) as counted`);

export interface ReachRow {
  readonly visited: number;
  /** 1 when `to` is among the visited; null when there are none. */
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

/** Whither a type's edges lead from a root, up to `limit` roots. The first edge may not lead to `skipped`. */
export const reachDown = (db: Reader, ...way: Reach) => reach(db, sourceRoot, targetRoot, ...way);

/** Whence they come: the same upstream. */
export const reachUp = (db: Reader, ...way: Reach) => reach(db, targetRoot, sourceRoot, ...way);

/** Edges at one side of a root, whatever is at the other. */
const idsAt = (db: Reader, side: Arm['side'], rootId: string): Sql =>
  side === 'out'
    ? sql`select relationship_id from truth_relationships where tenant = ${db.tenant} and source_root_id = ${rootId}`
    : sql`select relationship_id from truth_relationships where tenant = ${db.tenant} and target_root_id = ${rootId}`;

/** Those at either side of one root. */
export const countEdgesOf = (db: Reader, rootId: string) =>
  db.get(sql<CountRow>`
    select count(distinct relationship_id) as count
    from (${idsAt(db, 'out', rootId)} union all ${idsAt(db, 'in', rootId)}) as touched`);

/** Those that have one of the entities as it was given at a side, of the edges of one root. */
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

/** The edges of one root become another's; what both have between them lies inside from then on. */
export const repointSources = (db: Writer, fromRootId: string, toRootId: string) =>
  db.run(sql`
    update truth_relationships set source_root_id = ${toRootId}
    where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', fromRootId)})`);

export const repointTargets = (db: Writer, fromRootId: string, toRootId: string) =>
  db.run(sql`
    update truth_relationships set target_root_id = ${toRootId}
    where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'in', fromRootId)})`);

/** Only of edges that were given for one of the entities. */
export const returnSources = (db: Writer, fromRootId: string, toRootId: string, entityIds: readonly string[]) =>
  db.run(sql`
    update truth_relationships set source_root_id = ${toRootId}
    where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', fromRootId)})
      and source_entity_id in ${list(entityIds)}`);

export const returnTargets = (db: Writer, fromRootId: string, toRootId: string, entityIds: readonly string[]) =>
  db.run(sql`
    update truth_relationships set target_root_id = ${toRootId}
    where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'in', fromRootId)})
      and target_entity_id in ${list(entityIds)}`);

export interface InnerRow {
  readonly relationship_type: RelationshipType;
  readonly leads_out: number;
}

/** Edges inside one group that go from some of its members to the others, or back: which types, which ways. */
export const listCrossing = (db: Reader, rootId: string, entityIds: readonly string[]) =>
  db.all(sql<InnerRow>`
    select distinct relationship_type, leads_out from (
      select relationship_type, 1 as leads_out from truth_relationships
      where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', rootId)}) and target_root_id = ${rootId}
        and source_entity_id in ${list(entityIds)} and target_entity_id not in ${list(entityIds)}
      union all
      select relationship_type, 0 as leads_out from truth_relationships
      where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', rootId)}) and target_root_id = ${rootId}
        and source_entity_id not in ${list(entityIds)} and target_entity_id in ${list(entityIds)}) as crossing
    order by relationship_type, leads_out`);

export interface RootRow {
  readonly entity_id: string;
  readonly root_id: string;
}

/** Unsorted. */
export const findRoots = (db: Reader, entityIds: readonly string[]) =>
  db.all(sql<RootRow>`
    select entity_id, root_id from truth_entities
    where tenant = ${db.tenant} and entity_id in ${list(entityIds)}`);
