import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../clock/clock.ts';
import { createLogFixture, silentLog } from '../log/log.ts';
import { createJobs, type PeriodicJob } from './jobs.ts';
import type { Leases } from './leases.ts';

describe('background jobs', () => {
  /** Leases within one process. */
  const freeLeases: Leases = { hold: async (_name, _ttlMs, work) => work(new AbortController().signal) };
  const takenLeases: Leases = { hold: async () => undefined };
  const job = (name: string, work: PeriodicJob['run'], everyMs = 1): PeriodicJob => ({ name, everyMs, run: work });

  it('run again and again, and a failure is logged and does not stop them', async () => {
    const log = createLogFixture();
    const enough = Promise.withResolvers<void>();
    let count = 0;
    const jobs = createJobs({ leases: freeLeases, log }, [
      job('often', async () => {
        count += 1;
        if (count === 2) throw new Error('broken');
        if (count === 5) enough.resolve();
      }),
    ]);
    jobs.start();
    await enough.promise;
    await jobs.stop();
    expect(
      log.lines.map(({ level, fields, message }) => [level, fields['job'], String(fields['err']), message]),
    ).toEqual([['error', 'often', 'Error: broken', 'a background job failed']]);
  });

  it('never overlap with themselves, also when one is requested while it runs', async () => {
    const [started, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let inside = 0;
    let runs = 0;
    const jobs = createJobs({ leases: freeLeases, log: silentLog }, [
      job('slow', async () => {
        inside += 1;
        runs += 1;
        expect(inside).toBe(1);
        started.resolve();
        await done.promise;
        inside -= 1;
      }),
    ]);
    jobs.start();
    await started.promise;
    const asked = [jobs.runNow('slow'), jobs.runNow('slow')];
    expect(runs).toBe(1);
    done.resolve();
    await Promise.all(asked);
    await jobs.stop();
  });

  it('are left to the process that holds their lease', async () => {
    const work = vi.fn<() => Promise<void>>(async () => {});
    const jobs = createJobs({ leases: takenLeases, log: silentLog }, [job('elsewhere', work)]);
    await jobs.runNow('elsewhere');
    await jobs.stop();
    expect(work).not.toHaveBeenCalled();
    expect(jobs.status()).toEqual([{ name: 'elsewhere', everyMs: 1, state: 'elsewhere' }]);
  });

  it('show when they ran and why they failed, until they succeed', async () => {
    const clock = createManualClock();
    const outcomes = [async () => {}, () => Promise.reject(new Error('the disk is full')), async () => {}];
    const jobs = createJobs({ leases: freeLeases, log: silentLog, clock }, [job('sweep', () => outcomes.shift()!())]);
    const about = { name: 'sweep', everyMs: 1, state: 'waiting' };
    expect(jobs.status()).toEqual([about]);
    const times = { startedAt: clock.now(), endedAt: clock.now() };
    await jobs.runNow('sweep');
    expect(jobs.status()).toEqual([{ ...about, ...times }]);
    await jobs.runNow('sweep');
    expect(jobs.status()).toEqual([{ ...about, ...times, error: 'the disk is full' }]);
    await jobs.runNow('sweep');
    expect(jobs.status()).toEqual([{ ...about, ...times }]);
  });

  it('that run when the program stops are aborted, awaited, and not started again', async () => {
    const log = createLogFixture();
    const started = Promise.withResolvers<void>();
    const seen: string[] = [];
    const jobs = createJobs({ leases: freeLeases, log }, [
      job('last', async (signal) => {
        seen.push('started');
        started.resolve();
        await once(signal, 'abort');
        seen.push('aborted');
        await new Promise((resolve) => setImmediate(resolve));
        seen.push('ended');
        throw signal.reason;
      }),
    ]);
    jobs.start();
    await started.promise;
    await jobs.stop();
    expect(seen).toEqual(['started', 'aborted', 'ended']);
    await jobs.runNow('last');
    expect(seen).toHaveLength(3);
    expect(log.lines).toEqual([]);
  });

  it('spread their start times', async () => {
    const delays: number[] = [];
    const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((_work: unknown, ms: number) => {
      delays.push(ms);
      return { unref() {} };
    }) as never);
    const jobs = createJobs({ leases: freeLeases, log: silentLog, random: () => 0.25 }, [
      job('a', async () => {}, 1_000),
    ]);
    jobs.start();
    spy.mockRestore();
    await jobs.stop();
    expect(delays).toEqual([250]);
  });

  it('keep no process alive', () => {
    const url = JSON.stringify(new URL('./jobs.ts', import.meta.url).href);
    const program = `import { createJobs } from ${url};
      createJobs({ leases: {}, log: {} }, [{ name: 'a', everyMs: 600_000, run: async () => {} }]).start();`;
    const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { timeout: 120_000 });
    expect(status).toBe(0);
  });

  it('with an unknown name are a bug', async () => {
    await expect(createJobs({ leases: freeLeases, log: silentLog }, []).runNow('none')).rejects.toThrow(
      /^bug: unknown job none/,
    );
  });
});
