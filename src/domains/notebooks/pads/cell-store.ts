import type { Reader, Writer } from '#kernel/storage/port.ts';
import { sql, values } from '#kernel/storage/sql.ts';
import type { CellRow } from './pad-store.ts';

/** Nothing when the pad has a cell of this id. */
export const insertCell = (db: Writer, padKey: string, row: CellRow) =>
  db.run(sql`
    insert into notebook_cells (tenant, pad_key, cell_id, position, language, validate, tags, revision, created_at,
      updated_at, content_bytes, json_schema, metadata, content)
    values (${db.tenant}, ${padKey}, ${row.cell_id}, ${row.position}, ${row.language}, ${row.validate}, ${row.tags},
      ${row.revision}, ${db.now}, ${db.now}, ${row.content_bytes}, ${row.json_schema}, ${row.metadata}, ${row.content})
    on conflict do nothing`);

export const insertCells = (db: Writer, padKey: string, rows: readonly CellRow[]) =>
  db.run(sql`
    insert into notebook_cells (tenant, pad_key, cell_id, position, language, validate, tags, revision, created_at,
      updated_at, content_bytes, json_schema, metadata, content)
    values ${values(
      rows.map((row) => [
        ...[db.tenant, padKey, row.cell_id, row.position, row.language, row.validate, row.tags, row.revision],
        ...[db.now, db.now, row.content_bytes, row.json_schema, row.metadata, row.content],
      ]),
    )}`);

export const updateCell = (db: Writer, padKey: string, row: CellRow) =>
  db.run(sql`
    update notebook_cells set position = ${row.position}, language = ${row.language}, validate = ${row.validate},
      tags = ${row.tags}, revision = ${row.revision}, updated_at = ${db.now}, content_bytes = ${row.content_bytes},
      json_schema = ${row.json_schema}, metadata = ${row.metadata}, content = ${row.content}
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id = ${row.cell_id}`);

/** Moves the cells from one position up to another, the last included, by one place. */
export const shiftCells = (db: Writer, padKey: string, from: number, to: number, by: 1 | -1) =>
  db.run(sql`
    update notebook_cells set position = position + ${by}
    where tenant = ${db.tenant} and pad_key = ${padKey} and position between ${from} and ${to}`);

export const listCellIds = (db: Reader, padKey: string) =>
  db.all(sql<{ readonly cell_id: string }>`
    select cell_id from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey}`);
