import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import pg from 'pg';
import { systemClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { openPostgres } from '#kernel/storage/postgres/open.ts';
import { hashedTablesOf, hashRow } from '#kernel/storage/row-hash.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import { generateTenant, type OldRow, type OldRows } from './generate-rows.ts';

/** The schema of the version before submissions and effective times. */
export const oldMigrations = migrations.filter(({ id }) => id <= 12);
const hashedTables = hashedTablesOf(oldMigrations);

export const oldStoreOptions = {
  migrations: oldMigrations,
  clock: systemClock,
  log: silentLog,
  auditKey: new Uint8Array(32),
};

export type OldStorePlace = { readonly file: string } | { readonly url: string; readonly adminUrl: string };

function withHashes({ table, tenant, rows }: OldRows): readonly OldRow[] {
  const own = hashedTables.filter((one) => one.table === table);
  return rows.map((row) => ({
    ...(tenant === undefined ? {} : { tenant }),
    ...Object.fromEntries(own.map((one) => [one.hash ?? 'row_hash', hashRow(one, row)])),
    ...row,
  }));
}

async function writeSqlite(file: string, all: Iterable<OldRows>): Promise<void> {
  await openSqlite({ ...oldStoreOptions, file }).close();
  const db = new Database(file);
  db.pragma('synchronous = off');
  db.pragma('cache_size = -500000');
  db.exec('begin');
  for (const part of all) {
    const rows = withHashes(part);
    const names = Object.keys(rows[0] ?? {});
    if (names.length === 0) continue;
    const places = names.map(() => '?').join(', ');
    const insert = db.prepare(`insert into ${part.table} (${names.join(', ')}) values (${places})`);
    for (const row of rows) insert.run(...names.map((name) => row[name]));
  }
  db.exec('commit');
  db.pragma('wal_checkpoint(truncate)');
  db.close();
}

async function writePostgres(url: string, adminUrl: string, all: Iterable<OldRows>): Promise<void> {
  await (await openPostgres({ ...oldStoreOptions, url })).close();
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('begin; set local search_path to fourfold');
    for (const part of all) {
      const rows = withHashes(part);
      if (rows.length === 0) continue;
      const insert = `insert into ${part.table} select * from json_populate_recordset(null::${part.table}, $1)`;
      await client.query(insert, [JSON.stringify(rows)]);
    }
    await client.query('commit; analyze');
  } finally {
    await client.end();
  }
}

/** Creates a store as the version with schema 12 left it. */
export const writeOldStore = (place: OldStorePlace, all: Iterable<OldRows>): Promise<void> =>
  'file' in place ? writeSqlite(place.file, all) : writePostgres(place.url, place.adminUrl, all);

/** Two tenants; about this many observations altogether. */
export function* generateStore(observations: number, seed: number): Generator<OldRows> {
  yield* generateTenant('local', { observations: Math.ceil(observations * 0.8), seed });
  yield* generateTenant('second', { observations: Math.ceil(observations * 0.2), seed: seed + 1 });
  yield { table: 'tenants', rows: [{ name: 'local' }, { name: 'second' }] };
}

export interface OldAnswer {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
}

const fixture = (name: string): readonly unknown[] =>
  readFileSync(new URL(`../../fixtures/schema-12/${name}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

/** Rows that the program itself wrote, with its audit chain, and what its tools answered then. */
export const recordedStore = () => {
  const rows = (fixture('rows.jsonl') as readonly { readonly t: string; readonly r: OldRow }[]).map(({ t, r }) => ({
    table: t,
    rows: [r],
  }));
  const [about, ...answers] = fixture('answers.jsonl') as readonly [RecordedTimes, ...(readonly OldAnswer[])];
  return { rows: rows as readonly OldRows[], ...about, answers };
};

interface RecordedTimes {
  /** Times between the steps of the recorded history. */
  readonly moments: Readonly<Record<string, string>>;
  readonly ids: Readonly<Record<string, string>>;
}
