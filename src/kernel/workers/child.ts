import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Job, Report, RunnerOptions } from './task.ts';
import { startThread } from './thread.ts';
import { workerLimits } from './worker-limits.ts';

export interface ChildOptions extends Omit<RunnerOptions, 'entry'> {
  readonly entry: string;
}

/** What a process says to the pool: what its thread says, or that the thread is gone and it can be ended. */
export type ChildReport =
  | Report
  | { readonly kind: 'gone'; readonly message: string; readonly memoryMb: number | undefined };

const toBytes = (mb: number): number => mb * 1024 * 1024;

/** The main thread of a worker process: hands jobs to its one thread and reports back, and watches both. */
export function superviseThread({ entry, memoryMb, ...bounds }: ChildOptions): void {
  // Whoever stops the program from a terminal or a service stops all its processes; the pool ends this one in its time.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  let watch: NodeJS.Timeout | undefined;
  let patience: NodeJS.Timeout | undefined;
  let isLow = false;
  const say = (report: ChildReport): void => void process.send!(report);
  const unwatch = (): void => {
    clearInterval(watch);
    clearTimeout(patience);
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
        // What a grammar took once it never gives back, and neither does a system its priority.
        const isLast = isLow || isOver(workerLimits.workerRestRatio);
        say(isLast ? { ...report, isLast } : report);
      },
      gone: ({ message }, overMb) => lose(message, overMb),
    },
  );

  process.on('message', (job: Job) => {
    // The heap has its own limit; buffers and WebAssembly lie outside and are only seen from here.
    watch = setInterval(() => {
      if (isOver(1)) lose(`more than ${memoryMb} MB`, memoryMb);
    }, workerLimits.workerWatchMs);
    patience = setTimeout(() => {
      isLow = true;
      yieldToOthers();
    }, workerLimits.workerPatienceMs);
    try {
      thread.post(job);
    } catch (error) {
      unwatch();
      const { message, stack = '' } = error as Error;
      say({ kind: 'failed', message, stack });
    }
  });
  // The program is gone, however it went. Without its thread nothing keeps this process.
  process.on('disconnect', () => {
    unwatch();
    void thread.end();
  });
}

/**
 * Work that takes long must not make calls wait that only need the event loop. Linux counts priorities by thread; there
 * the thread of the task was started long ago and has to be named.
 */
function yieldToOthers(): void {
  try {
    const threadIds = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
    for (const id of threadIds) setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A container may hide /proc or forbid it, and a thread may be gone: then they share evenly.
  }
}
