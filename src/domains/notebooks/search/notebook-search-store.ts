import type { Reader } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import type { CellRow } from '../pads/cell-store.ts';
import type { PadRow } from '../pads/pad-store.ts';

export const findNamespaceKeys = (db: Reader, namespaces: readonly string[]) =>
  db.all(sql<{ readonly namespace_key: string }>`
    select namespace_key from notebook_namespaces where tenant = ${db.tenant} and namespace in ${list(namespaces)}`);

export type IndexedPadRow = Pick<
  PadRow,
  'scratch_id' | 'pad_key' | 'namespace_key' | 'namespace' | 'title' | 'description' | 'summary' | 'tags'
>;

export const findIndexedPads = (db: Reader, scratchIds: readonly string[]) =>
  db.all(sql<IndexedPadRow>`
    select p.scratch_id, p.pad_key, p.namespace_key, n.namespace, p.title, p.description, p.summary, p.tags
    from notebook_pads p
    left join notebook_namespaces n on n.tenant = p.tenant and n.namespace_key = p.namespace_key
    where p.tenant = ${db.tenant} and p.scratch_id in ${list(scratchIds)}`);

export type IndexedCellRow = Pick<CellRow, 'cell_id' | 'tags' | 'metadata' | 'content'> & { readonly pad_key: string };

export interface CellKey {
  readonly pad_key: string;
  readonly cell_id: string;
}

/** With the first `chars` of each content. The two lists let the store use its index; the pairs select the cells. */
export const findCellBeginnings = (db: Reader, keys: readonly CellKey[], chars: number) =>
  db.all(sql<IndexedCellRow>`
    select pad_key, cell_id, tags, metadata, substr(content, 1, ${chars}) as content from notebook_cells
    where tenant = ${db.tenant} and pad_key in ${list([...new Set(keys.map((key) => key.pad_key))])}
      and cell_id in ${list([...new Set(keys.map((key) => key.cell_id))])}
      and pad_key || '/' || cell_id in ${list(keys.map((key) => `${key.pad_key}/${key.cell_id}`))}`);

export interface PadSize {
  readonly scratch_id: string;
  readonly pad_key: string;
  readonly cell_count: number;
}

export const findPadSize = (db: Reader, scratchId: string) =>
  db.get(sql<PadSize>`
    select scratch_id, pad_key, cell_count from notebook_pads
    where tenant = ${db.tenant} and scratch_id = ${scratchId}`);

export const listPadSizes = (db: Reader, after: string, limit: number) =>
  db.all(sql<PadSize>`
    select scratch_id, pad_key, cell_count from notebook_pads
    where tenant = ${db.tenant} and scratch_id > ${after} order by scratch_id limit ${limit}`);

export const listCellIdsAfter = (db: Reader, padKey: string, after: string, limit: number) =>
  db.all(sql<{ readonly cell_id: string }>`
    select cell_id from notebook_cells
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id > ${after} order by cell_id limit ${limit}`);

export const listCellKeys = (db: Reader, padKeys: readonly string[]) =>
  db.all(sql<CellKey>`
    select pad_key, cell_id from notebook_cells where tenant = ${db.tenant} and pad_key in ${list(padKeys)}`);
