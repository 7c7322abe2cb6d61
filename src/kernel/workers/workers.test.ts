import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { localTenant, toTenantId } from '../call.ts';
import { Fault } from '../fault/fault.ts';
import { poolEntry } from './pool-entry.ts';
import { defineTask } from './task.ts';
import { createWorkers, type Workers, type WorkersOptions } from './workers.ts';

const echo = defineTask<unknown, unknown>('echo');
const spin = defineTask<null, never>('spin');
const announce = defineTask<string, never>('announce');
const pidOf = defineTask<null, number>('pid');
/** The time limit of a job is generous, because the machine may be busy. */
const call = { tenant: localTenant, wallMs: 600_000 };
const tasksEntry = new URL('./tasks.fixture.ts', import.meta.url);

/** Tasks report here; a connection closes when its process is gone. */
interface Ear {
  readonly path: string;
  next(): Promise<{ readonly pid: number; readonly closed: Promise<void> }>;
  close(): void;
}

async function listen(): Promise<Ear> {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-workers-'));
  const sockets = new Set<Socket>();
  const heard: Awaited<ReturnType<Ear['next']>>[] = [];
  const waiting: ((one: Awaited<ReturnType<Ear['next']>>) => void)[] = [];
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const one = { pid: Number(String(chunk)), closed };
      const first = waiting.shift();
      if (first === undefined) heard.push(one);
      else first(one);
    });
  });
  const path = join(folder, 's');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    next: async () => heard.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A process that ended but was not yet reaped by its new parent counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
}

/** Sets up pools that are closed after each test, and a listener, for a `describe`. */
function usePools(isolation: 'thread' | 'process') {
  const pools: Workers[] = [];
  let ear: Ear;
  beforeAll(async () => {
    ear = await listen();
  });
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((workers) => workers.close()));
  });
  afterAll(() => ear.close());
  return {
    ear: () => ear,
    open(options: Partial<WorkersOptions> = {}): Workers {
      const workers = createWorkers({ entry: tasksEntry, isolation, threadsCount: 2, ...options });
      pools.push(workers);
      return workers;
    },
  };
}

