/** The model's own thread. A bundler makes it an entry of its own, `minilm.worker.js` beside the chunks. */
import { serveTasks } from '../../workers/serve-tasks.ts';
import { createEmbedTask } from './embed-task.ts';

serveTasks({ embed: async () => createEmbedTask() });
