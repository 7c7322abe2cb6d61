import { availableParallelism } from 'node:os';
import type { TenantId } from '../call.ts';
import { faults } from '../fault/kernel-faults.ts';
import { type QueuedJob, createQueuedJob, createFairQueue } from './fair-queue.ts';
import { startProcess } from './process.ts';
import type { Report, Runner, Task } from './task.ts';
import { startThread } from './thread.ts';
import { workerFaults } from './worker-faults.ts';
import { workerLimits } from './worker-limits.ts';

export { workerLimits };

export interface WorkersOptions {
  readonly entry: URL;
  /**
   * `thread` (the default) for work whose input cannot make it large. `process` for work that may run out of memory: a
   * thread that does can end the whole program.
   */
  readonly isolation?: 'thread' | 'process';
  /** How many jobs run at a time. */
  readonly threadsCount?: number;
  readonly queueCount?: number;
  readonly queuePerTenantCount?: number;
  readonly idleMs?: number;
  readonly heapMb?: number;
  /** Of a process, all that it may take. */
  readonly memoryMb?: number;
}

export interface JobOptions {
  readonly tenant: TenantId;
  readonly signal?: AbortSignal;
  readonly wallMs?: number;
  /** How the faults call this work: `The pattern took longer than …`. */
  readonly what?: string;
}

/** One bounded pool for the program: work that a user's input can make long or large runs here and nowhere else. */
export interface Workers {
  run<I, O>(task: Task<I, O>, input: I, options: JobOptions): Promise<O>;
  /** Ends every worker; jobs that wait or run are refused. */
  close(): Promise<void>;
}

interface Slot {
  readonly runner: Runner;
  readonly loaded: Set<string>;
  state: 'starting' | 'idle' | 'busy';
  assignment?: QueuedJob | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/** Two at least: one job that runs to its time limit must not hold up all others. */
const defaultThreadsCount = (): number =>
  Math.min(Math.max(availableParallelism(), 2), workerLimits.workerThreadsCount);

export function createWorkers(options: WorkersOptions): Workers {
  const threadsCount = options.threadsCount ?? defaultThreadsCount();
  const idleMs = options.idleMs ?? workerLimits.workerIdleMs;
  const heapMb = options.heapMb ?? workerLimits.workerHeapMb;
  const memoryMb = options.memoryMb ?? heapMb + workerLimits.workerOutsideHeapMb;
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
    const end = slot.runner.end().finally(() => ending.delete(end));
    ending.add(end);
  }

  /** The slot's job, or when it had none yet the one that waits longest for a thread: it ends with this error. */
  function fail(slot: Slot, error: unknown): void {
    const assignment = slot.assignment ?? (slot.state === 'starting' ? queue.shift() : undefined);
    discard(slot);
    assignment?.reject(error);
    pump();
  }

  function start(): void {
    const slot: Slot = {
      state: 'starting',
      loaded: new Set(),
      runner: startRunner(
        { entry: options.entry, heapMb, memoryMb, stackMb: workerLimits.workerStackMb },
        { report: (report) => hear(slot, report), gone: (error, mb) => fail(slot, toFailure(slot, error, mb)) },
      ),
    };
    slots.add(slot);
    setTimer(slot, workerLimits.workerStartMs, () => fail(slot, new Error('a worker did not start in time')));
  }

  function toFailure({ assignment }: Slot, error: Error, mb: number | undefined): Error {
    if (assignment === undefined) return new Error('a worker could not start', { cause: error });
    if (mb !== undefined) return workerFaults.JOB_MEMORY({ what: assignment.what, mb });
    return new Error(`the task ${assignment.task} crashed its worker`, { cause: error });
  }

  function armWall(slot: Slot, { what, wallMs }: QueuedJob): void {
    setTimer(slot, wallMs, () => fail(slot, workerFaults.JOB_TIMEOUT({ what, ms: wallMs })));
  }

  function rest(slot: Slot): void {
    slot.state = 'idle';
    slot.assignment = undefined;
    slot.runner.setBusy(false);
    setTimer(slot, idleMs, () => discard(slot));
    slot.timer?.unref();
  }

  function assign(slot: Slot, assignment: QueuedJob): void {
    const { task, input } = assignment;
    slot.state = 'busy';
    slot.assignment = assignment;
    slot.runner.setBusy(true);
    if (slot.loaded.has(task)) armWall(slot, assignment);
    else
      setTimer(slot, workerLimits.workerStartMs, () => fail(slot, new Error(`the task ${task} did not load in time`)));
    try {
      slot.runner.post({ task, input });
    } catch (error) {
      rest(slot);
      assignment.reject(error);
    }
  }

  function hear(slot: Slot, report: Report): void {
    const { assignment } = slot;
    if (report.kind === 'loaded') {
      if (assignment === undefined) return;
      slot.loaded.add(assignment.task);
      armWall(slot, assignment);
      return;
    }
    if (report.kind !== 'ready' && report.isLast === true) discard(slot);
    else rest(slot);
    if (report.kind === 'done') assignment?.resolve(report.value);
    if (report.kind === 'failed') assignment?.reject(toTaskError(assignment.task, report));
    pump();
  }

  function pump(): void {
    for (const slot of slots) {
      if (queue.size === 0) return;
      if (slot.state === 'idle') assign(slot, queue.shift()!);
    }
    const startingCount = [...slots].filter((slot) => slot.state === 'starting').length;
    const wantedCount = Math.min(queue.size - startingCount, threadsCount - slots.size);
    for (let i = 0; i < wantedCount; i += 1) start();
  }

  /** Stops a job wherever it is: waiting, or in the middle of its thread. */
  function withdraw(assignment: QueuedJob, reason: unknown): void {
    queue.remove(assignment);
    const slot = slots.values().find((candidate) => candidate.assignment === assignment);
    if (slot === undefined) assignment.reject(reason);
    else fail(slot, reason);
  }

  return {
    run: <I, O>(task: Task<I, O>, input: I, { tenant, signal, wallMs, what }: JobOptions) =>
      new Promise<O>((resolve, reject) => {
        if (isClosed) return reject(faults.SHUTTING_DOWN());
        if (signal?.aborted) return reject(signal.reason);
        const assignment = createQueuedJob(
          {
            task: task.name,
            input,
            tenant,
            wallMs: wallMs ?? workerLimits.workerWallMs,
            what: what ?? `The work ${task.name}`,
          },
          { resolve, reject },
          signal,
          (withdrawn) => withdraw(withdrawn, signal?.reason),
        );
        if (queue.push(assignment)) pump();
        else assignment.reject(workerFaults.WORKERS_BUSY({ waiting: queue.size }));
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
