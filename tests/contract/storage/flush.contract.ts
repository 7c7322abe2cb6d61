import { describe, expect, test } from 'vitest';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { ContractContext } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';
import { listIds, putItem } from './tables.ts';

export function describeFlush({ store, testStore, engine }: ContractContext): void {
  describe('flush', () => {
    test('keeps earlier writes, records no change, and can be repeated', async () => {
      const call = createCall(newTenant(), { audit: 'none', durability: 'soon' });
      const written = store().write(call, (db) => putItem(db, { id: 'a' }));
      await Promise.all([written, store().flush(call)]);
      await store().flush(createCall(call.tenant));
      expect(await store().read(call, listIds)).toEqual([{ id: 'a' }]);
      expect(await store().version(call.tenant, undefined)).toBe(0);
    });

    test('rejects a cancelled call', async () => {
      const cancelled = createCall(newTenant(), { signal: AbortSignal.abort(faults.CANCELLED()) });
      await expect(store().flush(cancelled)).rejects.toMatchObject({ code: 'CANCELLED' });
    });

    test('rejects a flush after close', async () => {
      const storage = await testStore().open();
      await storage.close();
      await expect(storage.flush(createCall(newTenant()))).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    });
  });

  describe('capabilities', () => {
    test('match the behaviour of the store', async () => {
      const { capabilities, backupTo, stamp } = store();
      expect(capabilities.isLocal).toBe(engine.kind === 'sqlite');
      expect(backupTo !== undefined).toBe(capabilities.isLocal);
      expect(stamp() !== undefined).toBe(capabilities.hasStamp);
      const columns = await store().read(createCall(newTenant()), (db) => db.all(capabilities.catalogQuery(['items'])));
      expect(columns.map(({ name, key_place }) => [name, key_place])).toEqual([
        ['tenant', 1],
        ['id', 2],
        ['document', 0],
        ['n', 0],
        ['score', 0],
        ['bytes', 0],
      ]);
    });
  });
}
