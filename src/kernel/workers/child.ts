import { lowerPriority } from './priority.ts';
import type { Job, Overrun, Report, RunnerOptions } from './task.ts';
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
  | { readonly kind: 'gone'; readonly message: string; readonly over: Overrun | undefined };

const toBytes = (mb: number): number => mb * 1024 * 1024;

/** Of all threads, so that garbage collection and compilation count as well. */
function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The main thread of a worker process: passes jobs to its one thread, reports back and watches memory and time. */
export function superviseThread({ entry, memoryMb, restRatio, ...bounds }: ChildOptions): void {
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
  const lose = (message: string, over: Overrun | undefined): void => {
    unwatch();
    say({ kind: 'gone', message, over });
  };
  const isOver = (share: number): boolean => process.memoryUsage.rss() > toBytes(memoryMb) * share;

  const thread = startThread(
    { entry: new URL(entry), ...bounds },
    {
      report(report) {
        if (report.kind === 'loaded' || report.kind === 'ready') return say(report);
        unwatch();
        // Memory that a grammar took is never freed, and a lowered priority is never raised.
        const isLast = isLow || isOver(restRatio);
        say(isLast ? { ...report, isLast } : report);
      },
      gone: ({ message }, over) => lose(message, over),
    },
  );

  process.on('message', (job: Job) => {
    const { cpuMs = Number.POSITIVE_INFINITY } = job;
    const cpuEndsAt = usedCpuMs() + cpuMs;
    watch = setInterval(() => {
      // The heap has its own limit; buffers and WebAssembly are outside of it and visible only here.
      if (isOver(1)) lose(`more than ${memoryMb} MB`, { kind: 'memory', mb: memoryMb });
      else if (usedCpuMs() > cpuEndsAt) lose(`more than ${cpuMs} ms of CPU time`, { kind: 'cpu', ms: cpuMs });
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
