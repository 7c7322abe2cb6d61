import type { Reader, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { joined, list, type Sql, sql, values } from '#kernel/storage/sql.ts';
import type { DueRow } from '../entities/entity-store.ts';
import { edgePhases, type ShownPeriod } from './statements/periods.ts';

export interface EdgeRow extends ShownPeriod {
  readonly relationship_id: string;
  readonly relationship_type: string;
  /** The ends as given. */
  readonly source_entity_id: string;
  readonly target_entity_id: string;
  /** The current roots of the ends. */
  readonly source_root_id: string;
  readonly target_root_id: string;
  readonly created_at: number;
}

export interface CountRow {
  readonly count: number;
}

/** Without the roots, which follow the merges, and the period, which follows from the statements. */
type HashedEdge = Omit<EdgeRow, 'source_root_id' | 'target_root_id' | Exclude<keyof ShownPeriod, 'metadata'>>;

export const edgeHash = defineRowHash<HashedEdge>(
  {
    table: 'truth_relationships',
    columns: [
      ...['relationship_id', 'relationship_type', 'source_entity_id', 'target_entity_id', 'created_at', 'metadata'],
    ],
  },
  ({ relationship_id }) => `relationship ${relationship_id}`,
);

export const findEdge = (db: Reader, relationshipId: string) =>
  edgeHash.get(
    db,
    sql<EdgeRow & Hashed>`
    select relationship_id, relationship_type, source_entity_id, target_entity_id, source_root_id, target_root_id,
      created_at, metadata, phase, effective_at, effective_until, at_chars, until_chars, next_change_at,
      source_kind, source_id, submission_id, row_hash
    from truth_relationships
    where tenant = ${db.tenant} and relationship_id = ${relationshipId}`,
  );

/** Unsorted. */
export const findEdges = (db: Reader, relationshipIds: readonly string[]) =>
  edgeHash.all(
    db,
    sql<EdgeRow & Hashed>`
    select relationship_id, relationship_type, source_entity_id, target_entity_id, source_root_id, target_root_id,
      created_at, metadata, phase, effective_at, effective_until, at_chars, until_chars, next_change_at,
      source_kind, source_id, submission_id, row_hash
    from truth_relationships
    where tenant = ${db.tenant} and relationship_id in ${list(relationshipIds)}`,
  );

/** Ordered by id, after one. */
export const listAllEdges = (db: Reader, after: string, limit: number) =>
  edgeHash.all(
    db,
    sql<EdgeRow & Hashed>`
    select relationship_id, relationship_type, source_entity_id, target_entity_id, source_root_id, target_root_id,
      created_at, metadata, phase, effective_at, effective_until, at_chars, until_chars, next_change_at,
      source_kind, source_id, submission_id, row_hash
    from truth_relationships
    where tenant = ${db.tenant} and relationship_id > ${after} order by relationship_id limit ${limit}`,
  );

/** Edges whose period has to be chosen again. */
export const listDueEdges = (db: Reader, now: number, after: DueRow, limit: number) =>
  db.all(sql<DueRow>`
    select relationship_id as id, next_change_at from truth_relationships
    where tenant = ${db.tenant} and next_change_at is not null and next_change_at <= ${now}
      and (next_change_at, relationship_id) > (${after.next_change_at}, ${after.id})
    order by next_change_at, relationship_id limit ${limit}`);

/** Inserts nothing for an edge that exists. */
export const insertEdges = (db: Writer, rows: readonly EdgeRow[]) =>
  db.run(sql`
    insert into truth_relationships (tenant, relationship_id, relationship_type, source_entity_id, target_entity_id,
      source_root_id, target_root_id, created_at, metadata, phase, effective_at, effective_until, at_chars, until_chars,
      next_change_at, source_kind, source_id, submission_id, row_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, row.relationship_id, row.relationship_type, row.source_entity_id, row.target_entity_id],
        ...[row.source_root_id, row.target_root_id, row.created_at, row.metadata, row.phase, row.effective_at],
        ...[row.effective_until, row.at_chars, row.until_chars, row.next_change_at],
        ...[row.source_kind, row.source_id, row.submission_id, edgeHash.of(row)],
      ]),
    )}
    on conflict do nothing`);

export const setShownPeriod = (db: Writer, row: EdgeRow) =>
  db.run(sql`
    update truth_relationships set metadata = ${row.metadata}, phase = ${row.phase}, effective_at = ${row.effective_at},
      effective_until = ${row.effective_until}, at_chars = ${row.at_chars}, until_chars = ${row.until_chars},
      next_change_at = ${row.next_change_at}, source_kind = ${row.source_kind}, source_id = ${row.source_id},
      submission_id = ${row.submission_id}, row_hash = ${edgeHash.of(row)}
    where tenant = ${db.tenant} and relationship_id = ${row.relationship_id}`);

export const unionOf = (parts: readonly Sql[]): Sql => joined(parts, ' union all ');

export interface ReachRow {
  readonly visited: number;
  /** 1 if `to` was visited; null if nothing was. */
  readonly is_found: number | null;
}

type Reach = [type: string, from: string, to: string, skipped: string, limit: number];

const sourceRoot = sql`source_root_id`;
const targetRoot = sql`target_root_id`;

const reach = (db: Reader, near: Sql, far: Sql, ...[type, from, to, skipped, limit]: Reach) =>
  db.get(sql<ReachRow>`
    with recursive reach (root_id) as (
      select r.${far} from truth_relationships k cross join truth_relationships r
      where k.tenant = ${db.tenant} and k.${near} = ${from} and k.relationship_type = ${type}
        and k.phase < ${edgePhases.deleted}
        and r.tenant = ${db.tenant} and r.relationship_id = k.relationship_id
        and r.${far} <> ${from} and r.${far} <> ${skipped}
      union
      select r.${far} from reach cross join truth_relationships k cross join truth_relationships r
      where k.tenant = ${db.tenant} and k.${near} = reach.root_id and k.relationship_type = ${type}
        and k.phase < ${edgePhases.deleted}
        and r.tenant = ${db.tenant} and r.relationship_id = k.relationship_id)
    select count(*) as visited, max(case when root_id = ${to} then 1 else 0 end) as is_found
    from (select root_id from reach limit ${limit}) as visits`);

/**
 * Roots that edges of a type reach from a root, up to `limit`. Counts edges of any time that are not deleted. The first
 * edge may not lead to `skipped`.
 */
export const reachDown = (db: Reader, ...way: Reach) => reach(db, sourceRoot, targetRoot, ...way);

/** The same against the direction of the edges. */
export const reachUp = (db: Reader, ...way: Reach) => reach(db, targetRoot, sourceRoot, ...way);

/** Edges on one side of a root, deleted ones too. */
const idsAt = (db: Reader, side: 'out' | 'in', rootId: string): Sql =>
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
  readonly relationship_type: string;
  readonly leads_out: number;
}

/** Types and directions of edges inside a group between these members and the others. */
export const listCrossing = (db: Reader, rootId: string, entityIds: readonly string[]) =>
  db.all(sql<CrossingRow>`
    select distinct relationship_type, leads_out from (
      select relationship_type, 1 as leads_out from truth_relationships
      where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', rootId)}) and target_root_id = ${rootId}
        and phase < ${edgePhases.deleted}
        and source_entity_id in ${list(entityIds)} and target_entity_id not in ${list(entityIds)}
      union all
      select relationship_type, 0 as leads_out from truth_relationships
      where tenant = ${db.tenant} and relationship_id in (${idsAt(db, 'out', rootId)}) and target_root_id = ${rootId}
        and phase < ${edgePhases.deleted}
        and source_entity_id not in ${list(entityIds)} and target_entity_id in ${list(entityIds)}) as crossing
    order by relationship_type, leads_out`);
