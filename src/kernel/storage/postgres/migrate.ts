import type pg from 'pg';
import {
  type AppliedRow,
  type Migration,
  type MigrationEvent,
  type MigrationProgress,
  type PlannedMigration,
  planMigrations,
  postgresDdl,
} from '../migration.ts';
import { bindOwner, exemptOwner, grants, migrationLock, policies, schemaName } from './schema.ts';

const createList = `create table if not exists migrations (
  id bigint primary key, name text not null, checksum text not null, at bigint not null)`;

async function readApplied(client: pg.Client): Promise<readonly AppliedRow[]> {
  const found = await client.query<{ name: string | null }>(
    `select to_regclass('${schemaName}.migrations')::text as name`,
  );
  if (found.rows[0]?.name == null) return [];
  return (await client.query<AppliedRow>(`select id, checksum from ${schemaName}.migrations order by id`)).rows;
}

/** Whether anything was ever written: the migrations of an empty store are not worth a report. */
async function hasRows(client: pg.Client): Promise<boolean> {
  const found = await client.query<{ name: string | null }>(
    `select to_regclass('${schemaName}.tenants')::text as name`,
  );
  if (found.rows[0]?.name == null) return false;
  return (await client.query(`select 1 from ${schemaName}.tenants limit 1`)).rowCount === 1;
}

interface MigrateOptions {
  readonly role: string;
  readonly now: number;
  readonly progress: MigrationProgress;
}

const repeatMs = 1_000;

/** Reports an event while a statement takes long: the server says nothing about its progress. */
async function during<T>(event: MigrationEvent, progress: MigrationProgress, work: Promise<T>): Promise<T> {
  const timer = setInterval(() => progress(event), repeatMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

interface Frame {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

async function apply(
  client: pg.Client,
  next: PlannedMigration,
  { before, after }: Frame,
  { now, progress }: MigrateOptions,
): Promise<void> {
  const { migration, checksum, statements } = next;
  const all = [...before, ...statements, ...policies(migration.tenantTables), ...after];
  for (const [i, statement] of all.entries()) {
    const step = { kind: 'step', migration: migration.name, step: i + 1, steps: all.length } as const;
    progress(step);
    await during(step, progress, client.query(statement));
  }
  const values = [migration.id, migration.name, checksum, now];
  await client.query('insert into migrations (id, name, checksum, at) values ($1, $2, $3, $4)', values);
}

interface Applied {
  readonly names: readonly string[];
  readonly hasMore: boolean;
}

/** Applies the next migration, or all of them, in a transaction that excludes writers and other migrations. */
async function applyNext(
  client: pg.Client,
  migrations: readonly Migration[],
  options: MigrateOptions & { readonly inOne: boolean },
): Promise<Applied> {
  await client.query('begin');
  try {
    const lock = client.query(`select pg_advisory_xact_lock(${migrationLock})`);
    await during({ kind: 'waiting' }, options.progress, lock);
    await client.query(`create schema if not exists ${schemaName}`);
    await client.query(`set local search_path to ${schemaName}, public`);
    await client.query(createList);
    const due = planMigrations(migrations, await readApplied(client), postgresDdl);
    const next = options.inOne ? due : due.slice(0, 1);
    const earlier = migrations.filter(({ id }) => id < (next[0]?.migration.id ?? 0));
    const earlierTables = earlier.flatMap(({ tenantTables }) => tenantTables);
    const newTables = next.flatMap(({ migration }) => migration.tenantTables);
    for (const [i, planned] of next.entries()) {
      // Once per transaction: once per migration would be thousands of statements in a new database.
      const before = i === 0 ? exemptOwner(earlierTables) : [];
      const isLast = i === next.length - 1;
      const after = isLast ? [...bindOwner([...earlierTables, ...newTables]), ...grants(options.role)] : [];
      await apply(client, planned, { before, after }, options);
    }
    await client.query('commit');
    return { names: next.map(({ migration }) => migration.name), hasMore: next.length < due.length };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

export const pendingMigrations = async (
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<readonly PlannedMigration[]> => planMigrations(migrations, await readApplied(client), postgresDdl);

/**
 * Migrates the database to the current schema: a new one in one transaction, because every commit waits for the disk,
 * any other with a transaction per migration, so that after a kill the next start continues after the last completed
 * one. Returns the names of the migrations applied now.
 */
export async function migratePostgres(
  client: pg.Client,
  migrations: readonly Migration[],
  given: MigrateOptions,
): Promise<readonly string[]> {
  if ((await pendingMigrations(client, migrations)).length === 0) return [];
  const inOne = (await readApplied(client)).length === 0;
  const options = { ...given, inOne, ...(!(await hasRows(client)) && { progress: () => {} }) };
  const done: string[] = [];
  try {
    for (;;) {
      const { names, hasMore } = await applyNext(client, migrations, options);
      done.push(...names);
      if (!hasMore) return done;
    }
  } finally {
    if (done.length > 0) options.progress({ kind: 'done' });
  }
}
