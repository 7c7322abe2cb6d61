import type pg from 'pg';
import { type AppliedRow, type Migration, type PlannedMigration, planMigrations, postgresDdl } from '../migration.ts';
import { grants, migrationLock, policies, schemaName, withoutForce } from './schema.ts';

const createList = `create table if not exists migrations (
  id bigint primary key, name text not null, checksum text not null, at bigint not null)`;

async function readApplied(client: pg.Client): Promise<readonly AppliedRow[]> {
  const found = await client.query<{ name: string | null }>(
    `select to_regclass('${schemaName}.migrations')::text as name`,
  );
  if (found.rows[0]?.name == null) return [];
  return (await client.query<AppliedRow>(`select id, checksum from ${schemaName}.migrations order by id`)).rows;
}

async function apply(
  client: pg.Client,
  next: PlannedMigration,
  earlierTables: readonly string[],
  role: string,
  now: number,
): Promise<void> {
  const { migration, checksum, statements } = next;
  const all = [...withoutForce(earlierTables, statements), ...policies(migration.tenantTables), ...grants(role)];
  for (const statement of all) {
    await client.query(statement);
  }
  const values = [migration.id, migration.name, checksum, now];
  await client.query('insert into migrations (id, name, checksum, at) values ($1, $2, $3, $4)', values);
}

/** Applies the next migration, if any, in a transaction that excludes writers and other migrations. */
async function applyNext(
  client: pg.Client,
  migrations: readonly Migration[],
  role: string,
  now: number,
): Promise<string | undefined> {
  await client.query('begin');
  try {
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`);
    await client.query(`create schema if not exists ${schemaName}`);
    await client.query(`set local search_path to ${schemaName}, public`);
    await client.query(createList);
    const [next] = planMigrations(migrations, await readApplied(client), postgresDdl);
    if (next !== undefined) {
      const earlier = migrations.filter(({ id }) => id < next.migration.id);
      const tables = earlier.flatMap(({ tenantTables }) => tenantTables);
      await apply(client, next, tables, role, now);
    }
    await client.query('commit');
    return next?.migration.name;
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
 * Migrates the database to the current schema. If the process is killed, the next start continues after the last
 * completed migration. Returns the names of the migrations applied now.
 */
export async function migratePostgres(
  client: pg.Client,
  migrations: readonly Migration[],
  role: string,
  now: number,
): Promise<readonly string[]> {
  if ((await pendingMigrations(client, migrations)).length === 0) return [];
  const done: string[] = [];
  for (;;) {
    const name = await applyNext(client, migrations, role, now);
    if (name === undefined) return done;
    done.push(name);
  }
}
