import type { Reader } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';
import type { CellRow, PadRow } from '../pads/pad-store.ts';

export const findNamespaceKeys = (db: Reader, namespaces: readonly string[]) =>
  db.all(sql<{ readonly namespace_key: string }>`
    select namespace_key from notebook_namespaces where tenant = ${db.tenant} and namespace in ${list(namespaces)}`);

export type FoundPadRow = Pick<
  PadRow,
  'scratch_id' | 'pad_key' | 'namespace_key' | 'namespace' | 'title' | 'description' | 'summary' | 'tags'
>;

export const findPads = (db: Reader, scratchIds: readonly string[]) =>
  db.all(sql<FoundPadRow>`
    select p.scratch_id, p.pad_key, p.namespace_key, n.namespace, p.title, p.description, p.summary, p.tags
    from notebook_pads p
    left join notebook_namespaces n on n.tenant = p.tenant and n.namespace_key = p.namespace_key
    where p.tenant = ${db.tenant} and p.scratch_id in ${list(scratchIds)}`);

export type FoundCellRow = Pick<CellRow, 'cell_id' | 'tags' | 'metadata' | 'content'> & { readonly pad_key: string };

export interface CellKey {
  readonly pad_key: string;
  readonly cell_id: string;
}

/** The beginnings of some cells. Both lists lead to keys; the pairs tell which of them are meant. */
export const findCellBeginnings = (db: Reader, keys: readonly CellKey[], chars: number) =>
  db.all(sql<FoundCellRow>`
    select pad_key, cell_id, tags, metadata, substr(content, 1, ${chars}) as content from notebook_cells
    where tenant = ${db.tenant} and pad_key in ${list([...new Set(keys.map((key) => key.pad_key))])}
      and cell_id in ${list([...new Set(keys.map((key) => key.cell_id))])}
      and pad_key || '/' || cell_id in ${list(keys.map((key) => `${key.pad_key}/${key.cell_id}`))}`);

export interface PadPlace {
  readonly scratch_id: string;
  readonly pad_key: string;
  readonly cell_count: number;
}

export const findPadPlace = (db: Reader, scratchId: string) =>
  db.get(sql<PadPlace>`
    select scratch_id, pad_key, cell_count from notebook_pads
    where tenant = ${db.tenant} and scratch_id = ${scratchId}`);

export const listPadPlaces = (db: Reader, after: string, limit: number) =>
  db.all(sql<PadPlace>`
    select scratch_id, pad_key, cell_count from notebook_pads
    where tenant = ${db.tenant} and scratch_id > ${after} order by scratch_id limit ${limit}`);

export const listCellIds = (db: Reader, padKey: string, after: string, limit: number) =>
  db.all(sql<{ readonly cell_id: string }>`
    select cell_id from notebook_cells
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id > ${after} order by cell_id limit ${limit}`);

export const listCellKeys = (db: Reader, padKeys: readonly string[]) =>
  db.all(sql<CellKey>`
    select pad_key, cell_id from notebook_cells where tenant = ${db.tenant} and pad_key in ${list(padKeys)}`);
