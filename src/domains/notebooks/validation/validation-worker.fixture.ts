import { serveTasks } from '#kernel/workers/serve-tasks.ts';
import { notebookTasks } from './validation-task.ts';

serveTasks(notebookTasks);
