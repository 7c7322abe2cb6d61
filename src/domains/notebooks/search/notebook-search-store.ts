import type { Reader, Work } from '#kernel/storage/port.ts';
import type { Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { type CellRow, cellHash } from '../pads/cell-store.ts';
import { type HashedPad, type PadRow, padHash } from '../pads/pad-store.ts';
import { padTopic } from '../pads/remove-pad.ts';

export const findNamespaceKeys = (db: Reader, namespaces: readonly string[]) =>
  db.all(sql<{ readonly namespace_key: string }>`
    select namespace_key from notebook_namespaces where tenant = ${db.tenant} and namespace in ${list(namespaces)}`);

/** Undefined if there is none at all. */
export const findSomePad = (db: Reader) =>
  db.get(sql<{ readonly scratch_id: string }>`
    select scratch_id from notebook_pads where tenant = ${db.tenant} limit 1`);

export type IndexedPadRow = Pick<
  PadRow,
  'scratch_id' | 'pad_key' | 'namespace_key' | 'namespace' | 'title' | 'description' | 'summary' | 'tags' | 'metadata'
>;

/** Without damaged ones: a search leaves them out. */
export function* findIndexedPads(db: Reader, scratchIds: readonly string[]): Work<readonly IndexedPadRow[]> {
  const rows = yield* db.all(sql<IndexedPadRow & HashedPad & Hashed>`
    select p.scratch_id, p.pad_key, p.namespace_key, n.namespace, p.title, p.description, p.summary, p.tags,
      p.metadata, p.created_at, p.row_hash
    from notebook_pads p
    left join notebook_namespaces n on n.tenant = p.tenant and n.namespace_key = p.namespace_key
    where p.tenant = ${db.tenant} and p.scratch_id in ${list(scratchIds)}`);
  return rows.filter(padHash.isIntact);
}

export type IndexedCellRow = Omit<CellRow, 'position' | 'revision'> & { readonly pad_key: string };

export interface CellKey {
  readonly pad_key: string;
  readonly cell_id: string;
}

type StoredCell = IndexedCellRow & Hashed;

/** The two lists let the store use its index; the pairs select the cells. Long contents are empty. */
const findShortCells = (db: Reader, keys: readonly CellKey[], bytes: number) =>
  db.all(sql<StoredCell>`
    select pad_key, cell_id, language, validate, tags, json_schema, metadata, content_bytes,
      case when content_bytes <= ${bytes} then content else '' end as content,
      case when content_bytes <= ${bytes} then row_hash end as row_hash
    from notebook_cells
    where tenant = ${db.tenant} and pad_key in ${list([...new Set(keys.map((key) => key.pad_key))])}
      and cell_id in ${list([...new Set(keys.map((key) => key.cell_id))])}
      and pad_key || '/' || cell_id in ${list(keys.map((key) => `${key.pad_key}/${key.cell_id}`))}`);

const findCell = (db: Reader, { pad_key, cell_id }: CellKey) =>
  db.get(sql<StoredCell>`
    select pad_key, cell_id, language, validate, tags, json_schema, metadata, content_bytes, content, row_hash
    from notebook_cells where tenant = ${db.tenant} and pad_key = ${pad_key} and cell_id = ${cell_id}`);

/**
 * With the beginning of each content, and without damaged cells: a search leaves them out. Long contents are read one
 * by one, because many of them together would not fit into memory.
 */
export function* findIndexedCells(db: Reader, keys: readonly CellKey[]): Work<readonly IndexedCellRow[]> {
  const { indexedTogetherBytes, documentChars } = notebookLimits;
  const intact: IndexedCellRow[] = [];
  for (const row of yield* findShortCells(db, keys, indexedTogetherBytes)) {
    const whole = row.content_bytes > indexedTogetherBytes ? yield* findCell(db, row) : row;
    if (whole === undefined || !cellHash.isIntact(whole)) continue;
    intact.push({ ...whole, content: whole.content.slice(0, documentChars) });
  }
  return intact;
}

/** The actor of the first change since a pad was created or reset. */
export const findPadAuthors = (db: Reader, scratchIds: readonly string[]) =>
  db.all(sql<{ readonly scratch_id: string; readonly created_at: number; readonly actor: string | null }>`
    select p.scratch_id, p.created_at, (
      select c.actor from changes c
      where c.tenant = p.tenant and c.topic = ${padTopic} and c.id = p.scratch_id and c.at >= p.created_at
      order by c.seq limit 1) as actor
    from notebook_pads p where p.tenant = ${db.tenant} and p.scratch_id in ${list(scratchIds)}`);

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

export interface NeighbourRow {
  readonly scratch_id: string;
  readonly asked_id: string;
  readonly cell_id: string;
  /** Below 0 before the cell, above 0 after it. A string on PostgreSQL. */
  readonly distance: number | string;
}

/** The cells up to `reach` places away from these. SQLite keeps the order of a cross join, which is the right one. */
export const listNeighbours = (
  db: Reader,
  cells: readonly (readonly [scratchId: string, cellId: string])[],
  reach: number,
) =>
  db.all(sql<NeighbourRow>`
    with asked (scratch_id, cell_id) as (values ${values(cells)})
    select a.scratch_id, a.cell_id as asked_id, n.cell_id, n.position - c.position as distance
    from asked a cross join notebook_pads p cross join notebook_cells c cross join notebook_cells n
    where p.tenant = ${db.tenant} and p.scratch_id = a.scratch_id
      and c.tenant = ${db.tenant} and c.pad_key = p.pad_key and c.cell_id = a.cell_id
      and n.tenant = ${db.tenant} and n.pad_key = p.pad_key and n.cell_id <> c.cell_id
      and n.position between c.position - ${reach} and c.position + ${reach}`);

export interface DatedCell {
  readonly scratch_id: string;
  readonly cell_id: string;
  readonly updated_at: number;
}

/** When these cells changed last; missing ones are left out. SQLite keeps the order of a cross join. */
export const listCellDates = (db: Reader, cells: readonly (readonly [scratchId: string, cellId: string])[]) =>
  db.all(sql<DatedCell>`
    with asked (scratch_id, cell_id) as (values ${values(cells)})
    select a.scratch_id, a.cell_id, c.updated_at
    from asked a cross join notebook_pads p cross join notebook_cells c
    where p.tenant = ${db.tenant} and p.scratch_id = a.scratch_id
      and c.tenant = ${db.tenant} and c.pad_key = p.pad_key and c.cell_id = a.cell_id`);

export const listCellKeys = (db: Reader, padKeys: readonly string[]) =>
  db.all(sql<CellKey>`
    select pad_key, cell_id from notebook_cells where tenant = ${db.tenant} and pad_key in ${list(padKeys)}`);
