/**
 * The entry of every thread of the pool. The bundler makes it an entry, `pool.worker.js` next to the chunks.
 * To add a task: write its function in its own module (plain input and output, no state, no store), declare it with
 * `defineTask` where it is used, and add it to the table below under the same name. The kernel cannot import a domain's
 * task: for that, `app/` has its own entry and passes its URL to `createWorkers`.
 */
import { serveTasks, type TaskTable } from './serve-tasks.ts';

/** Literal imports, so that the bundler finds and splits them. */
const kernelTasks: TaskTable = {
  'regex/match': async () => (await import('./regex-task.ts')).matchTexts,
};

serveTasks(kernelTasks);
