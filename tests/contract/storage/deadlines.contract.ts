import { describe, expect, test } from 'vitest';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { ContractContext } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';
import { findItem, putItem } from './tables.ts';

export function describeDeadlines({ store, testStore }: ContractContext): void {
  const add = (call: Call, id = 'a') =>
    store().write(call, function* (db) {
      yield* putItem(db, { id });
      yield* db.changed('item', id, 'create', 'h');
      return id;
    });

  const find = (call: Call, id = 'a') => store().read(call, (db) => findItem(db, id));

  describe('deadlines and cancellation', () => {
    test('rejects reads and writes of a call that is already cancelled', async () => {
      const tenant = newTenant();
      const cancelled = createCall(tenant, { signal: AbortSignal.abort(faults.CANCELLED()) });
      await expect(add(cancelled)).rejects.toMatchObject({ code: 'CANCELLED' });
      await expect(find(cancelled)).rejects.toMatchObject({ code: 'CANCELLED' });
      expect(await find(createCall(tenant))).toBeUndefined();
    });

    test('passes on any reason of an aborted signal', async () => {
      await expect(add(createCall(newTenant(), { signal: AbortSignal.abort() }))).rejects.toMatchObject({
        name: 'AbortError',
      });
      await expect(find(createCall(newTenant(), { signal: AbortSignal.abort() }))).rejects.toMatchObject({
        name: 'AbortError',
      });
    });

    test('rejects a write with STORE_BUSY when it does not get the lock before its deadline, and blocks no other', async () => {
      const tenant = newTenant();
      const release = await testStore().block();
      try {
        await expect(add(createCall(tenant, { deadlineAt: Date.now() + 150 }))).rejects.toMatchObject({
          code: 'STORE_BUSY',
        });
      } finally {
        await release();
      }
      expect(await find(createCall(tenant))).toBeUndefined();
      expect(await add(createCall(tenant))).toBe('a');
    });

    test('ends a waiting write immediately when it is cancelled, and writes nothing', async () => {
      const tenant = newTenant();
      const controller = new AbortController();
      const release = await testStore().block();
      try {
        const waiting = add(createCall(tenant, { signal: controller.signal }));
        setTimeout(() => controller.abort(faults.CANCELLED()), 20);
        await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
      } finally {
        await release();
      }
      expect(await add(createCall(tenant, { deadlineAt: Date.now() + 300_000 }))).toBe('a');
    });

    test('serves reads while another process holds the write lock', async () => {
      const tenant = newTenant();
      await add(createCall(tenant));
      const release = await testStore().block();
      try {
        expect(await find(createCall(tenant))).toMatchObject({ id: 'a' });
      } finally {
        await release();
      }
    });
  });
}
