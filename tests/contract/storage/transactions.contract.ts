import { describe, expect, test } from 'vitest';
import type { Step, Work } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import type { ContractContext } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';
import { findCounter, findItem, increment, listIds, putItem } from './tables.ts';

export function describeTransactions({ engine, store }: ContractContext): void {
  const idsOf = async (tenant = newTenant()) => {
    const rows = await store().read(createCall(tenant), function* (db) {
      return yield* listIds(db);
    });
    return rows.map((row) => row.id);
  };

  describe('transactions', () => {
    test('reads back what was written, and returns undefined for a missing row', async () => {
      const call = createCall(newTenant());
      const changedCount = await store().write(call, function* (db) {
        const count = yield* putItem(db, { id: 'a', document: '{"b":1,"a":2}', n: 7 });
        yield* db.changed('item', 'a', 'create', 'h1');
        return count;
      });
      const [found, missing] = await store().read(call, function* (db) {
        return [yield* findItem(db, 'a'), yield* findItem(db, 'b')] as const;
      });
      expect(changedCount).toBe(1);
      expect(found).toEqual({ id: 'a', document: '{"b":1,"a":2}', n: 7, score: null, bytes: null });
      expect(missing).toBeUndefined();
    });

    test('a write sees its own rows, and its time stays the same', async () => {
      const seen = await store().write(createCall(newTenant()), function* (db) {
        const before = db.now;
        yield* putItem(db, { id: 'a' });
        yield* db.changed('item', 'a', 'create', 'h1');
        return { ids: yield* listIds(db), isSameNow: before === db.now };
      });
      expect(seen).toEqual({ ids: [{ id: 'a' }], isSameNow: true });
    });

    test('a throw leaves no row, no change and no number behind', async () => {
      const call = createCall(newTenant(), { idempotencyKey: 'k', requestHash: 'r' });
      const failed = store().write(call, function* (db) {
        yield* putItem(db, { id: 'a' });
        yield* db.changed('item', 'a', 'create', 'h1');
        throw new Error('changed my mind');
      });
      await expect(failed).rejects.toThrow('changed my mind');
      expect(await idsOf(call.tenant)).toEqual([]);
      expect(await store().version(call.tenant, undefined)).toBe(0);
      expect(await store().changesSince(call.tenant, undefined, 0, 10)).toEqual([]);
    });

    test('rejects a write with a statement that was never yielded', async () => {
      const call = createCall(newTenant());
      const failed = store().write(call, function* (db) {
        yield* putItem(db, { id: 'a' });
        putItem(db, { id: 'b' });
        yield* db.changed('item', 'a', 'create', 'h1');
      });
      await expect(failed).rejects.toThrow('never yielded');
      expect(await idsOf(call.tenant)).toEqual([]);
    });

    test('rejects a read with a statement that was never yielded', async () => {
      // biome-ignore lint/correctness/useYield: the missing yield is the fault under test.
      const failed = store().read(createCall(newTenant()), function* (db) {
        listIds(db);
      });
      await expect(failed).rejects.toThrow('never yielded');
    });

    test('rejects a step of another transaction', async () => {
      let stolen: Step<unknown> | undefined;
      await store().read(createCall(newTenant()), function* (db) {
        stolen = findItem(db, 'a');
        yield* stolen;
      });
      const failed = store().read(createCall(newTenant()), function* (): Work<void> {
        yield* stolen!;
      });
      await expect(failed).rejects.toThrow('another transaction');
    });

    test('a failing statement fails its own write only, not others of the same turn', async () => {
      const tenant = newTenant();
      const add = (id: string) =>
        store().write(createCall(tenant), function* (db) {
          yield* putItem(db, { id: `${id}-first` });
          yield* putItem(db, { id: id === 'bad' ? `${id}-first` : id });
          yield* db.changed('item', id, 'create', 'h1');
          return id;
        });
      const settled = await Promise.allSettled(['a', 'bad', 'b', 'c'].map(add));
      expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      expect(await idsOf(tenant)).toEqual(['a', 'a-first', 'b', 'b-first', 'c', 'c-first']);
    });

    test('concurrent increments return every number once', async () => {
      const tenant = newTenant();
      const numbers = await Promise.all(
        Array.from({ length: 60 }, () =>
          store().write(createCall(tenant), function* (db) {
            const row = yield* increment(db, 'c');
            yield* db.changed('counter', 'c', 'update', String(row?.n));
            return row?.n;
          }),
        ),
      );
      expect(numbers.toSorted((a, b) => a! - b!)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    });

    test('a value read under a lock is unchanged when it is written', async () => {
      const tenant = newTenant();
      await Promise.all(
        Array.from({ length: 30 }, () =>
          store().write(createCall(tenant), function* (db) {
            yield* db.lock('counter c');
            const n = ((yield* findCounter(db, 'c'))?.n ?? 0) + 1;
            yield* db.run(sql`
              insert into counters (tenant, id, n) values (${db.tenant}, ${'c'}, ${n})
              on conflict (tenant, id) do update set n = excluded.n`);
            yield* db.changed('counter', 'c', 'update', String(n));
          }),
        ),
      );
      const counter = await store().read(createCall(tenant), function* (db) {
        return yield* findCounter(db, 'c');
      });
      expect(counter?.n).toBe(30);
    });

    test('rejects a write of more than 500 statements, and keeps none of them', async () => {
      const call = createCall(newTenant());
      const failed = store().write(call, function* (db) {
        for (let i = 0; i < 501; i += 1) yield* putItem(db, { id: `i${i}` });
        yield* db.changed('item', 'all', 'create', 'h1');
      });
      await expect(failed).rejects.toThrow('more than 500 statements');
      expect(await idsOf(call.tenant)).toEqual([]);
    });

    test('rejects a statement that writes in a read, also if it returns rows', async () => {
      const call = createCall(newTenant());
      const failed = store().read(call, function* (db) {
        return yield* db.get(sql`insert into items (tenant, id) values (${db.tenant}, ${'a'}) returning id`);
      });
      await expect(failed).rejects.toThrow(/writes in a read|read-only transaction/);
      expect(await idsOf(call.tenant)).toEqual([]);
    });

    test('hides the rows of one tenant from another, under the same id', async () => {
      const [one, two] = [newTenant(), newTenant()];
      for (const tenant of [one, two]) {
        await store().write(createCall(tenant), function* (db) {
          yield* putItem(db, { id: 'same', document: tenant });
          yield* db.changed('item', 'same', 'create', 'h1');
        });
      }
      const found = await store().read(createCall(one), function* (db) {
        return yield* findItem(db, 'same');
      });
      expect(found?.document).toBe(one);
      expect(await store().version(two, 'item')).toBe(1);
      expect(await store().version(newTenant(), 'item')).toBe(0);
    });

    test(`work runs ${engine.isRehearsing ? 'twice, and is kept once' : 'once'}`, async () => {
      let runCount = 0;
      const n = await store().write(createCall(newTenant()), function* (db) {
        runCount += 1;
        const row = yield* increment(db, 'c');
        yield* db.changed('counter', 'c', 'update', 'h1');
        return row?.n;
      });
      expect(runCount).toBe(engine.isRehearsing ? 2 : 1);
      expect(n).toBe(1);
    });
  });
}
