import type { Reader, Writer } from '../storage/port.ts';
import { sql } from '../storage/sql.ts';

/** Returns a row if the lease was free or expired, and nothing if another process holds it. */
export const takeLease = (db: Writer, name: string, holder: string, ttlMs: number) =>
  db.get(sql<{ holder: string }>`
    insert into leases (name, holder, until) values (${name}, ${holder}, ${db.now + ttlMs})
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where leases.until <= ${db.now}
    returning holder`);

export const findHolder = (db: Reader, name: string) =>
  db.get(sql<{ readonly holder: string }>`select holder from leases where name = ${name}`);

/** Returns a row if `former` still held the lease. */
export const takeOverLease = (db: Writer, name: string, former: string, holder: string, ttlMs: number) =>
  db.get(sql<{ holder: string }>`
    update leases set holder = ${holder}, until = ${db.now + ttlMs}
    where name = ${name} and holder = ${former} returning holder`);

export const renewLease = (db: Writer, name: string, holder: string, ttlMs: number) =>
  db.run(sql`update leases set until = ${db.now + ttlMs} where name = ${name} and holder = ${holder}`);

export const dropLease = (db: Writer, name: string, holder: string) =>
  db.run(sql`delete from leases where name = ${name} and holder = ${holder}`);

export const countKeys = (db: Reader) =>
  db.get(sql<{ count: number | string }>`select count(*) as count from idempotency where tenant = ${db.tenant}`);

/** Oldest first: those are the least likely to be repeated. */
export const deleteOldestKeys = (db: Writer, before: number, limit: number) =>
  db.run(sql`
    delete from idempotency where tenant = ${db.tenant} and key in (
      select key from idempotency where tenant = ${db.tenant} and at < ${before} order by at, key limit ${limit})`);

export const deleteOldestTrash = (db: Writer, before: number, limit: number) =>
  db.run(sql`
    delete from trash where tenant = ${db.tenant} and (topic, id, at) in (
      select topic, id, at from trash where tenant = ${db.tenant} and at < ${before} order by at limit ${limit})`);
