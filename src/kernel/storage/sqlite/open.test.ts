import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import { auditKey } from '#tests/contract/storage/engine.ts';
import { createSqliteTestStore, type SqliteTestStore } from '#tests/contract/storage/sqlite-engine.ts';
import { contractMigrations, findItem, listIds, putItem } from '#tests/contract/storage/tables.ts';
import { systemClock } from '../../clock/clock.ts';
import { silentLog } from '../../log/log.ts';
import { openSqlite, type SqliteStorage } from './open.ts';

describe('the SQLite engine', () => {
  let testStore: SqliteTestStore;
  let storage: SqliteStorage;

  const open = (file: string) =>
    openSqlite({ file, migrations: contractMigrations, clock: systemClock, log: silentLog, auditKey });

  const add = (tenant: ReturnType<typeof newTenant>, id: string, on = storage) =>
    on.write(createCall(tenant), function* (db) {
      yield* putItem(db, { id });
      yield* db.changed('item', id, 'create', 'h');
    });

  beforeEach(async () => {
    testStore = await createSqliteTestStore();
    storage = open(testStore.file);
  });

  afterEach(async () => {
    await storage.close();
    await testStore.remove();
  });

  test('a read sees one snapshot whatever another process commits while it runs', async () => {
    const tenant = newTenant();
    await add(tenant, 'before');
    const other = new Database(testStore.file);
    const [first, second] = await storage.read(createCall(tenant), function* (db) {
      const before = yield* listIds(db);
      other.prepare('insert into items (tenant, id) values (?, ?)').run(tenant, 'between');
      return [before, yield* listIds(db)];
    });
    other.close();
    expect(second).toEqual(first);
    const after = await storage.read(createCall(tenant), function* (db) {
      return yield* findItem(db, 'between');
    });
    expect(after).toMatchObject({ id: 'between' });
  });

  test('a backup is a complete, independent store', async () => {
    const tenant = newTenant();
    await add(tenant, 'a');
    await storage.backupTo(`${testStore.file}.copy`);
    await add(tenant, 'b');
    const copy = open(`${testStore.file}.copy`);
    const ids = await copy.read(createCall(tenant), function* (db) {
      return yield* listIds(db);
    });
    expect(ids).toEqual([{ id: 'a' }]);
    await add(tenant, 'c', copy);
    await copy.close();
  });

  test('a flush appends to the log even if nothing has changed; a write without a change does not', async () => {
    const call = createCall(newTenant(), { audit: 'none' });
    const logBytes = () => statSync(`${testStore.file}-wal`).size;
    const before = logBytes();
    await storage.write(call, listIds);
    expect(logBytes()).toBe(before);
    await storage.flush({ ...call, durability: 'soon' });
    expect(logBytes()).toBeGreaterThan(before);
  });

  test('a read with a failing statement does not affect the next one', async () => {
    const failed = storage.read(createCall(newTenant()), function* (db) {
      return yield* db.get({ parts: ['select nonsense from nowhere'], args: [] });
    });
    await expect(failed).rejects.toThrow('no such table');
    await add(newTenant(), 'a');
  });
});
