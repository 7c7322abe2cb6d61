import { serveTasks } from '#kernel/workers/serve-tasks.ts';
import { notebookTasks } from '../validators/notebook-tasks.ts';

serveTasks(notebookTasks);
