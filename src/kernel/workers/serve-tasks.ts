import { parentPort } from 'node:worker_threads';
import type { Job, Report } from './task.ts';

type Run = (input: never) => unknown;

/** Loads each task's code with its first job. */
export type TaskTable = Readonly<Record<string, () => Promise<Run>>>;

/** The thread's side of the pool: runs the named task for each job and reports the result. */
export function serveTasks(table: TaskTable): void {
  const port = parentPort;
  if (port === null) throw new Error('bug: a worker entry was loaded outside a worker thread');
  const say = (report: Report) => port.postMessage(report);
  const loaded = new Map<string, Run>();

  async function load(task: string): Promise<Run> {
    const known = loaded.get(task);
    if (known !== undefined) return known;
    if (!Object.hasOwn(table, task)) throw new Error(`bug: the worker entry has no task ${task}`);
    const run = await table[task]!();
    loaded.set(task, run);
    say({ kind: 'loaded' });
    return run;
  }

  async function serve({ task, input }: Job): Promise<void> {
    try {
      const run = await load(task);
      say({ kind: 'done', value: await run(input as never) });
    } catch (error) {
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      say({ kind: 'failed', message, stack });
    }
  }

  port.on('message', (job: Job) => void serve(job));
  say({ kind: 'ready' });
}
