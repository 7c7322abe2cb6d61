import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listTenants } from '#kernel/jobs/tenants.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import type { ContractContext } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';
import type { TestStore } from './engine.ts';
import { contractMigrations, putItem } from './tables.ts';

const migration = (id: number, ...statements: string[]): Migration => ({
  id,
  name: `m${id}`,
  tenantTables: [],
  up: () => statements,
});

const tell = (storage: Storage) =>
  storage.write(createCall(newTenant()), function* (db) {
    yield* db.changed('pad', 'p', 'update', 'h');
  });

const appliedIds = (storage: Storage) =>
  storage.read(createCall(newTenant()), function* (db) {
    const rows = yield* db.all(sql<{ id: number }>`select id from migrations order by id`);
    return rows.map((row) => row.id);
  });

export function describeMigrations({ engine }: ContractContext): void {
  describe('migrations', () => {
    let testStore: TestStore;
    const opened: Storage[] = [];

    const open = async (...added: Migration[]) => {
      const storage = await testStore.open({ migrations: [...contractMigrations, ...added] });
      opened.push(storage);
      return storage;
    };

    beforeEach(async () => {
      testStore = await engine.create();
    });

    afterEach(async () => {
      for (const storage of opened.splice(0)) await storage.close();
      await testStore.remove();
    });

    test('are applied once, in order, also when several processes start together', async () => {
      const logs = Array.from({ length: 4 }, createLogFixture);
      const storages = await Promise.all(logs.map((log) => testStore.open({ log })));
      opened.push(...storages);
      const applied = logs.flatMap((log) =>
        log.lines.flatMap((line) => (line.fields['applied'] as string[] | undefined) ?? []),
      );
      expect(applied.toSorted()).toEqual(contractMigrations.map(({ name }) => name).toSorted());
      expect(await appliedIds(storages[0]!)).toEqual(contractMigrations.map(({ id }) => id));
      await Promise.all(storages.map(tell));
    });

    test('of a newer program are added to existing ones', async () => {
      await tell(await open());
      const newer = await open(migration(9001, 'create table extra (id integer primary key)'));
      expect((await appliedIds(newer)).slice(-2)).toEqual([9000, 9001]);
      await tell(newer);
    });

    test('see the existing rows of all tenants', async () => {
      const old = await open();
      const tenants = [newTenant(), newTenant()];
      for (const tenant of tenants)
        await old.write(createCall(tenant), function* (db) {
          yield* putItem(db, { id: `of ${tenant}` });
          yield* db.changed('item', 'i', 'create', 'h');
        });
      expect(await listTenants(old)).toEqual(tenants.toSorted());
      const newer = await open(
        migration(9001, 'create table copies (id text primary key)', 'insert into copies (id) select id from items'),
      );
      const copies = await newer.read(createCall(newTenant()), (db) =>
        db.all(sql<{ id: string }>`select id from copies order by id`),
      );
      expect(copies.map(({ id }) => id)).toEqual(tenants.map((tenant) => `of ${tenant}`).toSorted());
    });

    test('are rejected when they differ from the applied ones', async () => {
      await open(migration(9001, 'create table extra (id integer primary key)'));
      await expect(
        open(migration(9001, 'create table extra (id integer primary key, more integer)')),
      ).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('migration 9001'),
      });
    });

    test('of a newer program are reported with their number', async () => {
      await open(migration(9001, 'create table extra (id integer primary key)'));
      await expect(open()).rejects.toMatchObject({
        code: 'STORE_NEWER',
        message: expect.stringContaining('schema 9001; this program knows 9000'),
      });
    });

    test('applied by a newer program stop a running older program from writing', async () => {
      const old = await open();
      await tell(old);
      await open(migration(9001, 'create table extra (id integer primary key)'));
      await expect(tell(old)).rejects.toMatchObject({ code: 'STORE_NEWER' });
      expect(await appliedIds(old)).toContain(9001);
    });

    test('of a new store are applied completely or not at all', async () => {
      const good = migration(9001, 'create table extra (id integer primary key)');
      await expect(open(good, migration(9002, 'create nonsense'))).rejects.toThrow('nonsense');
      const storage = await open();
      expect((await appliedIds(storage)).at(-1)).toBe(9000);
      await tell(storage);
    });

    test('that fail leave nothing behind and keep the earlier ones', async () => {
      const bad = migration(9002, 'create table half (id integer primary key)', 'create nonsense');
      const good = migration(9001, 'create table extra (id integer primary key)');
      await tell(await open());
      await expect(open(good, bad)).rejects.toThrow('nonsense');
      // An older program detects that the good one was applied.
      await expect(open()).rejects.toMatchObject({ code: 'STORE_NEWER' });
      const repaired = await open(good, migration(9002, 'create table half (id integer primary key, whole integer)'));
      expect((await appliedIds(repaired)).slice(-2)).toEqual([9001, 9002]);
      await tell(repaired);
    });
  });
}
