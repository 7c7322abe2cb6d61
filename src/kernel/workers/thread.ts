import { Worker } from 'node:worker_threads';
import type { Job, Report } from './task.ts';

export interface ThreadOptions {
  readonly entry: URL;
  readonly heapMb: number;
  readonly stackMb: number;
}

export interface Thread {
  /** Throws when the input cannot be copied. */
  post(job: Job): void;
  /** A busy thread keeps the process alive, an idle one does not. */
  setBusy(busy: boolean): void;
  end(): Promise<void>;
}

export interface ThreadEvents {
  report(report: Report): void;
  /** It ended by itself: out of memory, crashed, or left. Called once, and not after `end()`. */
  gone(error: Error): void;
}

export function startThread({ entry, heapMb, stackMb }: ThreadOptions, events: ThreadEvents): Thread {
  const worker = new Worker(entry, {
    // Neither the secrets of the environment nor the flags of this process are a task's business.
    env: {},
    execArgv: [],
    // Stdout belongs to the protocol: what a task prints there goes nowhere.
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: stackMb },
  });
  // Nobody reads it; left open, the first chunk that came would keep the process alive.
  worker.stdout.destroy();
  let isOver = false;

  function leave(error: Error): void {
    if (isOver) return;
    isOver = true;
    events.gone(error);
  }

  worker.on('message', (report: Report) => {
    if (!isOver) events.report(report);
  });
  worker.on('messageerror', leave);
  worker.on('error', leave);
  worker.on('exit', (code) => leave(new Error(`a worker thread ended with code ${code}`)));

  return {
    post: (job) => worker.postMessage(job),
    setBusy: (busy) => (busy ? worker.ref() : worker.unref()),
    async end() {
      isOver = true;
      await worker.terminate();
    },
  };
}

export const isOutOfMemory = (error: Error): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
