/** What every process of a pool runs. A bundler makes it an entry of its own, `child.worker.js` beside the chunks. */
import { type ChildOptions, superviseThread } from './child.ts';

superviseThread(JSON.parse(process.argv[2]!) as ChildOptions);
