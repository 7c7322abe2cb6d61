import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import type { TestStore } from '#tests/contract/storage/engine.ts';
import { createSqliteTestStore } from '#tests/contract/storage/sqlite-engine.ts';
import { faults } from '../fault/kernel-faults.ts';
import { createOnDemandStorage } from './on-demand-storage.ts';
import type { Storage } from './port.ts';
import { sqliteCapabilities } from './sqlite/capabilities.ts';

describe('a store that is opened at its first use', () => {
  let testStore: TestStore;

  beforeEach(async () => {
    testStore = await createSqliteTestStore();
  });

  afterEach(() => testStore.remove());

  function createCounted(failureCount = 0) {
    let openCount = 0;
    const storage = createOnDemandStorage(sqliteCapabilities, async () => {
      openCount += 1;
      if (openCount <= failureCount) throw faults.STORE_UNAVAILABLE({ why: 'not yet' });
      return testStore.open();
    });
    return { storage, openCount: () => openCount };
  }

  const tell = (storage: Storage, tenant = newTenant()) =>
    storage.write(createCall(tenant), function* (db) {
      yield* db.changed('pad', 'p', 'update', 'h');
      return 'written';
    });

  test('opens once for many simultaneous calls', async () => {
    const { storage, openCount } = createCounted();
    expect(openCount()).toBe(0);
    const tenant = newTenant();
    await Promise.all([tell(storage, tenant), tell(storage, tenant), storage.version(tenant, 'pad')]);
    expect(openCount()).toBe(1);
    expect(await storage.changesSince(tenant, 'pad', 0, 10)).toHaveLength(2);
    await storage.close();
  });

  test('tries again after a failed attempt', async () => {
    const { storage, openCount } = createCounted(1);
    await expect(tell(storage)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await tell(storage)).toBe('written');
    expect(openCount()).toBe(2);
    await storage.close();
  });

  test('is not opened by close or peek', async () => {
    const { storage, openCount } = createCounted();
    expect(await storage.peek()).toBeUndefined();
    await storage.close();
    expect(openCount()).toBe(0);
  });

  test('wakes subscribers, except those that left before it was open', async () => {
    const { storage } = createCounted();
    const woken: string[] = [];
    storage.watch(() => woken.push('left'))();
    const leave = storage.watch(() => woken.push('stayed'));
    await tell(storage);
    await vi.waitFor(() => expect(woken).toContain('stayed'), { timeout: 120_000 });
    expect(woken).not.toContain('left');
    leave();
    await storage.close();
  });
});
