import type { Call } from '#kernel/call.ts';
import type { DocAnswer, DocQuery } from './doc-query.ts';

export interface DocSearch {
  /** At once where it can be answered without a wait. */
  find(query: DocQuery, call: Call): DocAnswer | Promise<DocAnswer>;
}
