/** The thread of the model. The bundler makes it an entry, `minilm.worker.js` next to the chunks. */
import { serveTasks } from '../../workers/serve-tasks.ts';
import { createEmbedTask } from './embed-task.ts';

serveTasks({ embed: async () => createEmbedTask() });
