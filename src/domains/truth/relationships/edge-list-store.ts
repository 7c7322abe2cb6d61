import type { Reader } from '#kernel/storage/port.ts';
import type { Hashed } from '#kernel/storage/row-hash.ts';
import { list, type Sql, sql } from '#kernel/storage/sql.ts';
import { type CountRow, type EdgeRow, edgeHash, unionOf } from './relationship-store.ts';
import { edgePhases } from './statements/periods.ts';

/** Which edges are shown. */
export interface EdgeView {
  readonly at: number;
  /** Without `at`: the row of an edge says whether it holds, until its next change. */
  readonly isNow: boolean;
  /** Undefined: all that is known. */
  readonly knownAt: number | undefined;
  /** Also edges that do not hold at that time. */
  readonly withEnded: boolean;
}

/** Edges of one type on one side of a root. Edges inside a group are never selected. */
export interface EdgeSelector {
  readonly rootId: string;
  readonly side: 'out' | 'in';
  readonly type: string;
  readonly phase: number;
  /** The members of the group in the past; absent: those of now. */
  readonly members?: readonly string[];
}

const isStatedAt = (db: Reader, { at, knownAt = Number.MAX_SAFE_INTEGER, withEnded }: EdgeView): Sql =>
  withEnded
    ? sql`exists (
        select 1 from truth_relationship_statements s
        where s.tenant = ${db.tenant} and s.relationship_id = r.relationship_id and s.kind = 'state'
          and s.created_at <= ${knownAt} and (s.replaced_at is null or s.replaced_at > ${knownAt}))`
    : sql`exists (
        select 1 from truth_relationship_statements s
        where s.tenant = ${db.tenant} and s.relationship_id = r.relationship_id and s.kind = 'state'
          and s.created_at <= ${knownAt} and (s.replaced_at is null or s.replaced_at > ${knownAt})
          and s.effective_at <= ${at} and (s.effective_until is null or s.effective_until > ${at}))`;

/** When the tenant last recorded something. */
export const findLastCommit = (db: Reader) =>
  db.get(sql<{ readonly at: number }>`
    select at from changes where tenant = ${db.tenant} order by seq desc limit 1`);

/** Whether the edge `r` is shown. */
function isShown(db: Reader, view: EdgeView): Sql {
  const { at, isNow, knownAt, withEnded } = view;
  if (knownAt !== undefined) {
    return sql`${isStatedAt(db, view)} and not exists (
      select 1 from truth_relationship_statements d
      where d.tenant = ${db.tenant} and d.relationship_id = r.relationship_id and d.kind = 'delete'
        and d.created_at <= ${knownAt} and (d.replaced_at is null or d.replaced_at > ${knownAt}))`;
  }
  if (withEnded) return sql`1 = 1`;
  if (!isNow) return isStatedAt(db, view);
  return sql`case when r.next_change_at <= ${at} then ${isStatedAt(db, view)} else r.effective_at <= ${at} end`;
}

/** The phases whose edges can be in a view. */
export function phasesOf({ isNow, knownAt, withEnded }: EdgeView): readonly number[] {
  const { live, ended, deleted } = edgePhases;
  if (knownAt !== undefined) return [live, ended, deleted];
  return isNow && !withEnded ? [live] : [live, ended];
}

/** The other end is outside the group. */
function leavesGroup({ rootId, side, members }: EdgeSelector): Sql {
  if (members === undefined)
    return side === 'out' ? sql`r.target_root_id <> ${rootId}` : sql`r.source_root_id <> ${rootId}`;
  return side === 'out'
    ? sql`r.source_entity_id in ${list(members)} and r.target_entity_id not in ${list(members)}`
    : sql`r.target_entity_id in ${list(members)} and r.source_entity_id not in ${list(members)}`;
}

/** Reads an index in order up to the limit, no matter how many edges there are. */
const newestOf = (db: Reader, selector: EdgeSelector, view: EdgeView, limit: number): Sql => sql`
  select * from (
    select r.relationship_id, r.created_at from truth_relationships r
    where r.tenant = ${db.tenant} and r.${rootColumn(selector)} = ${selector.rootId}
      and r.relationship_type = ${selector.type} and r.phase = ${selector.phase}
      and ${leavesGroup(selector)} and ${isShown(db, view)}
    order by r.created_at desc, r.relationship_id limit ${limit}) as part`;

