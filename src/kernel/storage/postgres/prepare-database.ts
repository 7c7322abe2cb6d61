import type pg from 'pg';
import type { Clock } from '../../clock/clock.ts';
import type { Log } from '../../log/log.ts';
import type { Migration, MigrationProgress } from '../migration.ts';
import { fromDriver, postgresFaults, StatementError } from './errors.ts';
import { assertServer, inspectIsolation } from './inspect.ts';
import { migratePostgres, pendingMigrations } from './migrate.ts';
import { clientConfig } from './pool.ts';
import { ensureGrants, ensureRole } from './role.ts';
import { quote } from './schema.ts';

export interface PrepareOptions {
  readonly url: string;
  readonly role: string;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly log: Log;
  /** Creates and changes nothing. */
  readonly inspectOnly: boolean;
  readonly migrating?: MigrationProgress | undefined;
}

async function migrateDatabase(client: pg.Client, options: PrepareOptions): Promise<void> {
  const { role, migrations, clock, log, migrating } = options;
  await ensureRole(client, role);
  const applied = await migratePostgres(client, migrations, {
    role,
    now: clock.now(),
    progress: migrating ?? (() => {}),
  });
  if (applied.length > 0) log.info({ applied }, 'store migrated');
  await ensureGrants(client, role);
}

async function prepare(client: pg.Client, options: PrepareOptions): Promise<void> {
  const { role, migrations, inspectOnly: asItIs } = options;
  await assertServer(client);
  if (!asItIs) await migrateDatabase(client, options);
  else if ((await pendingMigrations(client, migrations)).length > 0) {
    throw postgresFaults.STORE_SETUP({ why: 'its tables are not at this version: run fourfold migrate' });
  }
  await client.query(`set role ${quote(role)}`);
  const breach = await inspectIsolation(
    client,
    migrations.flatMap((migration) => migration.tenantTables),
  );
  if (breach !== undefined) throw postgresFaults.STORE_SETUP({ why: breach });
}

/**
 * Migrates the database with the privileges of the login, then verifies that the role for calls has no more privileges
 * than it should.
 */
export async function prepareDatabase(options: PrepareOptions): Promise<void> {
  const { Client } = await import('pg');
  const client = new Client(clientConfig(options.url));
  let isLost = false;
  client.on('error', () => {
    isLost = true;
  });
  try {
    await client.connect().catch((error: unknown) => {
      throw fromDriver(error);
    });
    await prepare(client, options);
  } catch (error) {
    throw isLost ? fromDriver(error) : toSetupFault(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** An administrator must grant a missing privilege. The message names the object. */
function toSetupFault(error: unknown): unknown {
  const isOfDriver = typeof error === 'object' && error !== null && 'code' in error;
  if (!isOfDriver) return error;
  const known = fromDriver(error);
  return known instanceof StatementError && known.code === '42501'
    ? postgresFaults.STORE_SETUP({ why: known.message })
    : known;
}