describe.each(['thread', 'process'] as const)('the worker pool of kind %s', (isolation) => {
  const { open, ear } = usePools(isolation);

  const outcome = async (promise: Promise<unknown>): Promise<unknown> => {
    try {
      return await promise;
    } catch (error) {
      return error instanceof Fault ? error.code : (error as Error).message;
    }
  };
  const task = (name: string) => defineTask<unknown, unknown>(name);
  /** Occupies a worker until it is killed; resolves once it does. */
  const occupy = (workers: Workers, signal: AbortSignal, tenant = localTenant) => {
    const running = ear().next();
    const job = outcome(workers.run(announce, ear().path, { tenant, signal, wallMs: 600_000 }));
    return { job, running };
  };

  it('answers each job with its own result', async () => {
    const workers = open();
    const inputs = Array.from({ length: 40 }, (_, i) => ({ i, bytes: new Uint8Array([i]) }));
    expect(await Promise.all(inputs.map((input) => workers.run(echo, input, call)))).toEqual(inputs);
  });

  it('stops a job at its time limit and continues in a new worker', async () => {
    const workers = open();
    expect(await outcome(workers.run(spin, null, { ...call, wallMs: 50 }))).toBe('JOB_TIMEOUT');
    expect(await workers.run(echo, 2, call)).toBe(2);
  });

  it('serves other jobs while one runs', async () => {
    const workers = open();
    const stop = new AbortController();
    const endless = defineTask<string, never>('announceAndSpin');
    const running = ear().next();
    const job = outcome(workers.run(endless, ear().path, { ...call, signal: stop.signal }));
    let isOver = false;
    void job.then(() => {
      isOver = true;
    });
    await running;
    expect(await workers.run(echo, 1, call)).toBe(1);
    expect(isOver).toBe(false);
    stop.abort(new Error('enough'));
    expect(await job).toBe('enough');
  });

  it('names the work and the time in the fault', async () => {
    const error = await open()
      .run(spin, null, { ...call, wallMs: 50, what: 'The pattern' })
      .catch((caught: unknown) => caught);
    expect((error as Fault).message).toBe('The pattern took longer than 50 ms and was stopped');
  });

  it('stops a job that takes all memory, and the process survives', async () => {
    const workers = open({ heapMb: 32 });
    expect(await outcome(workers.run(task('hoard'), null, { ...call, wallMs: 600_000 }))).toBe('JOB_MEMORY');
    expect(await workers.run(echo, 'alive', call)).toBe('alive');
  });

  it('survives a task that exits, crashes, aborts, throws, overflows its stack, cannot load, is unknown, or returns an uncopyable value', async () => {
    const workers = open();
    const run = (name: string) => outcome(workers.run(task(name), null, call));
    expect(await run('leave')).toBe('the task leave crashed its worker');
    expect(await run('crash')).toBe('the task crash crashed its worker');
    expect(await run('abort')).toMatch(/^the task abort failed: .*abort/);
    expect(await run('refuse')).toBe('the task refuse failed: intended failure');
    expect(await run('recurse')).toBe('the task recurse failed: Maximum call stack size exceeded');
    expect(await run('unloadable')).toBe('the task unloadable failed: intended load failure');
    expect(await run('uncloneable')).toMatch(/^the task uncloneable failed: .*could not be cloned/);
    expect(await run('toString')).toBe('the task toString failed: bug: the worker entry has no task toString');
    expect(await outcome(workers.run(echo, () => {}, call))).toMatch(/could not be cloned/);
    expect(await run('echo')).toBe(null);
  });

  it('does not count the loading of a task against its first job', async () => {
    expect(await open().run(task('ponderous'), null, { ...call, wallMs: 100 })).toBe('loaded');
  });

  it('rejects jobs that do not fit into the queue, in total and per tenant', async () => {
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

  it('cancels a job before it starts, while it waits and while it runs', async () => {
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

  it('rejects waiting, running and new jobs when it is closed', async () => {
    const workers = open({ threadsCount: 1 });
    const busy = occupy(workers, new AbortController().signal);
    await busy.running;
    const queued = outcome(workers.run(echo, 1, call));
    await workers.close();
    expect(await busy.job).toBe('SHUTTING_DOWN');
    expect(await queued).toBe('SHUTTING_DOWN');
    expect(await outcome(workers.run(echo, 2, call))).toBe('SHUTTING_DOWN');
  });

  it('reports per job that its entry cannot start, instead of starting threads forever', async () => {
    const workers = open({ entry: new URL('./no-such-entry.ts', import.meta.url) });
    const jobs = [1, 2, 3].map((i) => outcome(workers.run(echo, i, call)));
    expect(await Promise.all(jobs)).toEqual(Array(3).fill('a worker could not start'));
  });

  it('gives a task neither the environment nor the flags of the process', async () => {
    expect(await open().run(task('environment'), null, call)).toEqual({ names: [], flags: [] });
  });

  const runProgram = (source: string) =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8', timeout: 120_000 });
  const prelude = `
    import { createWorkers } from ${JSON.stringify(new URL('./workers.ts', import.meta.url).href)};
    const workers = createWorkers({ entry: new URL(${JSON.stringify(tasksEntry.href)}), threadsCount: 1, idleMs: IDLE, isolation: '${isolation}' });
    const run = (name, input) => workers.run({ name }, input, { tenant: 'local' });`;

  it('keeps no process alive after its jobs, and lets none of them write to stdout', () => {
    // The rounds after the print give its output time to arrive.
    const { status, stdout, stderr } = runProgram(`${prelude.replace('IDLE', '600000')}
      console.error(await run('print', 'stray'));
      for (let i = 0; i < 50; i += 1) await run('echo', i);`);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: 'stray\n' });
  });

  it('starts no worker before the first job and ends idle ones', () => {
    const { stdout } = runProgram(`${prelude.replace('IDLE', '1')}
      const { Worker } = await import('node:worker_threads');
      const { ChildProcess } = await import('node:child_process');
      const resources = () => process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort|Process/.test(name)).length;
      const before = resources();
      const [type, method] = '${isolation}' === 'thread' ? [Worker, 'terminate'] : [ChildProcess, 'kill'];
      const original = type.prototype[method];
      const ended = new Promise((resolve) => {
        type.prototype[method] = function (...given) { resolve('ended'); return original.apply(this, given); };
      });
      await run('echo', 1);
      const keepAlive = setInterval(() => {}, 1000);
      console.log(before, await ended, await run('echo', 2));
      clearInterval(keepAlive);`);
    expect(stdout).toBe('0 ended 2\n');
  });
});

describe('a pool of processes', () => {
  const { open, ear } = usePools('process');
  const codeOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => (error as Fault).code);

  it('limits memory outside the heap', async () => {
    const workers = open({ threadsCount: 1, memoryMb: 300 });
    const swell = defineTask<null, never>('swell');
    const error = await workers.run(swell, null, { ...call, wallMs: 600_000 }).catch((caught: unknown) => caught);
    expect((error as Fault).code).toBe('JOB_MEMORY');
    expect((error as Fault).message).toContain('300 MB');
    expect(await workers.run(echo, 'alive', call)).toBe('alive');
  });

  it('limits the CPU time of a job, and counts only its own', async () => {
    const workers = open({ threadsCount: 1 });
    const spend = defineTask<number, string>('spend');
    const limits = { ...call, cpuMs: 2_000, what: 'Reading the file' };
    const error = await workers.run(spin, null, limits).catch((caught: unknown) => caught);
    expect((error as Fault).code).toBe('JOB_TIMEOUT');
    expect((error as Fault).message).toBe('Reading the file took longer than 2000 ms of CPU time and was stopped');
    // Together they take more than the limit of each.
    for (let i = 0; i < 3; i += 1) expect(await workers.run(spend, 800, limits)).toBe('spent');
  });

  it('reports the abort of a process as V8 being out of memory', async () => {
    const workers = open({ threadsCount: 1 });
    const job = codeOf(workers.run(announce, ear().path, { ...call, wallMs: 600_000 }));
    process.kill((await ear().next()).pid, 'SIGABRT');
    expect(await job).toBe('JOB_MEMORY');
    const other = workers.run(announce, ear().path, { ...call, wallMs: 600_000 }).catch((error: unknown) => error);
    process.kill((await ear().next()).pid, 'SIGKILL');
    expect(((await other) as Error).message).toBe('the task announce crashed its worker');
  });

  it('reuses a process only if it has not grown too much', async () => {
    const workers = open({ threadsCount: 1, memoryMb: 500 });
    const swellOnce = defineTask<number, { readonly pid: number }>('swellOnce');
    const lean = await workers.run(pidOf, null, call);
    expect((await workers.run(swellOnce, 1024, call)).pid).toBe(lean);
    expect((await workers.run(swellOnce, 390 * 1024 * 1024, call)).pid).toBe(lean);
    expect(await workers.run(pidOf, null, call)).not.toBe(lean);
  });

  it('serves fifty jobs that exhaust their memory together, and the jobs of others between them', async () => {
    const workers = open({ heapMb: 16, threadsCount: 4, queueCount: 100, queuePerTenantCount: 100 });
    const bombs = Array.from({ length: 50 }, () =>
      codeOf(workers.run(defineTask<null, never>('hoard'), null, { ...call, wallMs: 600_000 })),
    );
    const other = await workers.run(echo, 'other', { tenant: toTenantId('other') });
    expect(other).toBe('other');
    expect(new Set(await Promise.all(bombs))).toEqual(new Set(['JOB_MEMORY']));
  });

  it('ends its idle and busy processes when it is closed', async () => {
    const workers = open();
    const idle = await workers.run(pidOf, null, call);
    const running = [ear().next(), ear().next()];
    const jobs = [1, 2].map(() => codeOf(workers.run(announce, ear().path, { ...call, wallMs: 600_000 })));
    const busy = await Promise.all(running);
    expect(busy.map(({ pid }) => pid)).toContain(idle);
    await workers.close();
    expect(await Promise.all(jobs)).toEqual(['SHUTTING_DOWN', 'SHUTTING_DOWN']);
    expect(busy.map(({ pid }) => isAlive(pid))).toEqual([false, false]);
    // Not even a zombie is left of a child that this process waited for.
    for (const { pid } of busy) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it.each(['announce', 'announceAndSpin'])(
    'leaves no process behind when the program is killed during %s',
    async (name) => {
      const program = spawn(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `import { createWorkers } from ${JSON.stringify(new URL('./workers.ts', import.meta.url).href)};
           const workers = createWorkers({ entry: new URL(${JSON.stringify(tasksEntry.href)}), isolation: 'process' });
           await workers.run({ name: ${JSON.stringify(name)} }, ${JSON.stringify(ear().path)}, { tenant: 'local', wallMs: 600_000 });`,
        ],
        { stdio: 'ignore' },
      );
      const { pid, closed } = await ear().next();
      expect(isAlive(pid)).toBe(true);
      program.kill('SIGKILL');
      await closed;
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 120_000, interval: 5 });
    },
  );

  it('ignores the signals that a terminal sends to all processes of a program', async () => {
    const workers = open({ threadsCount: 1 });
    const pid = await workers.run(pidOf, null, call);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    expect(await workers.run(pidOf, null, call)).toBe(pid);
  });

  // A priority that is low already, as under `nice`, is not lowered.
  it.runIf(process.platform === 'linux' && getPriority() < constants.priority.PRIORITY_BELOW_NORMAL)(
    'lowers the priority of a process with a long job and does not reuse it',
    async () => {
      const workers = open({ threadsCount: 1 });
      const linger = defineTask<null, { readonly before: number; readonly after: number; readonly pid: number }>(
        'linger',
      );
      const { before, after, pid } = await workers.run(linger, null, { ...call, wallMs: 600_000 });
      expect(before).toBe(getPriority());
      expect(after).toBeGreaterThan(before);
      expect(await workers.run(pidOf, null, call)).not.toBe(pid);
    },
  );
});

