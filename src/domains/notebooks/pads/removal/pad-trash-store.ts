import type { Reader, Writer } from '#kernel/storage/port.ts';
import { sql, values } from '#kernel/storage/sql.ts';
import type { TrashItem } from '#kernel/storage/trash.ts';
import type { AccessNote } from '../access/access-notes.ts';
import type { CellRow, PadRow } from '../pad-store.ts';

/** Takes the row of a pad out; what is in the pad stays under its key. */
export const takePad = (db: Writer, scratchId: string) =>
  db.get(sql<PadRow>`
    delete from notebook_pads where tenant = ${db.tenant} and scratch_id = ${scratchId}
    returning scratch_id, pad_key, namespace_key, title, description, summary, tags, cell_tags, metadata, cell_count,
      revision, created_at, updated_at,
      (select n.namespace from notebook_namespaces n
        where n.tenant = notebook_pads.tenant and n.namespace_key = notebook_pads.namespace_key) as namespace,
      case when exists (select 1 from notebook_schemas s
        where s.tenant = notebook_pads.tenant and s.pad_key = notebook_pads.pad_key) then 1 else 0 end as has_schemas`);

export const insertRemoval = (db: Writer, padKey: string) =>
  db.run(sql`
    insert into notebook_removals (tenant, pad_key, removed_at) values (${db.tenant}, ${padKey}, ${db.now})
    on conflict (tenant, pad_key) do update set removed_at = excluded.removed_at`);

/** Nothing when the contents are gone already. */
export const deleteRemoval = (db: Writer, padKey: string) =>
  db.run(sql`delete from notebook_removals where tenant = ${db.tenant} and pad_key = ${padKey}`);

/** The pads that nobody has looked at for longest, before a moment. */
export const leastRecentPads = (db: Reader, before: number, exceptId: string, limit: number) =>
  db.all(sql<{ readonly scratch_id: string; readonly last_access_at: number }>`
    select scratch_id, last_access_at from notebook_pads
    where tenant = ${db.tenant} and last_access_at < ${before} and scratch_id <> ${exceptId}
    order by last_access_at, scratch_id limit ${limit}`);

/** The copies of one pad begin with its id and end with the key of what was in it. Newest first. */
export const newestCopies = (db: Reader, topic: string, from: string, to: string, limit: number) =>
  db.all(sql<TrashItem>`
    select topic, id, document, actor, at from trash
    where tenant = ${db.tenant} and topic = ${topic} and id > ${from} and id < ${to}
    order by at desc, id desc limit ${limit}`);

/** Those of one moment. */
export const copiesAt = (db: Reader, topic: string, from: string, to: string, at: number, limit: number) =>
  db.all(sql<Pick<TrashItem, 'document'>>`
    select document from trash
    where tenant = ${db.tenant} and topic = ${topic} and id > ${from} and id < ${to} and at = ${at} limit ${limit}`);

export const oldRemovals = (db: Reader, before: number, limit: number) =>
  db.all(sql<{ readonly pad_key: string }>`
    select pad_key from notebook_removals where tenant = ${db.tenant} and removed_at < ${before}
    order by removed_at, pad_key limit ${limit}`);

export const deleteSomeCells = (db: Writer, padKey: string, limit: number) =>
  db.run(sql`
    delete from notebook_cells where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id in (
      select c.cell_id from notebook_cells c where c.tenant = ${db.tenant} and c.pad_key = ${padKey}
      order by c.cell_id limit ${limit})`);

export const deleteSchemas = (db: Writer, padKey: string) =>
  db.run(sql`delete from notebook_schemas where tenant = ${db.tenant} and pad_key = ${padKey}`);

/** Joined with the notes, each pad is found by its key; given as a list, all of them would be looked through by age. */
export const touchPads = (db: Writer, notes: readonly AccessNote[]) =>
  db.run(sql`
    with noted (scratch_id, at) as (
      values ${values(notes.map(({ scratchId, at }) => [scratchId, at]))})
    update notebook_pads set last_access_at = cast(noted.at as bigint) from noted
    where notebook_pads.tenant = ${db.tenant} and notebook_pads.scratch_id = noted.scratch_id
      and notebook_pads.last_access_at < cast(noted.at as bigint)`);

export type FoundCellRow = Pick<CellRow, 'cell_id' | 'tags' | 'metadata' | 'content'>;

/** The beginnings of cells, by id, a page at a time. */
export const foundCells = (db: Reader, padKey: string, after: string, chars: number, limit: number) =>
  db.all(sql<FoundCellRow>`
    select cell_id, tags, metadata, substr(content, 1, ${chars}) as content from notebook_cells
    where tenant = ${db.tenant} and pad_key = ${padKey} and cell_id > ${after} order by cell_id limit ${limit}`);
