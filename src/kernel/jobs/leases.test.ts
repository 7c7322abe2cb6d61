import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { type Clock, createManualClock, systemClock } from '../clock/clock.ts';
import { createIds } from '../ids/ids.ts';
import type { Storage } from '../storage/port.ts';
import { sql } from '../storage/sql.ts';
import { createLeases, type Leases } from './leases.ts';
import { nameProcess } from './process-name.ts';
import { createTestStore } from './store.fixture.ts';

const ttlMs = 30_000;

describe.each([sqliteEngine(true), postgresEngine(true)])('on $name', (engine) => {
  const { open, run, read } = createTestStore(engine);
  const leasesOf = (storage: Storage, clock: Clock = systemClock): Leases =>
    createLeases({ storage, clock, ids: createIds(clock) });

  describe('a lease', () => {
    it('is held by one holder at a time, in this process and in another', async () => {
      const [here, there] = [leasesOf(await open()), leasesOf(await open())];
      const [started, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const first = here.hold('merge', ttlMs, async () => {
        started.resolve();
        await done.promise;
        return 'first';
      });
      await started.promise;
      expect(await here.hold('merge', ttlMs, async () => 'second')).toBeUndefined();
      expect(await there.hold('merge', ttlMs, async () => 'third')).toBeUndefined();
      expect(await there.hold('sweep', ttlMs, async () => 'another')).toBe('another');
      done.resolve();
      expect(await first).toBe('first');
      expect(await there.hold('merge', ttlMs, async () => 'fourth')).toBe('fourth');
    });

    /** The highest number of simultaneous holders when sixteen ask five times each, and how often one got the lease. */
    async function contend(holders: readonly Leases[]): Promise<{ most: number; count: number }> {
      const seen = { inside: 0, most: 0, count: 0 };
      const enter = async () => {
        seen.inside += 1;
        seen.count += 1;
        seen.most = Math.max(seen.most, seen.inside);
        await new Promise((resolve) => setImmediate(resolve));
        seen.inside -= 1;
      };
      await Promise.all(
        Array.from({ length: 16 }, async (_, i) => {
          for (let round = 0; round < 5; round += 1) await holders[i % holders.length]!.hold('contend', ttlMs, enter);
        }),
      );
      return seen;
    }

    /** As if the process with this id held the lease. */
    async function holdAs(storage: Storage, pid: number): Promise<void> {
      const holder = nameProcess('x').replace(`/${process.pid}/`, `/${pid}/`);
      await run(
        storage,
        sql`insert into leases (name, holder, until) values ('killed', ${holder}, ${Date.now() + ttlMs})`,
      );
    }

    it.runIf(process.platform === 'linux')(
      'of a killed process of this machine is free, of a running one not',
      async () => {
        const storage = await open();
        const leases = leasesOf(storage);
        const child = spawn('sleep', ['60']);
        await once(child, 'spawn');
        await holdAs(storage, child.pid!);
        expect(await leases.hold('killed', ttlMs, async () => 'taken')).toBeUndefined();
        child.kill('SIGKILL');
        await once(child, 'exit');
        expect(await leases.hold('killed', ttlMs, async () => 'taken')).toBe('taken');
      },
    );

    it('never has two holders, however many ask', async () => {
      const { most, count } = await contend([leasesOf(await open()), leasesOf(await open())]);
      expect(most).toBe(1);
      expect(count).toBeGreaterThan(1);
    });

    it('negative control: a check before taking lets two holders in', async () => {
      const storage = await open();
      const naive: Leases = {
        async hold(name, ms, work) {
          const held = await read(storage, sql`select holder from leases where name = ${name}`);
          if (held.length > 0) return undefined;
          const until = systemClock.now() + ms;
          await run(
            storage,
            sql`insert into leases (name, holder, until) values (${name}, 'me', ${until}) on conflict (name) do nothing`,
          );
          const value = await work(new AbortController().signal);
          await run(storage, sql`delete from leases where name = ${name}`);
          return value;
        },
      };
      expect((await contend([naive])).most).toBeGreaterThan(1);
    });

    it('is released also when the work fails', async () => {
      const leases = leasesOf(await open());
      await expect(leases.hold('fails', ttlMs, async () => Promise.reject(new Error('broken')))).rejects.toThrow(
        'broken',
      );
      expect(await leases.hold('fails', ttlMs, async () => 'free')).toBe('free');
    });

    it('of a process that died is free when it expires, not before', async () => {
      const clock = createManualClock();
      const storage = await open(clock);
      const leases = leasesOf(storage, clock);
      await run(
        storage,
        sql`insert into leases (name, holder, until) values ('orphan', 'dead', ${clock.now() + ttlMs})`,
      );
      expect(await leases.hold('orphan', ttlMs, async () => 'taken')).toBeUndefined();
      clock.advance(ttlMs - 1);
      expect(await leases.hold('orphan', ttlMs, async () => 'taken')).toBeUndefined();
      clock.advance(1);
      expect(await leases.hold('orphan', ttlMs, async () => 'taken')).toBe('taken');
    });

    it('is renewed while the work runs', async () => {
      const storage = await open();
      const untilOf = async () =>
        Number(
          (await read(storage, sql<{ until: number | string }>`select until from leases where name = 'long'`))[0]
            ?.until,
        );
      const renewed = await leasesOf(storage).hold('long', 600, async (signal) => {
        const first = await untilOf();
        await vi.waitUntil(async () => (await untilOf()) > first, { timeout: 120_000 });
        return !signal.aborted;
      });
      expect(renewed).toBe(true);
    });

    it('that another process took aborts the work', async () => {
      const storage = await open();
      const reason = await leasesOf(storage).hold('stolen', 300, async (signal) => {
        await run(storage, sql`update leases set holder = 'thief' where name = 'stolen'`);
        await once(signal, 'abort');
        return String(signal.reason);
      });
      expect(reason).toBe('Error: the lease stolen was lost');
      expect(await read(storage, sql`select holder from leases where name = 'stolen'`)).toEqual([{ holder: 'thief' }]);
    });

    it('that cannot be renewed aborts the work when it expires, and the work still returns its result', async () => {
      const storage = await open();
      const answer = await leasesOf(storage).hold('away', 200, async (signal) => {
        await storage.close();
        await once(signal, 'abort');
        return 'stopped in time';
      });
      expect(answer).toBe('stopped in time');
    });
  });
});
