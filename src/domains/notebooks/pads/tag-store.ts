import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';

export type TagKind = 'pad' | 'cell';

export interface TagOwner {
  readonly scratch_id: string;
  readonly namespace_key: string;
}

export const insertTags = (db: Writer, pad: TagOwner, kind: TagKind, tags: readonly string[]) =>
  db.run(sql`
    insert into notebook_tags (tenant, tag, kind, scratch_id, namespace_key)
    values ${values(tags.map((tag) => [db.tenant, tag, kind, pad.scratch_id, pad.namespace_key]))}`);

export const raiseTotals = (db: Writer, namespaceKey: string, kind: TagKind, tags: readonly string[]) =>
  db.run(sql`
    insert into notebook_tag_totals (tenant, namespace_key, kind, tag, pads_count)
    values ${values(tags.map((tag) => [db.tenant, namespaceKey, kind, tag, 1]))}
    on conflict (tenant, namespace_key, kind, tag) do update set pads_count = notebook_tag_totals.pads_count + 1`);

export const deleteTags = (db: Writer, scratchId: string, kind: TagKind, tags: readonly string[]) =>
  db.run(sql`
    delete from notebook_tags
    where tenant = ${db.tenant} and tag in ${list(tags)} and kind = ${kind} and scratch_id = ${scratchId}`);

export const lowerTotals = (db: Writer, namespaceKey: string, kind: TagKind, tags: readonly string[]) =>
  db.run(sql`
    update notebook_tag_totals set pads_count = pads_count - 1
    where tenant = ${db.tenant} and namespace_key = ${namespaceKey} and kind = ${kind} and tag in ${list(tags)}`);

export const deleteEmptyTotals = (db: Writer, namespaceKey: string, kind: TagKind, tags: readonly string[]) =>
  db.run(sql`
    delete from notebook_tag_totals
    where tenant = ${db.tenant} and namespace_key = ${namespaceKey} and kind = ${kind} and tag in ${list(tags)}
      and pads_count < 1`);

export interface NamespaceTag {
  readonly namespace_key: string;
  readonly kind: TagKind;
  readonly tag: string;
}

/** Those of the tags that pads in these namespaces have. */
export const findNamespaceTags = (db: Reader, namespaces: readonly string[], tags: readonly string[], limit: number) =>
  db.all(sql<NamespaceTag>`
    select t.namespace_key, t.kind, t.tag from notebook_tag_totals t
    where t.tenant = ${db.tenant} and t.kind in ('cell', 'pad') and t.tag in ${list(tags)} and t.namespace_key in (
      select n.namespace_key from notebook_namespaces n
      where n.tenant = ${db.tenant} and n.namespace in ${list(namespaces)})
    limit ${limit}`);

/** Sorted within each kind. */
export const listTags = (db: Reader, namespaces: readonly string[], limit: number) =>
  namespaces.length === 0
    ? db.all(sql<{ readonly kind: TagKind; readonly tag: string }>`
        select kind, tag from notebook_tag_totals where tenant = ${db.tenant}
        group by kind, tag order by kind, tag limit ${limit}`)
    : db.all(sql<{ readonly kind: TagKind; readonly tag: string }>`
        select t.kind, t.tag from notebook_tag_totals t
        join notebook_namespaces n on n.tenant = t.tenant and n.namespace_key = t.namespace_key
        where t.tenant = ${db.tenant} and n.namespace in ${list(namespaces)}
        group by t.kind, t.tag order by t.kind, t.tag limit ${limit}`);