describe('the entry of the program', () => {
  it('is found next to its module and serves the tasks of the kernel', async () => {
    const workers = createWorkers({ entry: poolEntry, threadsCount: 1 });
    const match = defineTask<unknown, unknown>('regex/match');
    expect(
      await workers.run(match, { source: 'b+', flags: '', texts: ['abbc'], perTextMax: 5, totalMax: 5 }, call),
    ).toEqual({
      kind: 'found',
      texts: [[{ start: 1, end: 3 }]],
      cut: false,
    });
    await workers.close();
  });

  it('does not reach the heap limit of a thread with accepted patterns and texts', () => {
    // In a separate program, because reaching the limit would end it.
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { createRegexRunner, regexLimits } from ${JSON.stringify(new URL('./regex-runner.ts', import.meta.url).href)};
         import { createWorkers } from ${JSON.stringify(new URL('./workers.ts', import.meta.url).href)};
         const workers = createWorkers({ entry: new URL(${JSON.stringify(poolEntry.href)}), threadsCount: 1 });
         const patterns = createRegexRunner(workers);
         const wide = '\u1234'.repeat(regexLimits.patternTextChars);
         const many = Array.from({ length: 200_000 }, (_, i) => '\u1234'.repeat(40));
         const queries = [
           { source: '()'.repeat(499), texts: [wide] },
           { source: '(?:(.)|.)*y', flags: 's', texts: [wide] },
           { source: '('.repeat(300) + '.' + ')'.repeat(300), texts: many },
           { source: Array.from({ length: 110 }, (_, i) => '(?<a' + i + '>.?)').join(''), texts: many },
           { source: '(?:\\\\p{RGI_Emoji}{9}){9}'.repeat(30), flags: 'iv', texts: [wide] },
           { source: '\\\\p{L}|'.repeat(150), flags: 'iu', texts: [wide] },
         ];
         for (const query of queries) {
           for (const way of ['test', 'findAll']) {
             const code = await patterns[way]({ ...query, tenant: 'local' }).then(() => 'found', (error) => error.code ?? 'failed');
             console.log(code);
           }
         }
         await workers.close();`,
      ],
      { encoding: 'utf8', timeout: 120_000 },
    );
    expect(status).toBe(0);
    const codes = stdout.trim().split('\n');
    expect(codes).toHaveLength(12);
    expect(codes).not.toContain('JOB_MEMORY');
    expect(codes).toContain('found');
  });
});
