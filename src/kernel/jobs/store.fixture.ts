import { afterAll, beforeAll } from 'vitest';
import { migrations } from '#migrations/all.ts';
import type { Engine, TestStore } from '#tests/contract/storage/engine.ts';
import { localTenant, type TenantId } from '../call.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import type { Storage } from '../storage/port.ts';
import type { Sql } from '../storage/sql.ts';
import { systemCall } from './system-call.ts';

/** One real store for the tests of a `describe` block. Each `open` acts like another process. */
export function createTestStore(engine: Engine) {
  let testStore: TestStore;
  const opened: Storage[] = [];
  beforeAll(async () => {
    testStore = await engine.create();
  });
  afterAll(async () => {
    await Promise.all(opened.map((storage) => storage.close()));
    await testStore.remove();
  });
  return {
    testStore: () => testStore,
    async open(clock: Clock = systemClock): Promise<Storage> {
      const storage = await testStore.open({ migrations, clock });
      opened.push(storage);
      return storage;
    },
    run: (storage: Storage, query: Sql, tenant: TenantId = localTenant) =>
      storage.write(systemCall('test', { tenant }), function* (db) {
        return yield* db.run(query);
      }),
    read: <Row>(storage: Storage, query: Sql<Row>, tenant: TenantId = localTenant) =>
      storage.read(systemCall('test', { tenant }), function* (db) {
        return yield* db.all(query);
      }),
  };
}
