/** What the workers of the pool for checks run: parsers and schemas of others, and nothing else. */

import { dropEnvironment } from '#config/drop-environment.ts';
import { notebookTasks } from '#domains/notebooks/validators/notebook-tasks.ts';
import { serveTasks } from '#kernel/workers/serve-tasks.ts';

dropEnvironment();
serveTasks(notebookTasks);
