import { type ChildProcess, fork } from 'node:child_process';
import type { ChildOptions, ChildReport } from './child.ts';
import type { Overrun, Runner, RunnerEvents, RunnerOptions } from './task.ts';

/** Next to this module in the source, next to its chunk in the bundle. */
const childEntry = new URL(
  import.meta.url.endsWith('.ts') ? './child.worker.ts' : './child.worker.js',
  import.meta.url,
);

/**
 * A process around one thread, which isolates the memory of tasks. Its thread works and its main thread watches, so
 * that it notices the end of the program immediately, even during an endless loop.
 */
export function startProcess({ entry, ...bounds }: RunnerOptions, events: RunnerEvents): Runner {
  const options: ChildOptions = { entry: entry.href, ...bounds };
  let isOver = false;

  function leave(error: Error, over?: Overrun): void {
    if (isOver) return;
    isOver = true;
    events.gone(error, over);
  }

  let child: ChildProcess;
  try {
    child = fork(childEntry, [JSON.stringify(options)], {
      // A task gets neither the secrets of the environment nor the flags of this process (an inspector's port).
      env: {},
      // Optimising one function of a grammar briefly takes half a gigabyte and gains little.
      execArgv: [`--max-old-space-size=${bounds.heapMb}`, '--no-wasm-tier-up'],
      // Stdout belongs to the protocol, and V8's last messages are of no use.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
  } catch (error) {
    // Out of memory or not permitted: reported like any failure to start, but not before this returns.
    setImmediate(() => leave(error as Error));
    return { post() {}, setBusy() {}, end: async () => {} };
  }
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    if (child.pid === undefined) resolve();
  });

  child.on('message', (report: ChildReport) => {
    if (isOver) return;
    if (report.kind === 'gone') leave(new Error(report.message), report.over);
    else events.report(report);
  });
  // Could not be started or written to.
  child.on('error', (error) => leave(error));
  child.on('exit', (code, signal) =>
    leave(
      new Error(`a worker process ended with ${signal ?? `code ${code}`}`),
      isAbort(code, signal) ? { kind: 'memory', mb: bounds.heapMb } : undefined,
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
      // The process has nothing to clean up and cannot block this signal.
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** How V8 ends a process that is out of memory. Tasks cannot do that: `process.abort` does not exist in a thread. */
const isAbort = (code: number | null, signal: NodeJS.Signals | null): boolean => signal === 'SIGABRT' || code === 134;
