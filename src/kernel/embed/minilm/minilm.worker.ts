/** A thread with the model. The bundler makes it an entry, `minilm.worker.js` next to the chunks. */
import { lowerThreadPriority } from '../../workers/priority.ts';
import { serveTasks } from '../../workers/serve-tasks.ts';
import { createEmbedTask } from './embed-task.ts';

serveTasks({
  queries: async () => createEmbedTask(),
  async documents() {
    lowerThreadPriority();
    return createEmbedTask();
  },
});
