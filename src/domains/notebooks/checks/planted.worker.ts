import { serveTasks } from '#kernel/workers/serve-tasks.ts';
import { notebookTasks } from '../checking/notebook-tasks.ts';

serveTasks(notebookTasks);
