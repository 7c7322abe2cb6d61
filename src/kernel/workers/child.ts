import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Job, Report, RunnerOptions } from './task.ts';
import { startThread } from './thread.ts';
import { workerLimits } from './worker-limits.ts';

export interface ChildOptions extends Omit<RunnerOptions, 'entry'> {
  readonly entry: string;
}

/**
 * The messages of a process to the pool: those of its thread, or that the thread is gone and the process can be ended.
 */
export type ChildReport =
  | Report
  | { readonly kind: 'gone'; readonly message: string; readonly memoryMb: number | undefined };

const toBytes = (mb: number): number => mb * 1024 * 1024;

/** The main thread of a worker process: passes jobs to its one thread, reports back and watches memory and time. */
export function superviseThread({ entry, memoryMb, ...bounds }: ChildOptions): void {
  // Stopping the program from a terminal or service signals all its processes; the pool ends this one in due time.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  let watch: NodeJS.Timeout | undefined;
  let priorityTimer: NodeJS.Timeout | undefined;
  let isLow = false;
  const say = (report: ChildReport): void => void process.send!(report);
  const unwatch = (): void => {
    clearInterval(watch);
    clearTimeout(priorityTimer);
  };
  const lose = (message: string, overMb: number | undefined): void => {
    unwatch();
    say({ kind: 'gone', message, memoryMb: overMb });
  };
  const isOver = (share: number): boolean => process.memoryUsage.rss() > toBytes(memoryMb) * share;

  const thread = startThread(
    { entry: new URL(entry), ...bounds },
    {
      report(report) {
        if (report.kind === 'loaded' || report.kind === 'ready') return say(report);
        unwatch();
        // Memory that a grammar took is never freed, and a lowered priority is never raised.
        const isLast = isLow || isOver(workerLimits.workerRestRatio);
        say(isLast ? { ...report, isLast } : report);
      },
      gone: ({ message }, overMb) => lose(message, overMb),
    },
  );

  process.on('message', (job: Job) => {
    // The heap has its own limit; buffers and WebAssembly are outside of it and visible only here.
    watch = setInterval(() => {
      if (isOver(1)) lose(`more than ${memoryMb} MB`, memoryMb);
    }, workerLimits.workerWatchMs);
    priorityTimer = setTimeout(() => {
      isLow = true;
      lowerPriority();
    }, workerLimits.workerHighPriorityMs);
    try {
      thread.post(job);
    } catch (error) {
      unwatch();
      const { message, stack = '' } = error as Error;
      say({ kind: 'failed', message, stack });
    }
  });
  // The program is gone. Without its thread, nothing keeps this process alive.
  process.on('disconnect', () => {
    unwatch();
    void thread.end();
  });
}

/**
 * Lowers the priority of long work, so that it does not delay calls in the event loop. Linux counts priorities by
 * thread, so the running thread has to be named.
 */
function lowerPriority(): void {
  try {
    const threadIds = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
    for (const id of threadIds) setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A container may hide or forbid /proc, and a thread may be gone: then the priority stays.
  }
}
