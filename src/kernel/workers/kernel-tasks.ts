import type { TaskTable } from './serve-tasks.ts';

/** The work that belongs to no domain. Literal imports, so that a bundler finds them and splits them off. */
export const kernelTasks: TaskTable = {
  'regex/match': async () => (await import('./regex-task.ts')).matchTexts,
};
