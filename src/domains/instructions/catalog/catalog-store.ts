import type { Reader, Writer } from '#kernel/storage/port.ts';
import { list, sql } from '#kernel/storage/sql.ts';

/** Taken before entries and `instruction_seen` change together: on PostgreSQL one writer at a time. */
export const lockEntries = (db: Writer) => db.lock(`instructions:${db.tenant}`);

/** A file write that was decided but may not be on disk yet. `given-up`: it will never be. */
export interface JournalRow {
  readonly batch: string;
  readonly id: string;
  readonly before_etag: string | null;
  readonly after_etag: string | null;
  readonly document: string | null;
  readonly state: 'open' | 'given-up';
}

export const insertJournal = (db: Writer, row: Omit<JournalRow, 'state'>) =>
  db.run(sql`
    insert into instruction_journal (tenant, batch, id, before_etag, after_etag, document, state, at)
    values (${db.tenant}, ${row.batch}, ${row.id}, ${row.before_etag}, ${row.after_etag}, ${row.document}, 'open', ${db.now})`);

export const listOpenOf = (db: Reader, ids: readonly string[]) =>
  db.all(sql<JournalRow>`
    select batch, id, before_etag, after_etag, document, state from instruction_journal
    where tenant = ${db.tenant} and id in ${list(ids)} and state = 'open'`);

export const listOpenIds = (db: Reader, after: string, limit: number) =>
  db.all(sql<Pick<JournalRow, 'id'>>`
    select distinct id from instruction_journal
    where tenant = ${db.tenant} and id > ${after} and state = 'open' order by id limit ${limit}`);

/** Paged by key, so that a row that cannot be finished does not block the others. */
export const listOpenBefore = (db: Reader, at: number, after: Pick<JournalRow, 'batch' | 'id'>, limit: number) =>
  db.all(sql<JournalRow>`
    select batch, id, before_etag, after_etag, document, state from instruction_journal
    where tenant = ${db.tenant} and state = 'open' and at <= ${at} and (batch, id) > (${after.batch}, ${after.id})
    order by batch, id limit ${limit}`);

export const listBatch = (db: Reader, batch: string) =>
  db.all(sql<JournalRow>`
    select batch, id, before_etag, after_etag, document, state from instruction_journal
    where tenant = ${db.tenant} and batch = ${batch} order by id`);

export const closeBatch = (db: Writer, batch: string) =>
  db.run(sql`
    delete from instruction_journal where tenant = ${db.tenant} and batch = ${batch} and state = 'open'`);

export const closeJournal = (db: Writer, { batch, id }: Pick<JournalRow, 'batch' | 'id'>) =>
  db.run(sql`
    delete from instruction_journal
    where tenant = ${db.tenant} and batch = ${batch} and id = ${id} and state = 'open'`);

/** Keeps the row as a record that the batch failed, without its document. */
export const giveUpJournal = (db: Writer, { batch, id }: Pick<JournalRow, 'batch' | 'id'>) =>
  db.run(sql`
    update instruction_journal set state = 'given-up', document = null
    where tenant = ${db.tenant} and batch = ${batch} and id = ${id} and state = 'open'`);

export const deleteGivenUp = (db: Writer, before: number) =>
  db.run(sql`
    delete from instruction_journal where tenant = ${db.tenant} and state = 'given-up' and at < ${before}`);

/** The state of an entry that the audit trail and the search index have recorded. */
export interface SeenRow {
  readonly id: string;
  readonly etag: string;
}

export const listSeenOf = (db: Reader, ids: readonly string[]) =>
  db.all(sql<SeenRow>`select id, etag from instruction_seen where tenant = ${db.tenant} and id in ${list(ids)}`);

export const listSeenAfter = (db: Reader, id: string, limit: number) =>
  db.all(sql<SeenRow>`
    select id, etag from instruction_seen where tenant = ${db.tenant} and id > ${id} order by id limit ${limit}`);

export const putSeen = (db: Writer, id: string, etag: string) =>
  db.run(sql`
    insert into instruction_seen (tenant, id, etag) values (${db.tenant}, ${id}, ${etag})
    on conflict (tenant, id) do update set etag = excluded.etag`);

export const deleteSeen = (db: Writer, id: string) =>
  db.run(sql`delete from instruction_seen where tenant = ${db.tenant} and id = ${id}`);
