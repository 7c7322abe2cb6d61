import type { Reader, Writer } from '#kernel/storage/port.ts';
import type { Hashed } from '#kernel/storage/row-hash.ts';
import { sql, values } from '#kernel/storage/sql.ts';
import { type TrashItem, trashHash } from '#kernel/storage/trash.ts';
import type { AccessNote } from './last-access.ts';

export const insertRemoval = (db: Writer, padKey: string) =>
  db.run(sql`
    insert into notebook_removals (tenant, pad_key, removed_at) values (${db.tenant}, ${padKey}, ${db.now})
    on conflict (tenant, pad_key) do update set removed_at = excluded.removed_at`);

/** 0 when the contents are already purged. */
export const deleteRemoval = (db: Writer, padKey: string) =>
  db.run(sql`delete from notebook_removals where tenant = ${db.tenant} and pad_key = ${padKey}`);

/** Pads last read before `before`, oldest first. */
export const leastRecentPads = (db: Reader, before: number, exceptId: string, limit: number) =>
  db.all(sql<{ readonly scratch_id: string; readonly last_access_at: number }>`
    select scratch_id, last_access_at from notebook_pads
    where tenant = ${db.tenant} and last_access_at < ${before} and scratch_id <> ${exceptId}
    order by last_access_at, scratch_id limit ${limit}`);

/** Newest first. */
export const listTrashedPads = (db: Reader, topic: string, from: string, to: string, limit: number) =>
  trashHash.all(
    db,
    sql<TrashItem & Hashed>`
    select topic, id, document, actor, at, row_hash from trash
    where tenant = ${db.tenant} and topic = ${topic} and id > ${from} and id < ${to}
    order by at desc, id desc limit ${limit}`,
  );

/** All but the newest copies of an item. */
export const deleteOldCopies = (db: Writer, topic: string, from: string, to: string, keptCount: number) =>
  db.run(sql`
    delete from trash where tenant = ${db.tenant} and topic = ${topic} and id > ${from} and id < ${to} and at < (
      select t.at from trash t where t.tenant = ${db.tenant} and t.topic = ${topic} and t.id > ${from} and t.id < ${to}
      order by t.at desc limit 1 offset ${keptCount - 1})`);

export const listTrashedPadsAt = (db: Reader, topic: string, from: string, to: string, at: number, limit: number) =>
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

/** A join finds each pad by its key; an `in` list would scan all pads by age. */
export const touchPads = (db: Writer, notes: readonly AccessNote[]) =>
  db.run(sql`
    with noted (scratch_id, at) as (values ${values(notes.map(({ scratchId, at }) => [scratchId, at]))})
    update notebook_pads set last_access_at = cast(noted.at as bigint) from noted
    where notebook_pads.tenant = ${db.tenant} and notebook_pads.scratch_id = noted.scratch_id
      and notebook_pads.last_access_at < cast(noted.at as bigint)`);
