import type { Reader } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';

/** What stands in the cells of a pad, in bytes, without reading it. */
export const sumCellBytes = (db: Reader, padKey: string, cellIds: readonly string[] | undefined) =>
  cellIds === undefined
    ? db.get(sql<{ readonly bytes: number }>`
        select coalesce(sum(content_bytes), 0) as bytes from notebook_cells
        where tenant = ${db.tenant} and pad_key = ${padKey}`)
    : db.get(sql<{ readonly bytes: number }>`
        select coalesce(sum(content_bytes), 0) as bytes from notebook_cells
        where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id in ${list(cellIds)}`);
