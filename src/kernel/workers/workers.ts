import { availableParallelism } from 'node:os';
import type { TenantId } from '../call.ts';
import { faults } from '../fault/kernel-faults.ts';
import { createFairQueue, createQueuedJob, type QueuedJob } from './fair-queue.ts';
import { startProcess } from './process.ts';
import type { Overrun, Report, Runner, Task } from './task.ts';
import { startThread } from './thread.ts';
import { workerFaults } from './worker-faults.ts';
import { workerLimits } from './worker-limits.ts';

export { workerLimits };

export interface WorkersOptions {
  readonly entry: URL;
  /**
   * `thread` (the default) for work with bounded memory. `process` for work that may run out of memory: a thread that
   * does can end the whole program.
   */
  readonly isolation?: 'thread' | 'process';
  /** How many jobs run in parallel. */
  readonly threadsCount?: number;
  readonly queueCount?: number;
  readonly queuePerTenantCount?: number;
  readonly idleMs?: number;
  readonly heapMb?: number;
  /** The limit for all memory of a process. */
  readonly memoryMb?: number;
  /** A process that has a larger share of its memory after a job is not reused. */
  readonly restRatio?: number;
}

export interface JobOptions {
  readonly tenant: TenantId;
  readonly signal?: AbortSignal;
  readonly wallMs?: number;
  /** The limit for CPU time, which does not depend on what else the machine does. Only in a pool of processes. */
  readonly cpuMs?: number;
  /** The subject of fault messages: `The pattern took longer than …`. */
  readonly what?: string;
}

/** A bounded pool for work that a user's input can make slow or large. */
export interface Workers {
  run<I, O>(task: Task<I, O>, input: I, options: JobOptions): Promise<O>;
  /** Ends every worker; waiting and running jobs are rejected. */
  close(): Promise<void>;
}

