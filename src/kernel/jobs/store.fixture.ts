import { afterAll, beforeAll, expect } from 'vitest';
import { migrations } from '#migrations/all.ts';
import type { Engine, TestStore } from '#tests/contract/storage/engine.ts';
import { localTenant, type TenantId } from '../call.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import type { Storage } from '../storage/port.ts';
import { hashedTablesOf, isRowIntact } from '../storage/row-hash.ts';
import type { Sql } from '../storage/sql.ts';
import { systemCall } from './system-call.ts';

/** Rows whose hash is missing or wrong, as "table: row". */
export async function findDamagedRows(testStore: TestStore): Promise<readonly string[]> {
  const found: string[] = [];
  for (const table of hashedTablesOf(migrations)) {
    for (const row of await testStore.look(`select * from ${table.table}`)) {
      if (!isRowIntact(table, row)) found.push(`${table.table}: ${JSON.stringify(row)}`);
    }
  }
  return found;
}

/**
 * One real store for the tests of a `describe` block. Each `open` acts like another process. After the tests every row
 * must have the right hash, unless they have damaged or written rows themselves.
 */
export function createTestStore(engine: Engine, rows: 'intact' | 'damaged' = 'intact') {
  let testStore: TestStore;
  const opened: Storage[] = [];
  beforeAll(async () => {
    testStore = await engine.create();
  });
  afterAll(async () => {
    await Promise.all(opened.map((storage) => storage.close()));
    const damaged = rows === 'damaged' || opened.length === 0 ? [] : await findDamagedRows(testStore);
    await testStore.remove();
    expect(damaged).toEqual([]);
  });
  return {
    testStore: () => testStore,
    async open(clock: Clock = systemClock): Promise<Storage> {
      const storage = await testStore.open({ migrations, clock });
      opened.push(storage);
      return storage;
    },
    run: (storage: Storage, query: Sql, tenant: TenantId = localTenant) =>
      storage.write(systemCall('test', { tenant }), (db) => db.run(query)),
    read: <Row>(storage: Storage, query: Sql<Row>, tenant: TenantId = localTenant) =>
      storage.read(systemCall('test', { tenant }), (db) => db.all(query)),
  };
}
