import type { Reader, Writer } from '../../storage/port.ts';
import { list, sql } from '../../storage/sql.ts';

/**
 * `model`: the embedder of the collection's vectors; empty if all documents have to be checked again. `listed_up_to`:
 * the last document listed as pending while all are listed; null when done.
 */
export interface StateRow {
  readonly model: string;
  readonly listed_up_to: string | null;
}

/** Deleted documents go first, then written ones, then those that only need a vector of another model. */
export const urgencies = { gone: 0, written: 1, listed: 2 } as const;
export type Urgency = (typeof urgencies)[keyof typeof urgencies];

export interface WaitingRow {
  readonly ticket: string;
  readonly ids: string;
}

export interface NewWaitingRow {
  readonly urgency: Urgency;
  readonly ticket: string;
  readonly ids: readonly string[];
}

/** One row for any number of ids: two writers never wait for each other here. */
export const insertWaiting = (db: Writer, collection: string, row: NewWaitingRow) =>
  db.run(sql`
    insert into meaning_pending (tenant, collection, urgency, ticket, ids, ids_count)
    values (${db.tenant}, ${collection}, ${row.urgency}, ${row.ticket}, ${JSON.stringify(row.ids)}, ${row.ids.length})`);

/** The same if the collection has been embedded before; otherwise the first search lists all of it. */
export const insertWaitingWhereUsed = (db: Writer, collection: string, row: NewWaitingRow) =>
  db.run(sql`
    insert into meaning_pending (tenant, collection, urgency, ticket, ids, ids_count)
    select tenant, collection, ${row.urgency}, ${row.ticket}, ${JSON.stringify(row.ids)}, ${row.ids.length}
    from meaning_heads where tenant = ${db.tenant} and collection = ${collection} and model <> ''`);

/** Deleted documents, if any document is pending: only then can a process be embedding one of them. */
export const insertGoneWaiting = (db: Writer, collection: string, row: Omit<NewWaitingRow, 'urgency'>) =>
  db.run(sql`
    insert into meaning_pending (tenant, collection, urgency, ticket, ids, ids_count)
    select ${db.tenant}, ${collection}, ${urgencies.gone}, ${row.ticket}, ${JSON.stringify(row.ids)}, ${row.ids.length}
    where exists (
      select 1 from meaning_pending
      where tenant = ${db.tenant} and collection = ${collection} and urgency > ${urgencies.gone})`);

export const listWaiting = (db: Reader, collection: string, limit: number) =>
  db.all(sql<WaitingRow>`
    select ticket, ids from meaning_pending where tenant = ${db.tenant} and collection = ${collection}
    order by urgency, ticket limit ${limit}`);

export const listWaitingOf = (db: Reader, collection: string, tickets: readonly string[]) =>
  db.all(sql<WaitingRow>`
    select ticket, ids from meaning_pending where tenant = ${db.tenant} and collection = ${collection}
      and urgency in (0, 1, 2) and ticket in ${list(tickets)}`);

/** Pending documents that are not deleted. */
export const listNoted = (db: Reader, collection: string, limit: number) =>
  db.all(sql<WaitingRow>`
    select ticket, ids from meaning_pending
    where tenant = ${db.tenant} and collection = ${collection} and urgency > ${urgencies.gone} limit ${limit}`);

export const setNoted = (db: Writer, collection: string, ticket: string, ids: readonly string[]) =>
  db.run(sql`
    update meaning_pending set ids = ${JSON.stringify(ids)}, ids_count = ${ids.length}
    where tenant = ${db.tenant} and collection = ${collection} and urgency in (1, 2) and ticket = ${ticket}`);

export const deleteGoneWaiting = (db: Writer, collection: string) =>
  db.run(sql`
    delete from meaning_pending
    where tenant = ${db.tenant} and collection = ${collection} and urgency = ${urgencies.gone}`);

export const listGoneWaiting = (db: Reader, collection: string) =>
  db.all(sql<WaitingRow>`
    select ticket, ids from meaning_pending
    where tenant = ${db.tenant} and collection = ${collection} and urgency = ${urgencies.gone}`);