interface Slot {
  readonly runner: Runner;
  readonly loaded: Set<string>;
  state: 'starting' | 'idle' | 'busy';
  job?: QueuedJob | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/** At least two: one job that runs to its time limit must not block all others. */
const defaultThreadsCount = (): number =>
  Math.min(Math.max(availableParallelism(), 2), workerLimits.workerThreadsCount);

export function createWorkers(options: WorkersOptions): Workers {
  const threadsCount = options.threadsCount ?? defaultThreadsCount();
  const idleMs = options.idleMs ?? workerLimits.workerIdleMs;
  const heapMb = options.heapMb ?? workerLimits.workerHeapMb;
  const memoryMb = options.memoryMb ?? heapMb + workerLimits.workerOutsideHeapMb;
  const restRatio = options.restRatio ?? workerLimits.workerRestRatio;
  const startRunner = options.isolation === 'process' ? startProcess : startThread;
  const queue = createFairQueue<QueuedJob>({
    total: options.queueCount ?? workerLimits.workerQueueCount,
    perTenant: options.queuePerTenantCount ?? workerLimits.workerQueuePerTenantCount,
  });
  const slots = new Set<Slot>();
  const ending = new Set<Promise<void>>();
  let isClosed = false;

  function setTimer(slot: Slot, ms: number, onTime: () => void): void {
    clearTimeout(slot.timer);
    slot.timer = setTimeout(onTime, ms);
  }

  function discard(slot: Slot): void {
    clearTimeout(slot.timer);
    slots.delete(slot);
    const end = slot.runner.end().finally(() => {
      ending.delete(end);
      pump();
    });
    ending.add(end);
  }

  /** Fails the slot's job or, if it had none yet, the job that has waited longest for a thread. */
  function fail(slot: Slot, error: unknown): void {
    const job = slot.job ?? (slot.state === 'starting' ? queue.shift() : undefined);
    discard(slot);
    job?.reject(error);
    pump();
  }

  function start(): void {
    const slot: Slot = {
      state: 'starting',
      loaded: new Set(),
      runner: startRunner(
        { entry: options.entry, heapMb, memoryMb, restRatio, stackMb: workerLimits.workerStackMb },
        { report: (report) => hear(slot, report), gone: (error, over) => fail(slot, toFailure(slot, error, over)) },
      ),
    };
    slots.add(slot);
    setTimer(slot, workerLimits.workerStartMs, () => fail(slot, new Error('a worker did not start in time')));
  }

  function toFailure({ job }: Slot, error: Error, over: Overrun | undefined): Error {
    if (job === undefined) return new Error('a worker could not start', { cause: error });
    if (over?.kind === 'memory') return workerFaults.JOB_MEMORY({ what: job.what, mb: over.mb });
    if (over?.kind === 'cpu') return workerFaults.JOB_TIMEOUT({ what: job.what, ms: over.ms, isCpu: true });
    return new Error(`the task ${job.task} crashed its worker`, { cause: error });
  }

  function armWall(slot: Slot, { what, wallMs }: QueuedJob): void {
    setTimer(slot, wallMs, () => fail(slot, workerFaults.JOB_TIMEOUT({ what, ms: wallMs })));
  }

  function rest(slot: Slot): void {
    slot.state = 'idle';
    slot.job = undefined;
    slot.runner.setBusy(false);
    setTimer(slot, idleMs, () => discard(slot));
    slot.timer?.unref();
  }

  function assign(slot: Slot, job: QueuedJob): void {
    const { task, input, cpuMs } = job;
    slot.state = 'busy';
    slot.job = job;
    slot.runner.setBusy(true);
    if (slot.loaded.has(task)) armWall(slot, job);
    else
      setTimer(slot, workerLimits.workerStartMs, () => fail(slot, new Error(`the task ${task} did not load in time`)));
    try {
      slot.runner.post({ task, input, ...(cpuMs === undefined ? {} : { cpuMs }) });
    } catch (error) {
      rest(slot);
      job.reject(error);
    }
  }

  function hear(slot: Slot, report: Report): void {
    const { job } = slot;
    if (report.kind === 'loaded') {
      if (job === undefined) return;
      slot.loaded.add(job.task);
      armWall(slot, job);
      return;
    }
    if (report.kind !== 'ready' && report.isLast === true) discard(slot);
    else rest(slot);
    if (report.kind === 'done') job?.resolve(report.value);
    if (report.kind === 'failed') job?.reject(toTaskError(job.task, report));
    pump();
  }

  function pump(): void {
    for (const slot of slots) {
      if (queue.size === 0) return;
      if (slot.state === 'idle') assign(slot, queue.shift()!);
    }
    const startingCount = [...slots].filter((slot) => slot.state === 'starting').length;
    // A worker that is ending still has its memory, which counts against the limit of the pool.
    const wantedCount = Math.min(queue.size - startingCount, threadsCount - slots.size - ending.size);
    for (let i = 0; i < wantedCount; i += 1) start();
  }

  /** Cancels a job, whether it waits or runs. */
  function cancel(job: QueuedJob, reason: unknown): void {
    queue.remove(job);
    const slot = slots.values().find((candidate) => candidate.job === job);
    if (slot === undefined) job.reject(reason);
    else fail(slot, reason);
  }

  return {
    run: <I, O>(task: Task<I, O>, input: I, { tenant, signal, wallMs, cpuMs, what }: JobOptions) =>
      new Promise<O>((resolve, reject) => {
        if (isClosed) return reject(faults.SHUTTING_DOWN());
        if (signal?.aborted) return reject(signal.reason);
        const job = createQueuedJob(
          {
            task: task.name,
            input,
            tenant,
            wallMs: wallMs ?? workerLimits.workerWallMs,
            cpuMs,
            what: what ?? `The work ${task.name}`,
          },
          { resolve, reject },
          signal,
          (cancelled) => cancel(cancelled, signal?.reason),
        );
        if (queue.push(job)) pump();
        else job.reject(workerFaults.WORKERS_BUSY({ waiting: queue.size }));
      }),
    async close() {
      isClosed = true;
      for (let waiting = queue.shift(); waiting !== undefined; waiting = queue.shift()) {
        waiting.reject(faults.SHUTTING_DOWN());
      }
      for (const slot of [...slots]) fail(slot, faults.SHUTTING_DOWN());
      await Promise.all(ending);
    },
  };
}

function toTaskError(task: string, { message, stack }: { readonly message: string; readonly stack: string }): Error {
  const error = new Error(`the task ${task} failed: ${message}`);
  error.stack = `${error.message}\n${stack}`;
  return error;
}
