/** The entry of every process of a pool. The bundler makes it an entry, `child.worker.js` next to the chunks. */
import { type ChildOptions, superviseThread } from './child.ts';

superviseThread(JSON.parse(process.argv[2]!) as ChildOptions);
