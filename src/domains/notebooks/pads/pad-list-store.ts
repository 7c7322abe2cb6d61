import type { Reader, Work } from '#kernel/storage/port.ts';
import type { Hashed } from '#kernel/storage/row-hash.ts';
import { allOf, list, sql } from '#kernel/storage/sql.ts';
import { type HashedPad, padHash } from './pad-store.ts';
import { parseTags } from './pad-tags.ts';
import type { NamespaceTag, TagKind } from './tag-store.ts';

export interface ListedPadRow {
  readonly scratch_id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly namespace: string | null;
  readonly cell_count: number;
}

export interface DetailedPadRow extends ListedPadRow {
  readonly tags: readonly string[];
  readonly updated_at: number;
}

export interface PadFilter {
  readonly namespaces: readonly string[];
  readonly tags: readonly string[];
  /** The last id of the previous page, or ''. */
  readonly after: string;
}

const selectPads = sql`
  select p.scratch_id, p.pad_key, p.namespace_key, p.title, p.description, p.summary, p.tags, p.metadata,
    p.created_at, p.updated_at, p.row_hash, n.namespace, p.cell_count
  from notebook_pads p
  left join notebook_namespaces n on n.tenant = p.tenant and n.namespace_key = p.namespace_key`;

type StoredPad = ListedPadRow & HashedPad & Hashed & Pick<DetailedPadRow, 'updated_at'>;

/** One damaged pad must not hide the others, so the list shows its id and that it is damaged. */
const toListed = (row: StoredPad): DetailedPadRow => {
  const { scratch_id, namespace, cell_count, updated_at } = row;
  const isIntact = padHash.isIntact(row);
  const title = isIntact ? row.title : '(damaged: run fourfold doctor --deep)';
  const tags = isIntact ? parseTags(row.tags) : [];
  const description = isIntact ? row.description : null;
  return { scratch_id, title, description, namespace, cell_count, tags, updated_at };
};

/** Scans the pads by id: for no filters, or for so many that most pads match. */
export function* listPads(
  db: Reader,
  { namespaces, tags, after }: PadFilter,
  limit: number,
): Work<readonly DetailedPadRow[]> {
  const rows = yield* db.all(sql<StoredPad>`
    ${selectPads}
    where ${allOf([
      sql`p.tenant = ${db.tenant} and p.scratch_id > ${after}`,
      ...(namespaces.length === 0
        ? []
        : [
            sql`p.namespace_key in (
              select f.namespace_key from notebook_namespaces f
              where f.tenant = ${db.tenant} and f.namespace in ${list(namespaces)})`,
          ]),
      ...(tags.length === 0
        ? []
        : [
            sql`exists (
              select 1 from notebook_tags t where t.tenant = p.tenant and t.tag in ${list(tags)}
                and t.kind in ('cell', 'pad') and t.scratch_id = p.scratch_id)`,
          ]),
    ])}
    order by p.scratch_id limit ${limit}`);
  return rows.map(toListed);
}

export interface IdRow {
  readonly scratch_id: string;
}

// Each of these reads the next ids from one index range.

export const listIdsOfTag = (db: Reader, tag: string, kind: TagKind, after: string, limit: number) =>
  db.all(sql<IdRow>`
    select scratch_id from notebook_tags
    where tenant = ${db.tenant} and tag = ${tag} and kind = ${kind} and scratch_id > ${after}
    order by scratch_id limit ${limit}`);

export const listIdsOfNamespaceTag = (
  db: Reader,
  { namespace_key, kind, tag }: NamespaceTag,
  after: string,
  limit: number,
) =>
  db.all(sql<IdRow>`
    select scratch_id from notebook_tags
    where tenant = ${db.tenant} and namespace_key = ${namespace_key} and tag = ${tag} and kind = ${kind}
      and scratch_id > ${after}
    order by scratch_id limit ${limit}`);

export const listIdsOfNamespace = (db: Reader, namespace: string, after: string, limit: number) =>
  db.all(sql<IdRow>`
    select p.scratch_id from notebook_namespaces n
    join notebook_pads p on p.tenant = n.tenant and p.namespace_key = n.namespace_key
    where n.tenant = ${db.tenant} and n.namespace = ${namespace} and p.scratch_id > ${after}
    order by p.scratch_id limit ${limit}`);

export function* findPads(db: Reader, scratchIds: readonly string[]): Work<readonly DetailedPadRow[]> {
  const rows = yield* db.all(sql<StoredPad>`
    ${selectPads}
    where p.tenant = ${db.tenant} and p.scratch_id in ${list(scratchIds)} order by p.scratch_id`);
  return rows.map(toListed);
}
