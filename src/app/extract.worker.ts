/** What the processes of the pool for extraction run: parsers of others over files of strangers, and nothing else. */
import { truthTasks } from '#domains/truth/files/extract/truth-tasks.ts';
import { serveTasks } from '#kernel/workers/serve-tasks.ts';

serveTasks(truthTasks);
