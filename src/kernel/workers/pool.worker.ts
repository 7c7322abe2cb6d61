/**
 * What every thread of the pool runs. A bundler makes it an entry of its own, `pool.worker.js` beside the chunks.
 *
 * To add a task: write its function in a module of its own (plain input, plain output, no state, no store), declare it
 * with `defineTask` where it is used, and put it into `kernel-tasks.ts` under the same name. A domain's task cannot
 * stand there, because the kernel imports no domain: then `app/` gets an entry like this one, which serves
 * `{ ...kernelTasks, ...its own }`, and passes that file's URL to `createWorkers`.
 */
import { serveTasks, type TaskTable } from './serve-tasks.ts';

/** The work that belongs to no domain. Literal imports, so that a bundler finds them and splits them off. */
const kernelTasks: TaskTable = {
  'regex/match': async () => (await import('./regex-task.ts')).matchTexts,
};

serveTasks(kernelTasks);
