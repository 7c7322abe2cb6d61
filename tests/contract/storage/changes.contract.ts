import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { TenantId } from '#kernel/call.ts';
import type { ChangeKind } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import type { ContractContext } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';
import { increment, putItem } from './tables.ts';

export function describeChanges({ store }: ContractContext): void {
  const tell = (tenant: TenantId, ...changes: (readonly [topic: string, id: string, what: ChangeKind])[]) =>
    store().write(createCall(tenant), function* (db) {
      for (const [topic, id, what] of changes) yield* db.changed(topic, id, what, `hash of ${id}`);
    });

  describe('the change log', () => {
    test('rejects a write that records no change', async () => {
      const tenant = newTenant();
      const silent = store().write(createCall(tenant), function* (db) {
        yield* putItem(db, { id: 'a' });
      });
      await expect(silent).rejects.toThrow('without a change');
      const sly = store().write(createCall(tenant), function* (db) {
        yield* db.get(sql`insert into items (tenant, id) values (${db.tenant}, ${'b'}) returning id`);
      });
      await expect(sly).rejects.toThrow('without a change');
      const slyer = store().write(createCall(tenant), function* (db) {
        yield* db.all(sql`insert into items (tenant, id) values (${db.tenant}, ${'c'}) returning id`);
      });
      await expect(slyer).rejects.toThrow('without a change');
    });

    test('allows a tool without audit, and a write that changed no row, to record no change', async () => {
      const tenant = newTenant();
      await store().write(createCall(tenant, { audit: 'none' }), function* (db) {
        yield* increment(db, 'c');
      });
      const count = await store().write(createCall(tenant), function* (db) {
        return yield* db.run(sql`delete from items where tenant = ${db.tenant} and id = ${'missing'}`);
      });
      expect(count).toBe(0);
      expect(await store().version(tenant, undefined)).toBe(0);
    });

    test('rejects a write with a change that was never yielded', async () => {
      const failed = store().write(createCall(newTenant()), function* (db) {
        yield* db.changed('item', 'a', 'create', 'h1');
        db.changed('item', 'b', 'create', 'h1');
      });
      await expect(failed).rejects.toThrow('never yielded');
    });

    test('numbers changes from 1 in the order they were recorded', async () => {
      const tenant = newTenant();
      await tell(tenant, ['pad', 'a', 'create'], ['cell', 'b', 'create']);
      await tell(tenant, ['pad', 'a', 'delete']);
      expect(await store().changesSince(tenant, undefined, 0, 10)).toEqual([
        { seq: 1, topic: 'pad', id: 'a', what: 'create', hash: 'hash of a' },
        { seq: 2, topic: 'cell', id: 'b', what: 'create', hash: 'hash of b' },
        { seq: 3, topic: 'pad', id: 'a', what: 'delete', hash: 'hash of a' },
      ]);
    });

    test('returns versions and changes by topic, after a number, in pages', async () => {
      const tenant = newTenant();
      await tell(
        tenant,
        ['pad', 'a', 'create'],
        ['cell', 'b', 'create'],
        ['pad', 'c', 'update'],
        ['pad', 'd', 'update'],
      );
      expect(await store().version(tenant, 'pad')).toBe(4);
      expect(await store().version(tenant, 'cell')).toBe(2);
      expect(await store().version(tenant, undefined)).toBe(4);
      expect(await store().version(tenant, 'nothing')).toBe(0);
      const page = await store().changesSince(tenant, 'pad', 1, 1);
      expect(page.map((change) => change.id)).toEqual(['c']);
      expect(await store().changesSince(newTenant(), 'pad', 0, 10)).toEqual([]);
    });

    test('a reader of the log misses nothing and sees nothing twice while others write', async () => {
      const tenant = newTenant();
      let isWriting = true;
      const seen: number[] = [];
      const follow = async () => {
        for (;;) {
          const isLast = !isWriting;
          const page = await store().changesSince(tenant, 'pad', seen.at(-1) ?? 0, 7);
          seen.push(...page.map(({ seq }) => seq));
          if (isLast && page.length === 0) return;
          await nextTurn();
        }
      };
      const following = follow();
      await Promise.all(
        Array.from({ length: 40 }, (_, i) => tell(tenant, ['pad', `a${i}`, 'create'], ['pad', `b${i}`, 'create'])),
      );
      isWriting = false;
      await following;
      expect(seen).toEqual(Array.from({ length: 80 }, (_, i) => i + 1));
    });
  });
}