const sourceRoot = sql`source_root_id`;
const targetRoot = sql`target_root_id`;
const rootColumn = ({ side }: Pick<EdgeSelector, 'side'>): Sql => (side === 'out' ? sourceRoot : targetRoot);

/** In one order, so that a statement for as many selectors is prepared once. */
const partsOf = (selectors: readonly EdgeSelector[], toPart: (selector: EdgeSelector) => Sql): Sql =>
  unionOf(selectors.toSorted((a, b) => a.side.localeCompare(b.side)).map(toPart));

/**
 * Newest first. An edge between two of the roots appears once. `each`: at most this many for a selector. The cross join
 * keeps SQLite from reading all edges of the tenant, which it prefers if there are many selectors.
 */
export const listEdges = (
  db: Reader,
  selectors: readonly EdgeSelector[],
  view: EdgeView,
  limit: number,
  offset = 0,
  each = limit + offset,
) =>
  edgeHash.all(
    db,
    sql<EdgeRow & Hashed>`
    select r.relationship_id, r.relationship_type, r.source_entity_id, r.target_entity_id, r.source_root_id,
      r.target_root_id, r.created_at, r.metadata, r.phase, r.effective_at, r.effective_until, r.at_chars, r.until_chars,
      r.next_change_at, r.source_kind, r.source_id, r.submission_id, r.row_hash
    from (
      select distinct relationship_id, created_at from (${partsOf(selectors, (selector) => newestOf(db, selector, view, each))}) as parts
      order by created_at desc, relationship_id limit ${limit} offset ${offset}) as page
    cross join truth_relationships r
    where r.tenant = ${db.tenant} and r.relationship_id = page.relationship_id
    order by r.created_at desc, r.relationship_id`,
  );

/**
 * Without statistics SQLite would scan all edges of the tenant instead of fetching rows through an index. So `k` reads
 * only indexed columns, and `r` fetches the rows by key.
 */
const anyOf = (db: Reader, selector: EdgeSelector, view: EdgeView, limit: number): Sql => sql`
  select * from (
    select 1 as one from truth_relationships k cross join truth_relationships r
    where k.tenant = ${db.tenant} and k.${rootColumn(selector)} = ${selector.rootId}
      and k.relationship_type = ${selector.type} and k.phase = ${selector.phase}
      and r.tenant = ${db.tenant} and r.relationship_id = k.relationship_id
      and ${leavesGroup(selector)} and ${isShown(db, view)}
    limit ${limit}) as part`;

/** Up to `limit`. */
export const countEdges = (db: Reader, selectors: readonly EdgeSelector[], view: EdgeView, limit: number) =>
  db.get(sql<CountRow>`
    select count(*) as count from (
      select one from (${partsOf(selectors, (selector) => anyOf(db, selector, view, limit))}) as parts limit ${limit}) as counted`);

export interface EdgeTypeRow {
  readonly root_id: string;
  readonly side: EdgeSelector['side'];
  readonly relationship_type: string;
}

/** Jumps from type to type in the index, so the number of edges does not matter. */
const typesAt = (db: Reader, side: EdgeSelector['side'], rootIds: readonly string[]): Sql => {
  const root = rootColumn({ side });
  const name = side === 'out' ? sql`'out'` : sql`'in'`;
  return sql`
    select * from (
      with recursive found (root_id, relationship_type) as (
        select e.entity_id, (select min(r.relationship_type) from truth_relationships r
          where r.tenant = ${db.tenant} and r.${root} = e.entity_id)
        from truth_entities e where e.tenant = ${db.tenant} and e.entity_id in ${list(rootIds)}
        union all
        select f.root_id, (select min(r.relationship_type) from truth_relationships r
          where r.tenant = ${db.tenant} and r.${root} = f.root_id and r.relationship_type > f.relationship_type)
        from found f where f.relationship_type is not null)
      select root_id, ${name} as side, relationship_type from found where relationship_type is not null) as part`;
};

/** The types of the edges of these roots, whatever their phase. */
export const listEdgeTypes = (db: Reader, sides: readonly EdgeSelector['side'][], rootIds: readonly string[]) =>
  db.all(sql<EdgeTypeRow>`${unionOf(sides.map((side) => typesAt(db, side, rootIds)))}`);
