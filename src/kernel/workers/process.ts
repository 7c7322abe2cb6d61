import { type ChildProcess, fork } from 'node:child_process';
import type { ChildOptions, ChildReport } from './child.ts';
import type { Runner, RunnerEvents, RunnerOptions } from './task.ts';

/** Beside this module in the source, beside the chunk that holds it in the bundle. */
const childEntry = new URL(
  import.meta.url.endsWith('.ts') ? './child.worker.ts' : './child.worker.js',
  import.meta.url,
);

/**
 * A process of its own around one thread: whatever a task does to its memory ends there. Inside of it the thread works
 * and the main thread watches, so it notices at once when this process is gone, also in the middle of an endless loop.
 */
export function startProcess({ entry, ...bounds }: RunnerOptions, events: RunnerEvents): Runner {
  const options: ChildOptions = { entry: entry.href, ...bounds };
  let isOver = false;

  function leave(error: Error, memoryMb?: number): void {
    if (isOver) return;
    isOver = true;
    events.gone(error, memoryMb);
  }

  let child: ChildProcess;
  try {
    child = fork(childEntry, [JSON.stringify(options)], {
      // Neither the secrets of the environment nor the flags of this process (an inspector's port) are its business.
      env: {},
      // Optimizing one function of a grammar takes half a gigabyte for a moment, and wins little.
      execArgv: [`--max-old-space-size=${bounds.heapMb}`, '--no-wasm-tier-up'],
      // Stdout belongs to the protocol, and the last words of V8 to nobody.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
  } catch (error) {
    // No memory, or no right to start one: told like any other failure to start, and not before this returns.
    setImmediate(() => leave(error as Error));
    return { post() {}, setBusy() {}, end: async () => {} };
  }
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    if (child.pid === undefined) resolve();
  });

  child.on('message', (report: ChildReport) => {
    if (isOver) return;
    if (report.kind === 'gone') leave(new Error(report.message), report.memoryMb);
    else events.report(report);
  });
  // Could not start, or could not be written to.
  child.on('error', (error) => leave(error));
  child.on('exit', (code, signal) =>
    leave(
      new Error(`a worker process ended with ${signal ?? `code ${code}`}`),
      isAbort(code, signal) ? bounds.heapMb : undefined,
    ),
  );

  return {
    post: (job) => void child.send(job),
    setBusy(busy) {
      if (busy) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
    async end() {
      isOver = true;
      child.ref();
      // Nothing in it needs to be put in order, and nothing in it can refuse this.
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** How V8 ends a process that has no memory left. Tasks cannot: in a thread `process.abort` is not there. */
const isAbort = (code: number | null, signal: NodeJS.Signals | null): boolean => signal === 'SIGABRT' || code === 134;
