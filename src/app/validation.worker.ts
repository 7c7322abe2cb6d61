/** Runs only third-party parsers and schemas, on untrusted texts. */

import { dropEnvironment } from '#config/drop-environment.ts';
import { notebookTasks } from '#domains/notebooks/validation/validation-task.ts';
import { serveTasks } from '#kernel/workers/serve-tasks.ts';

dropEnvironment();
serveTasks(notebookTasks);
