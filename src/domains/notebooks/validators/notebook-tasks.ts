import type { TaskTable } from '#kernel/workers/serve-tasks.ts';

/** The work of this domain that runs in threads. */
export const notebookTasks: TaskTable = {
  'notebooks/check': async () => (await import('./check-cells.ts')).checkCells,
};
