import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import type { PadRow, TotalsRow } from './pad-store.ts';
import type { TagKind } from './tag-store.ts';

/** The columns that the tag tables and counts are computed from. */
export type TaggedPad = Pick<PadRow, 'scratch_id' | 'namespace_key' | 'tags' | 'cell_tags'>;

export const listTaggedPads = (db: Reader, after: string, limit: number) =>
  db.all(sql<TaggedPad>`
    select scratch_id, namespace_key, tags, cell_tags from notebook_pads
    where tenant = ${db.tenant} and scratch_id > ${after} order by scratch_id limit ${limit}`);

export const findTaggedPads = (db: Reader, scratchIds: readonly string[]) =>
  db.all(sql<TaggedPad>`
    select scratch_id, namespace_key, tags, cell_tags from notebook_pads
    where tenant = ${db.tenant} and scratch_id in ${list(scratchIds)}`);

export interface TagRow {
  readonly tag: string;
  readonly kind: TagKind;
  readonly scratch_id: string;
  readonly namespace_key: string;
}

/** The key of the last row of a page. */
export interface TagCursor {
  readonly tag: string;
  readonly kind: string;
  readonly scratch_id: string;
}

export const listTagRows = (db: Reader, after: TagCursor, limit: number) =>
  db.all(sql<TagRow>`
    select tag, kind, scratch_id, namespace_key from notebook_tags
    where tenant = ${db.tenant} and (tag, kind, scratch_id) > (${after.tag}, ${after.kind}, ${after.scratch_id})
    order by tag, kind, scratch_id limit ${limit}`);

/** Those of the tags that the tag table has for a pad. */
export const findTags = (db: Reader, scratchId: string, kind: TagKind, tags: readonly string[]) =>
  db.all(sql<Pick<TagRow, 'tag'>>`
    select tag from notebook_tags
    where tenant = ${db.tenant} and tag in ${list(tags)} and kind = ${kind} and scratch_id = ${scratchId}`);

export const countPads = (db: Reader) =>
  db.get(sql<TotalsRow>`
    select count(*) as pads_count, cast(coalesce(sum(cell_count), 0) as bigint) as cells_count
    from notebook_pads where tenant = ${db.tenant}`);

export const miscountedNamespaces = (db: Reader) =>
  db.get(sql<{ readonly n: number }>`
    select count(*) as n from notebook_namespaces n where n.tenant = ${db.tenant} and n.pads_count <> (
      select count(*) from notebook_pads p where p.tenant = n.tenant and p.namespace_key = n.namespace_key)`);

/** Totals that differ from the tag table, and those that are missing or left over. */
export const miscountedTags = (db: Reader) =>
  db.get(sql<{ readonly n: number }>`
    select count(*) as n from (
      select namespace_key, kind, tag, sum(counted) as counted, sum(stored) as stored from (
        select namespace_key, kind, tag, count(*) as counted, 0 as stored from notebook_tags
        where tenant = ${db.tenant} group by namespace_key, kind, tag
        union all
        select namespace_key, kind, tag, 0 as counted, pads_count as stored from notebook_tag_totals
        where tenant = ${db.tenant}) both_sides
      group by namespace_key, kind, tag) compared
    where counted <> stored or stored = 0`);

/** Every write that adds or removes a pad locks this row. */
export const setTotals = (db: Writer, { pads_count, cells_count }: TotalsRow) =>
  db.run(sql`
    insert into notebook_totals (tenant, pads_count, cells_count) values (${db.tenant}, ${pads_count}, ${cells_count})
    on conflict (tenant) do update set pads_count = excluded.pads_count, cells_count = excluded.cells_count`);

export const recountNamespaces = (db: Writer) =>
  db.run(sql`
    update notebook_namespaces set pads_count = (
      select count(*) from notebook_pads p
      where p.tenant = notebook_namespaces.tenant and p.namespace_key = notebook_namespaces.namespace_key)
    where tenant = ${db.tenant}`);

export const deleteTagTotals = (db: Writer) => db.run(sql`delete from notebook_tag_totals where tenant = ${db.tenant}`);

export const recountTags = (db: Writer) =>
  db.run(sql`
    insert into notebook_tag_totals (tenant, namespace_key, kind, tag, pads_count)
    select tenant, namespace_key, kind, tag, count(*) from notebook_tags where tenant = ${db.tenant}
    group by tenant, namespace_key, kind, tag`);
