import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';
import type { Language } from '../languages.ts';

export interface LightCellRow {
  readonly cell_id: string;
  readonly position: number;
  readonly language: Language;
  /** A JSON list. */
  readonly tags: string;
  readonly revision: number;
}

export interface CellRow extends LightCellRow {
  readonly validate: number;
  readonly content_bytes: number;
  /** JSON, or null. */
  readonly json_schema: string | null;
  /** A JSON map without `tags`. */
  readonly metadata: string;
  readonly content: string;
}

/** Positions, both included. */
export interface CellRange {
  readonly from: number;
  readonly to: number;
}

/** Long contents are null. */
export type ReadCellRow = Omit<CellRow, 'content'> & { readonly content: string | null };
export type ListedCellRow = Omit<CellRow, 'content' | 'json_schema' | 'validate'> & { readonly preview: string | null };

/** Everything but the content, in the order of CellRow. */
const columns = sql`cell_id, position, language, tags, revision, validate, content_bytes, json_schema, metadata`;
const lightColumns = sql`cell_id, position, language, tags, revision`;

type HashedColumn = 'cell_id' | 'language' | 'validate' | 'tags' | 'json_schema' | 'metadata' | 'content';

export const cellHash = defineRowHash<Pick<CellRow, HashedColumn>>(
  {
    table: 'notebook_cells',
    columns: ['cell_id', 'language', 'validate', 'tags', 'json_schema', 'metadata', 'content'],
  },
  ({ cell_id }) => `cell ${cell_id}`,
);

export type StoredCell = CellRow & Hashed;

// No query below sorts: callers sort by `position`.

export const listLightCells = (db: Reader, padKey: string) =>
  db.all(sql<LightCellRow>`
    select ${lightColumns} from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey}`);

/** Both positions included. */
export const listCellsBetween = (db: Reader, padKey: string, from: number, to: number) =>
  db.all(sql<LightCellRow>`
    select ${lightColumns} from notebook_cells
    where tenant = ${db.tenant} and pad_key = ${padKey} and position between ${from} and ${to}`);

/** Unchecked: a damaged cell can be replaced or deleted, but must not be shown. */
export const findCell = (db: Reader, padKey: string, cellId: string) =>
  db.get(sql<StoredCell>`
    select ${columns}, content, row_hash from notebook_cells
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId}`);

export const deleteCell = (db: Writer, padKey: string, cellId: string) =>
  db.run(sql`
    delete from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId}`);

export const listCells = (db: Reader, padKey: string) =>
  cellHash.all(
    db,
    sql<StoredCell>`
    select ${columns}, content, row_hash from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey}`,
  );

/** Unknown ids are left out. */
export const findCells = (db: Reader, padKey: string, cellIds: readonly string[]) =>
  cellHash.all(
    db,
    sql<StoredCell>`
    select ${columns}, content, row_hash from notebook_cells
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id in ${list(cellIds)}`,
  );

/**
 * With contents of at most `bytes`, which are checked. Longer ones are checked when they are read: the hash is stored
 * after the content, so the store would have to read it to its end.
 */
export function* readCells(db: Reader, padKey: string, bytes: number, range?: CellRange): Work<readonly ReadCellRow[]> {
  const rows = yield* db.all(sql<ReadCellRow & Hashed>`
    select ${columns}, case when content_bytes <= ${bytes} then content end as content,
      case when content_bytes <= ${bytes} then row_hash end as row_hash
    from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey}
      ${range === undefined ? sql`` : sql`and position between ${range.from} and ${range.to}`}`);
  for (const row of rows) if (row.content !== null) cellHash.check(row as StoredCell);
  return rows;
}

/** With previews of contents of at most `bytes`. */
export function* previewCells(
  db: Reader,
  padKey: string,
  bytes: number,
  chars: number,
  range?: CellRange,
): Work<readonly ListedCellRow[]> {
  const rows = yield* readCells(db, padKey, bytes, range);
  return rows.map(({ content, ...row }) => ({ ...row, preview: content === null ? null : firstChars(content, chars) }));
}

/** Whole characters, also those of two UTF-16 units. */
export const firstChars = (text: string, chars: number): string =>
  text.length <= chars ? text : [...text.slice(0, 2 * chars)].slice(0, chars).join('');

/** Inserts nothing for ids that the pad already has. */
export const insertCells = (db: Writer, padKey: string, rows: readonly CellRow[]) =>
  db.run(sql`
    insert into notebook_cells (tenant, pad_key, cell_id, position, language, tags, revision, validate, content_bytes,
      json_schema, metadata, content, created_at, updated_at, row_hash)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, padKey, row.cell_id, row.position, row.language, row.tags, row.revision, row.validate],
        ...[row.content_bytes, row.json_schema, row.metadata, row.content, db.now, db.now],
        cellHash.of(row),
      ]),
    )}
    on conflict do nothing`);

export const updateCell = (db: Writer, padKey: string, row: CellRow) =>
  db.run(sql`
    update notebook_cells set position = ${row.position}, language = ${row.language}, validate = ${row.validate},
      tags = ${row.tags}, revision = ${row.revision}, updated_at = ${db.now}, content_bytes = ${row.content_bytes},
      json_schema = ${row.json_schema}, metadata = ${row.metadata}, content = ${row.content},
      row_hash = ${cellHash.of(row)}
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${row.cell_id}`);

/** Moves the cells from one position to another, both included. */
export const shiftCells = (db: Writer, padKey: string, from: number, to: number, by: 1 | -1) =>
  db.run(sql`
    update notebook_cells set position = position + ${by}
    where tenant = ${db.tenant} and pad_key = ${padKey} and position between ${from} and ${to}`);

export const setPosition = (db: Writer, padKey: string, cellId: string, position: number) =>
  db.run(sql`
    update notebook_cells set position = ${position}
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId}`);

/** The cell stays as it is, so its hash still fits. */
export const moveToPad = (db: Writer, padKey: string, cellId: string, toKey: string, position: number) =>
  db.run(sql`
    update notebook_cells set pad_key = ${toKey}, position = ${position}
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${cellId}`);

export const listCellIds = (db: Reader, padKey: string) =>
  db.all(sql<Pick<CellRow, 'cell_id'>>`
    select cell_id from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey}`);

export const sumCellBytes = (db: Reader, padKey: string, cellIds: readonly string[] | undefined) =>
  db.get(sql<{ readonly bytes: number }>`
    select coalesce(sum(content_bytes), 0) as bytes from notebook_cells
    where tenant = ${db.tenant} and pad_key = ${padKey}
      ${cellIds === undefined ? sql`` : sql`and cell_id in ${list(cellIds)}`}`);
