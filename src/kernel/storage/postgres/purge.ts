import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { fromDriver, postgresFaults } from './errors.ts';
import { clientConfig } from './pool.ts';
import { postgresLimits } from './postgres-limits.ts';
import { quote, schemaName } from './schema.ts';

/** Whatever may still read rows that were deleted before the transaction $1. VACUUM keeps those rows without an error. */
const olderReaders = `
  select who from (
    select 'the session with the process id ' || pid as who, greatest(age(backend_xmin), age(backend_xid)) as age
    from pg_stat_activity where (datname = current_database() or datname is null) and pid <> pg_backend_pid()
    union all
    select 'the prepared transaction ' || gid, age(transaction) from pg_prepared_xacts where database = current_database()
    union all
    select 'the replication slot ' || slot_name, greatest(age(xmin), age(catalog_xmin)) from pg_replication_slots
  ) readers where age > age($1::xid8::xid) order by age desc limit 1`;

/**
 * Transactions of other databases count too while they write: a snapshot that any session takes meanwhile is as old as the
 * oldest of them.
 */
const olderWriters = `
  select 'a transaction that still writes, here or in another database' as who
  where pg_snapshot_xmin(pg_current_snapshot()) < $1::xid8`;

async function waitForOlderReaders(client: pg.Client, waitMs: number): Promise<void> {
  const { rows: now } = await client.query<{ readonly id: string }>('select pg_current_xact_id()::text as id');
  const until = performance.now() + waitMs;
  for (;;) {
    // The writers first: once they have ended, no later snapshot is older.
    const { rows: writers } = await client.query<{ readonly who: string }>(olderWriters, [now[0]!.id]);
    const { rows: readers } = await client.query<{ readonly who: string }>(olderReaders, [now[0]!.id]);
    const [first] = [...readers, ...writers];
    if (first === undefined) return;
    if (performance.now() >= until) {
      throw postgresFaults.STORE_SETUP({
        why: `${first.who} can still read deleted rows: end it, or wait until it has ended, and purge again`,
      });
    }
    await pause(postgresLimits.olderReadersPauseMs);
  }
}

/** Columns whose values the server must not sample, but has sampled before a migration said so. */
const staleStatistics = `
  select a.attrelid, a.attnum from pg_attribute a
  join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_stats s on s.schemaname = n.nspname and s.tablename = c.relname and s.attname = a.attname
  where n.nspname = '${schemaName}' and a.attnum > 0 and a.attstattarget = 0`;

const notAllowed = '42501';

/** With row-level security in force, the server hides the statistics from the owner too. */
async function hasStaleStatistics(client: pg.Client, tables: readonly string[]): Promise<boolean> {
  await client.query('begin');
  for (const table of tables) await client.query(`alter table ${table} no force row level security`);
  const { rowCount } = await client.query(staleStatistics);
  await client.query('rollback');
  return rowCount !== 0;
}

async function removeStatistics(client: pg.Client, tables: readonly string[], waitMs: number): Promise<void> {
  if (!(await hasStaleStatistics(client, tables))) return;
  try {
    await client.query(`delete from pg_catalog.pg_statistic where (starelid, staattnum) in (${staleStatistics})`);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== notAllowed) throw error;
    throw postgresFaults.STORE_SETUP({
      why: 'statistics of the database contain former values, and only a superuser can delete them: run this once with the URL of one',
    });
  }
  await waitForOlderReaders(client, waitMs);
  await client.query('vacuum (full) pg_catalog.pg_statistic');
}

async function rewriteTables(client: pg.Client, waitMs: number): Promise<void> {
  const { rows } = await client.query<{ readonly name: string; readonly is_owned: boolean }>(`
    select c.relname as name, pg_has_role(current_user, c.relowner, 'usage') as is_owned
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = '${schemaName}' and c.relkind = 'r' order by c.relname`);
  const foreign = rows.find(({ is_owned }) => !is_owned);
  if (foreign !== undefined) {
    // The server would only warn, and leave the table as it is.
    throw postgresFaults.STORE_SETUP({ why: `the login does not own the table ${schemaName}.${foreign.name}` });
  }
  const tables = rows.map(({ name }) => `${schemaName}.${quote(name)}`);
  await waitForOlderReaders(client, waitMs);
  for (const table of tables) await client.query(`vacuum (full) ${table}`);
  await removeStatistics(client, tables, waitMs);
  await client.query(`delete from ${schemaName}.store_chores where name = 'rewrite'`);
}

/**
 * Writes every table again, with the privileges of the login, so that deleted rows are gone from its files. Calls wait
 * while their table is written.
 */
export async function purgePostgres(
  url: string,
  { waitMs = postgresLimits.olderReadersMs }: { readonly waitMs?: number } = {},
): Promise<void> {
  const { Client } = await import('pg');
  const client = new Client(clientConfig(url));
  client.on('error', () => {});
  try {
    await client.connect();
    await rewriteTables(client, waitMs);
  } catch (error) {
    throw fromDriver(error);
  } finally {
    await client.end().catch(() => {});
  }
}
