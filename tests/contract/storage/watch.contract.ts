import { describe, expect, test } from 'vitest';
import type { Storage } from '#kernel/storage/port.ts';
import type { ContractContext } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';

const tell = (storage: Storage, tenant = newTenant()) =>
  storage.write(createCall(tenant), function* (db) {
    yield* db.changed('pad', 'p', 'update', 'h');
  });

const nextTurns = async () => {
  for (let i = 0; i < 3; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

export function describeWatch({ store, testStore }: ContractContext): void {
  describe('watching', () => {
    test('wakes on commits of its own process, less often for many together', async () => {
      let wakeCount = 0;
      const storage = await testStore().open();
      const unwatch = storage.watch(() => {
        wakeCount += 1;
      });
      const tenant = newTenant();
      await Promise.all(Array.from({ length: 40 }, () => tell(storage, tenant)));
      await nextTurns();
      expect(wakeCount).toBeGreaterThan(0);
      expect(wakeCount).toBeLessThanOrEqual(41);
      unwatch();
      await storage.close();
    });

    test('wakes on a commit of another process', async () => {
      const other = await testStore().open();
      let wake = () => {};
      const unwatch = store().watch(() => wake());
      try {
        // A new subscriber may be called once at the start; the commit that counts comes after that.
        for (let i = 0; i < 3; i += 1) {
          const woken = new Promise<void>((resolve) => {
            wake = resolve;
          });
          await tell(other);
          await woken;
        }
      } finally {
        unwatch();
        await other.close();
      }
    });

    test('the stamp moves with commits of every process and with nothing else, if there is one', async () => {
      const storage = await testStore().open();
      const other = await testStore().open();
      const { hasStamp } = storage.capabilities;
      const stamps = [storage.stamp()];
      await storage.version(newTenant(), 'pad');
      stamps.push(storage.stamp());
      await tell(storage);
      stamps.push(storage.stamp());
      await tell(other);
      stamps.push(storage.stamp());
      expect(stamps.every((stamp) => (stamp === undefined) !== hasStamp)).toBe(true);
      if (hasStamp) expect(stamps.map((stamp) => stamps.indexOf(stamp))).toEqual([0, 0, 2, 3]);
      await other.close();
      await storage.close();
      expect(storage.stamp()).toBeUndefined();
    });

    test('does not wake a subscriber that has left', async () => {
      let wakeCount = 0;
      const storage = await testStore().open();
      const count = () => {
        wakeCount += 1;
      };
      const leave = storage.watch(count);
      const stay = storage.watch(() => {});
      leave();
      leave();
      await tell(storage);
      await nextTurns();
      expect(wakeCount).toBe(0);
      stay();
      await storage.close();
    });

    test('rejects work after close', async () => {
      const storage = await testStore().open();
      await storage.close();
      await storage.close();
      await expect(tell(storage)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
      await expect(storage.version(newTenant(), 'pad')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    });

    test('waits for started writes before it closes', async () => {
      const storage = await testStore().open();
      const tenant = newTenant();
      const writes = Array.from({ length: 20 }, () => tell(storage, tenant));
      await Promise.all([storage.close(), ...writes]);
      expect(await store().version(tenant, 'pad')).toBe(20);
    });
  });
}
