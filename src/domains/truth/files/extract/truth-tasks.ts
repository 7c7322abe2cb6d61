import type { TaskTable } from '#kernel/workers/serve-tasks.ts';

/** The work of this domain that runs in a process of its own. */
export const truthTasks: TaskTable = {
  'truth/extract': async () => (await import('./extract-text.ts')).extractFile,
};