export const deleteWaiting = (db: Writer, collection: string, tickets: readonly string[]) =>
  db.run(sql`
    delete from meaning_pending where tenant = ${db.tenant} and collection = ${collection}
      and urgency in (0, 1, 2) and ticket in ${list(tickets)}`);

export const deleteListed = (db: Writer, collection: string) =>
  db.run(sql`
    delete from meaning_pending where tenant = ${db.tenant} and collection = ${collection}
      and urgency = ${urgencies.listed}`);

export const countWaiting = (db: Reader, collection: string) =>
  // PostgreSQL returns a sum as text.
  db.get(sql<{ readonly n: number | string | null }>`
    select sum(ids_count) as n from meaning_pending where tenant = ${db.tenant} and collection = ${collection}`);

interface SomeWaiting {
  readonly rows_count: number;
  readonly n: number | string | null;
}

/** Counts documents to embed, over a bounded number of rows. */
export const countSomeWaiting = (db: Reader, collection: string, limit: number) =>
  db.get(sql<SomeWaiting>`
    select count(*) as rows_count, sum(ids_count) as n from (
      select ids_count from meaning_pending
      where tenant = ${db.tenant} and collection = ${collection} and urgency > ${urgencies.gone} limit ${limit}
    ) some_rows`);

/** Counts documents that were listed because the whole collection has to be checked. */
export const countListed = (db: Reader, collection: string) =>
  db.get(sql<{ readonly n: number | string | null }>`
    select sum(ids_count) as n from meaning_pending
    where tenant = ${db.tenant} and collection = ${collection} and urgency = ${urgencies.listed}`);

/** Counts over all collections, for diagnosis. */
export const listWaitingCounts = (db: Reader) =>
  db.all(sql<{ readonly collection: string; readonly n: number | string }>`
    select collection, sum(ids_count) as n from meaning_pending
    where tenant = ${db.tenant} and urgency > ${urgencies.gone} group by collection order by collection`);

export const listEmbeddedCounts = (db: Reader) =>
  db.all(sql<{ readonly collection: string; readonly model: string; readonly n: number }>`
    select collection, model, count(*) as n from meaning_vectors
    where tenant = ${db.tenant} group by collection, model order by collection, model`);

export const countEmbedded = (db: Reader, collection: string, model: string) =>
  db.get(sql<{ readonly n: number }>`
    select count(*) as n from meaning_vectors
    where tenant = ${db.tenant} and collection = ${collection} and model = ${model}`);

export const findState = (db: Reader, collection: string) =>
  db.get(sql<StateRow>`
    select model, listed_up_to from meaning_heads where tenant = ${db.tenant} and collection = ${collection}`);

export const saveState = (db: Writer, collection: string, state: StateRow) =>
  db.run(sql`
    insert into meaning_heads (tenant, collection, seq, swept, model, listed_up_to)
    values (${db.tenant}, ${collection}, 0, 0, ${state.model}, ${state.listed_up_to})
    on conflict (tenant, collection) do update set model = excluded.model, listed_up_to = excluded.listed_up_to`);

/** Without an embedder nothing is listed; a process that has one checks the whole collection later. */
export const markStale = (db: Writer, collection: string) =>
  db.run(sql`
    update meaning_heads set model = '', listed_up_to = null
    where tenant = ${db.tenant} and collection = ${collection} and model <> ''`);

export interface KnownRow {
  readonly id: string;
  readonly model: string;
  readonly text_hash: string;
  readonly facets: string;
}

export const listKnown = (db: Reader, collection: string, ids: readonly string[]) =>
  db.all(sql<KnownRow>`
    select id, model, text_hash, facets from meaning_vectors
    where tenant = ${db.tenant} and collection = ${collection} and id in ${list(ids)}`);

/** Returns 0 if the collection has another model by now. */
export const moveListed = (db: Writer, collection: string, model: string, listedUpTo: string | null) =>
  db.run(sql`
    update meaning_heads set listed_up_to = ${listedUpTo}
    where tenant = ${db.tenant} and collection = ${collection} and model = ${model}`);
