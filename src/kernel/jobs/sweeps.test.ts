import { describe, expect, it } from 'vitest';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { localTenant, type TenantId, toTenantId } from '../call.ts';
import { type Clock, createManualClock } from '../clock/clock.ts';
import { limits } from '../limits.ts';
import type { Storage } from '../storage/port.ts';
import { sql } from '../storage/sql.ts';
import { createTestStore } from './store.fixture.ts';
import { createSweeps } from './sweeps.ts';

const dayMs = 86_400_000;

describe.each([sqliteEngine(true), postgresEngine(true)])('on $name', (engine) => {
  const { open, run, read } = createTestStore(engine, 'damaged');

  describe('the sweep', () => {
    const sweep = async (
      storage: Storage,
      clock: Clock,
      name: string,
      tenants?: readonly TenantId[],
      signal?: AbortSignal,
    ) => {
      let writes = 0;
      const counting: Storage = {
        ...storage,
        write: (call, work) => {
          writes += 1;
          return storage.write(call, work);
        },
      };
      const jobs = createSweeps({ storage: counting, clock, ...(tenants && { tenants: async () => tenants }) });
      await jobs.find((job) => job.name === name)!.run(signal ?? new AbortController().signal);
      return writes;
    };
    const addKeys = (storage: Storage, tenant: TenantId, prefix: string, count: number, at: number) =>
      run(
        storage,
        sql`
          with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
          insert into idempotency (tenant, key, request_hash, answer, at)
          select ${tenant}, ${prefix} || i, 'h', '', cast(${at} as bigint) + i from n`,
        tenant,
      );
    const keysOf = async (storage: Storage, tenant: TenantId) =>
      Number(
        (
          await read(
            storage,
            sql<{ n: number | string }>`select count(*) as n from idempotency where tenant = ${tenant}`,
            tenant,
          )
        )[0]!.n,
      );

    it('removes expired idempotency keys of the given tenants, a few hundred per write', async () => {
      const clock = createManualClock();
      const storage = await open(clock);
      const [mine, other] = [toTenantId('sweep-keys-mine'), toTenantId('sweep-keys-other')];
      const old = clock.now() - limits.idempotencyKeyDays * dayMs;
      for (const tenant of [mine, other]) {
        await addKeys(storage, tenant, 'old-', 1_200, old - 1_201);
        await addKeys(storage, tenant, 'young-', 3, old - 1);
      }
      expect(await sweep(storage, clock, 'sweep-keys', [mine])).toBe(3);
      expect([await keysOf(storage, mine), await keysOf(storage, other)]).toEqual([3, 1_203]);
      await sweep(storage, clock, 'sweep-keys', [mine, other]);
      expect(await keysOf(storage, other)).toBe(3);
      clock.advance(4);
      await sweep(storage, clock, 'sweep-keys', [mine, other]);
      expect(await keysOf(storage, mine)).toBe(0);
    });

    it('keeps the newest idempotency keys of a tenant that has too many', async () => {
      const clock = createManualClock();
      const storage = await open(clock);
      const tenant = toTenantId('sweep-keys-many');
      await addKeys(storage, tenant, 'k-', limits.idempotencyKeysCount + 700, clock.now() - dayMs);
      expect(await sweep(storage, clock, 'sweep-keys', [tenant])).toBe(3);
      expect(await keysOf(storage, tenant)).toBe(limits.idempotencyKeysCount);
      const [first] = await read(
        storage,
        sql<{ at: number | string }>`select min(at) as at from idempotency where tenant = ${tenant}`,
        tenant,
      );
      expect(Number(first!.at)).toBe(clock.now() - dayMs + 701);
    });

    it('removes expired trash, and stops between two writes when aborted', async () => {
      const clock = createManualClock();
      const storage = await open(clock);
      const old = clock.now() - limits.trashDays * dayMs;
      await run(
        storage,
        sql`
          with recursive n (i) as (select 1 union all select i + 1 from n where i < 1003)
          insert into trash (tenant, topic, id, document, actor, at)
          select ${localTenant}, 'pad', 'p' || (i % 7), '{}', 'a', cast(${old} as bigint) - 1001 + i from n`,
      );
      const count = async () =>
        Number((await read(storage, sql<{ n: number | string }>`select count(*) as n from trash`))[0]!.n);
      expect(await sweep(storage, clock, 'sweep-trash', undefined, AbortSignal.abort())).toBe(0);
      expect(await count()).toBe(1_003);
      expect(await sweep(storage, clock, 'sweep-trash')).toBe(3);
      expect(await count()).toBe(3);
    });
  });
});
