import { describe, expect, test } from 'vitest';
import type { Call, TenantId } from '#kernel/call.ts';
import { knownAnswer } from '#kernel/storage/idempotency.ts';
import type { ContractContext } from '../storage.contract.ts';
import { createCall, newTenant } from './call.ts';
import { findCounter, increment } from './tables.ts';

const keyed = (tenant: TenantId, part: Partial<Call> = {}): Call =>
  createCall(tenant, { idempotencyKey: 'key-1', requestHash: 'hash-1', ...part });

export function describeIdempotency({ store }: ContractContext): void {
  const countUp = (call: Call, id = 'c') =>
    store().write(call, function* (db) {
      const row = yield* increment(db, id);
      yield* db.changed('counter', id, 'update', String(row?.n));
      return { n: row?.n };
    });

  const numberOf = async (tenant: TenantId, id = 'c') => {
    const row = await store().read(createCall(tenant), (db) => findCounter(db, id));
    return row?.n ?? 0;
  };

  describe('idempotency keys', () => {
    test('returns the stored answer for the same request under the same key, without running it again', async () => {
      const tenant = newTenant();
      const first = await countUp(keyed(tenant));
      const second = await countUp(keyed(tenant));
      expect([first, second]).toEqual([{ n: 1 }, { n: 1 }]);
      expect(await numberOf(tenant)).toBe(1);
      expect(await store().version(tenant, 'counter')).toBe(1);
    });

    test('rejects another request under the same key', async () => {
      const tenant = newTenant();
      await countUp(keyed(tenant));
      await expect(countUp(keyed(tenant, { requestHash: 'hash-2' }))).rejects.toMatchObject({
        code: 'IDEMPOTENCY_CONFLICT',
      });
      expect(await numberOf(tenant)).toBe(1);
    });

    test('runs simultaneous requests under the same key once', async () => {
      const tenant = newTenant();
      const answers = await Promise.all(Array.from({ length: 20 }, () => countUp(keyed(tenant))));
      expect(new Set(answers.map((answer) => answer.n))).toEqual(new Set([1]));
      expect(await numberOf(tenant)).toBe(1);
    });

    test('stores each write of one call under its own key, by order', async () => {
      const tenant = newTenant();
      const attempt = async (call: Call) => [
        await countUp(call, 'a'),
        await countUp(call, 'b'),
        await countUp(call, 'a'),
      ];
      const first = await attempt(keyed(tenant));
      const second = await attempt(keyed(tenant));
      expect(first).toEqual([{ n: 1 }, { n: 1 }, { n: 2 }]);
      expect(second).toEqual(first);
      expect(await numberOf(tenant, 'a')).toBe(2);
    });

    test('continues a call that failed half-way', async () => {
      const tenant = newTenant();
      await countUp(keyed(tenant), 'a');
      const again = keyed(tenant);
      expect(await countUp(again, 'a')).toEqual({ n: 1 });
      expect(await countUp(again, 'b')).toEqual({ n: 1 });
    });

    test('a failed write leaves its key unused', async () => {
      const tenant = newTenant();
      const failed = store().write(keyed(tenant), function* (db) {
        yield* increment(db, 'c');
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await countUp(keyed(tenant))).toEqual({ n: 1 });
    });

    test('separates keys by tenant, and not by actor', async () => {
      const tenant = newTenant();
      await countUp(keyed(tenant));
      expect(await countUp(keyed(tenant, { actor: 'somebody else' }))).toEqual({ n: 1 });
      expect(await countUp(keyed(newTenant()))).toEqual({ n: 1 });
    });

    test('stores an answer of undefined as undefined', async () => {
      const call = () => keyed(newTenant(), { audit: 'none' });
      const [first, again] = [call(), undefined];
      const nothing = () =>
        store().write({ ...first }, function* (db) {
          yield* increment(db, 'c');
        });
      expect([await nothing(), await nothing()]).toEqual([again, again]);
      expect(await numberOf(first.tenant)).toBe(1);
    });

    test('finds the answer of a known key without writing', async () => {
      const tenant = newTenant();
      expect(await knownAnswer(store(), keyed(tenant))).toBeUndefined();
      expect(await countUp(keyed(tenant))).toEqual({ n: 1 });
      expect(await knownAnswer(store(), keyed(tenant))).toEqual({ value: { n: 1 } });
      expect(await knownAnswer(store(), keyed(tenant, { actor: 'somebody else' }))).toEqual({ value: { n: 1 } });
      expect(await knownAnswer(store(), createCall(tenant))).toBeUndefined();
      const other = knownAnswer(store(), keyed(tenant, { requestHash: 'hash-2' }));
      await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    });

    test('distinguishes a known answer of nothing from an unknown key', async () => {
      const call = () => keyed(tenant, { audit: 'none' });
      const tenant = newTenant();
      await store().write(call(), function* (db) {
        yield* increment(db, 'c');
      });
      expect(await knownAnswer(store(), call())).toEqual({ value: undefined });
    });
  });
}
