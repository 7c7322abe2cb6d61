import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import type { Storage } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { asAdmin } from '#tests/support/postgres/test-login.ts';
import { startChild } from './children/child.ts';
import { openStore } from './children/open-store.ts';
import { quickMigration } from './children/slow-migration.ts';
import { createCall, newTenant } from './storage/call.ts';
import { createPostgresTestStore } from './storage/postgres-engine.ts';
import { createSqliteTestStore } from './storage/sqlite-engine.ts';
import { contractMigrations } from './storage/tables.ts';

/** Kills a process during its last migration. The next start creates the same table again and continues. */
async function killInMiddle(at: string, isInMiddle: () => Promise<void>): Promise<void> {
  // A new store would get all migrations in one transaction.
  await (await openStore(at, [])).close();
  const child = startChild(new URL('./children/slow-migrator.ts', import.meta.url), at);
  await vi.waitFor(isInMiddle, { timeout: 120_000, interval: 5 });
  child.kill();
  expect(await child.ended()).toBeNull();
  const storage = await openStore(at, [quickMigration]);
  expect(await appliedIds(storage)).toEqual([...contractMigrations.map(({ id }) => id), quickMigration.id]);
  await storage.write(createCall(newTenant()), function* (db) {
    yield* db.changed('pad', 'p', 'update', 'h');
  });
  await storage.close();
}

const appliedIds = (storage: Storage) =>
  storage.read(createCall(newTenant()), function* (db) {
    const rows = yield* db.all(sql<{ id: number }>`select id from migrations order by id`);
    return rows.map((row) => row.id);
  });

describe('a migration that is killed leaves nothing behind, and the next start continues', () => {
  test('on SQLite', async () => {
    const testStore = await createSqliteTestStore();
    await killInMiddle(testStore.file, async () => {
      const other = new Database(testStore.file, { fileMustExist: true, timeout: 0 });
      try {
        expect(other.pragma('user_version', { simple: true })).toBe(contractMigrations.at(-1)?.id);
        expect(() => other.exec('begin immediate')).toThrow('locked');
      } finally {
        other.close();
      }
    });
    await testStore.remove();
  });

  test('on PostgreSQL', async () => {
    const testStore = await createPostgresTestStore();
    await killInMiddle(testStore.url, async () => {
      const found = await asAdmin(testStore.adminUrl, (client) =>
        client.query(
          "select 1 from pg_stat_activity where datname = current_database() and query like '%pg_sleep(1)%' and pid <> pg_backend_pid()",
        ),
      );
      expect(found.rowCount).toBe(1);
    });
    await testStore.remove();
  });
});
