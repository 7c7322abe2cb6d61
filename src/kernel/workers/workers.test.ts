import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { localTenant, toTenantId } from '../call.ts';
import { Fault } from '../fault/fault.ts';
import { poolEntry } from './pool-entry.ts';
import { defineTask } from './task.ts';
import { createWorkers, type Workers, type WorkersOptions } from './workers.ts';

const echo = defineTask<unknown, unknown>('echo');
const spin = defineTask<null, never>('spin');
const announce = defineTask<Int32Array, never>('announce');
const call = { tenant: localTenant };
const planted = new URL('./planted-tasks.ts', import.meta.url);

describe('the worker pool', () => {
  const pools: Workers[] = [];
  const open = (options: Partial<WorkersOptions> = {}) => {
    const workers = createWorkers({ entry: planted, threadsCount: 2, ...options });
    pools.push(workers);
    return workers;
  };
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((workers) => workers.close()));
  });

  const outcome = async (promise: Promise<unknown>): Promise<unknown> => {
    try {
      return await promise;
    } catch (error) {
      return error instanceof Fault ? error.code : (error as Error).message;
    }
  };
  const task = (name: string) => defineTask<unknown, unknown>(name);
  /** A job that holds a thread until it is killed, and a promise that it does. */
  const occupy = (workers: Workers, signal: AbortSignal, tenant = localTenant) => {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const job = outcome(workers.run(announce, flag, { tenant, signal, wallMs: 30_000 }));
    const waiting = Atomics.waitAsync(flag, 0, 0);
    return { job, running: Promise.resolve(waiting.value) };
  };

  it('answers each job with its own result', async () => {
    const workers = open();
    const inputs = Array.from({ length: 40 }, (_, i) => ({ i, bytes: new Uint8Array([i]) }));
    expect(await Promise.all(inputs.map((input) => workers.run(echo, input, call)))).toEqual(inputs);
  });

  it('stops a job at its wall time, in a fresh thread goes on, and other jobs are served meanwhile', async () => {
    const workers = open();
    const spinning = outcome(workers.run(spin, null, { ...call, wallMs: 1_000 }));
    const order: string[] = [];
    void spinning.then(() => order.push('spin'));
    await workers.run(echo, 1, call).then(() => order.push('echo'));
    expect(await spinning).toBe('JOB_TIMEOUT');
    expect(order).toEqual(['echo', 'spin']);
    expect(await workers.run(echo, 2, call)).toBe(2);
  });

  it('names the work and the time in the fault', async () => {
    const error = await open()
      .run(spin, null, { ...call, wallMs: 50, what: 'The pattern' })
      .catch((caught: unknown) => caught);
    expect((error as Fault).message).toBe('The pattern took longer than 50 ms and was stopped');
  });

  it('stops a job that takes all memory, and the process lives', async () => {
    const workers = open({ heapMb: 32 });
    expect(await outcome(workers.run(task('hoard'), null, { ...call, wallMs: 30_000 }))).toBe('JOB_MEMORY');
    expect(await workers.run(echo, 'alive', call)).toBe('alive');
  });

  it('survives a task that leaves, crashes, throws, overflows its stack, cannot load, is unknown, or answers what cannot be copied', async () => {
    const workers = open();
    const run = (name: string) => outcome(workers.run(task(name), null, call));
    expect(await run('leave')).toBe('the task leave crashed its thread');
    expect(await run('crash')).toBe('the task crash crashed its thread');
    expect(await run('refuse')).toBe('the task refuse failed: planted refusal');
    expect(await run('recurse')).toBe('the task recurse failed: Maximum call stack size exceeded');
    expect(await run('unloadable')).toBe('the task unloadable failed: planted load failure');
    expect(await run('uncloneable')).toMatch(/^the task uncloneable failed: .*could not be cloned/);
    expect(await run('toString')).toBe('the task toString failed: bug: the worker entry has no task toString');
    expect(await outcome(workers.run(echo, () => {}, call))).toMatch(/could not be cloned/);
    expect(await run('echo')).toBe(null);
  });

  it('does not count the loading of a task against its first job', async () => {
    expect(await open().run(task('ponderous'), null, { ...call, wallMs: 100 })).toBe('loaded');
  });

  it('refuses what does not fit into the queue, of all and of one tenant', async () => {
    const workers = open({ threadsCount: 1, queueCount: 3, queuePerTenantCount: 2 });
    const stop = new AbortController();
    const busy = occupy(workers, stop.signal);
    await busy.running;
    const [ada, bob, cy] = ['ada', 'bob', 'cy'].map((name) => ({ tenant: toTenantId(name) }));
    const waiting = [workers.run(echo, 1, ada!), workers.run(echo, 2, ada!)];
    expect(await outcome(workers.run(echo, 3, ada!))).toBe('WORKERS_BUSY');
    waiting.push(workers.run(echo, 4, bob!));
    expect(await outcome(workers.run(echo, 5, cy!))).toBe('WORKERS_BUSY');
    stop.abort();
    expect(await Promise.all(waiting)).toEqual([1, 2, 4]);
    expect(await workers.run(echo, 6, cy!)).toBe(6);
  });

  it('lets tenants take turns', async () => {
    const workers = open({ threadsCount: 1 });
    const stop = new AbortController();
    const busy = occupy(workers, stop.signal);
    await busy.running;
    const order: unknown[] = [];
    const send = (tenant: string, name: string) =>
      workers.run(echo, name, { tenant: toTenantId(tenant) }).then((value) => order.push(value));
    const all = [send('a', 'a1'), send('a', 'a2'), send('a', 'a3'), send('b', 'b1'), send('b', 'b2')];
    stop.abort();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('ends a job when its caller is gone: before it came, while it waits, while it runs', async () => {
    const workers = open({ threadsCount: 1 });
    expect(await outcome(workers.run(echo, 1, { ...call, signal: AbortSignal.abort(new Error('early')) }))).toBe(
      'early',
    );
    const running = new AbortController();
    const waiting = new AbortController();
    const busy = occupy(workers, running.signal);
    await busy.running;
    const queued = outcome(workers.run(echo, 2, { ...call, signal: waiting.signal }));
    waiting.abort(new Error('while it waits'));
    expect(await queued).toBe('while it waits');
    running.abort(new Error('while it runs'));
    expect(await busy.job).toBe('while it runs');
    expect(await workers.run(echo, 3, call)).toBe(3);
  });

  it('refuses everything when it is closed, also what waits and what runs', async () => {
    const workers = open({ threadsCount: 1 });
    const busy = occupy(workers, new AbortController().signal);
    await busy.running;
    const queued = outcome(workers.run(echo, 1, call));
    await workers.close();
    expect(await busy.job).toBe('SHUTTING_DOWN');
    expect(await queued).toBe('SHUTTING_DOWN');
    expect(await outcome(workers.run(echo, 2, call))).toBe('SHUTTING_DOWN');
  });

  it('says so when its entry cannot start, job by job, instead of starting threads for ever', async () => {
    const workers = open({ entry: new URL('./no-such-entry.ts', import.meta.url) });
    const jobs = [1, 2, 3].map((i) => outcome(workers.run(echo, i, call)));
    expect(await Promise.all(jobs)).toEqual(Array(3).fill('a worker thread could not start'));
  });

  it('gives a task neither the environment nor the flags of the process', async () => {
    expect(await open().run(task('environment'), null, call)).toEqual({ names: [], flags: [] });
  });

  const runProgram = (source: string) =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8', timeout: 30_000 });
  const prelude = `
    import { createWorkers } from ${JSON.stringify(new URL('./workers.ts', import.meta.url).href)};
    const workers = createWorkers({ entry: new URL(${JSON.stringify(planted.href)}), threadsCount: 1, idleMs: IDLE });
    const run = (name, input) => workers.run({ name }, input, { tenant: 'local' });`;

  it('keeps no process alive once its jobs are done, and lets none of them write to stdout', () => {
    // The rounds after the print give what it wrote all the time it needs to come through.
    const { status, stdout, stderr } = runProgram(`${prelude.replace('IDLE', '600000')}
      console.error(await run('print', 'stray'));
      for (let i = 0; i < 50; i += 1) await run('echo', i);`);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: 'stray\n' });
  });

  it('starts no thread before the first job and ends idle ones', () => {
    const { stdout } = runProgram(`${prelude.replace('IDLE', '1')}
      const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker').length;
      const before = threads();
      await run('echo', 1);
      const { Worker } = await import('node:worker_threads');
      const terminate = Worker.prototype.terminate;
      const ended = new Promise((resolve) => {
        Worker.prototype.terminate = function () { resolve('ended'); return terminate.call(this); };
      });
      const keepAlive = setInterval(() => {}, 1000);
      console.log(before, await ended, await run('echo', 2));
      clearInterval(keepAlive);`);
    expect(stdout).toBe('0 ended 2\n');
  });
});

describe('the entry of the program', () => {
  it('is found beside its module and serves the tasks of the kernel', async () => {
    const workers = createWorkers({ entry: poolEntry, threadsCount: 1 });
    const match = defineTask<unknown, unknown>('pattern/match');
    expect(
      await workers.run(match, { source: 'b+', flags: '', texts: ['abbc'], perTextMax: 5, totalMax: 5 }, call),
    ).toEqual({
      kind: 'found',
      texts: [[{ start: 1, end: 3 }]],
      cut: false,
    });
    await workers.close();
  });
});
