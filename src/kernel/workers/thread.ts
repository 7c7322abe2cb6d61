import { Worker } from 'node:worker_threads';
import type { Report, Runner, RunnerEvents, RunnerOptions } from './task.ts';

export type { Runner as Thread } from './task.ts';
export type ThreadOptions = Omit<RunnerOptions, 'memoryMb' | 'restRatio'>;

/**
 * Cheap to start, but a thread that reaches its heap limit may take the whole process with it: V8 asks for it to be
 * stopped, and aborts if it cannot wait. So only work with bounded memory runs here.
 */
export function startThread({ entry, heapMb, stackMb }: ThreadOptions, events: RunnerEvents): Runner {
  const worker = new Worker(entry, {
    // A task gets neither the secrets of the environment nor the flags of this process.
    env: {},
    execArgv: [],
    // Stdout belongs to the protocol: the output of a task is discarded.
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: stackMb },
  });
  // The stream is never read; if left open, its first chunk would keep the process alive.
  worker.stdout.destroy();
  let isOver = false;

  function leave(error: Error): void {
    if (isOver) return;
    isOver = true;
    events.gone(error, isOutOfMemory(error) ? { kind: 'memory', mb: heapMb } : undefined);
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

const isOutOfMemory = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
