import type { Call } from '#kernel/call.ts';
import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import type { ParsedQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { HitKey } from '#kernel/search/keyword/query/search-parts.ts';
import type { DocQuery } from './doc-query.ts';

/** What a question has found. */
export interface Asked {
  /** Best first: those of the answer, or with what is alike fused in. */
  readonly hits: readonly HitKey[];
  readonly answer: SearchAnswer;
  readonly parsed: ParsedQuery;
  /** Either words found all of them, or none. */
  readonly how: 'words' | 'substring';
}

export type Ask = (query: DocQuery, call: Call) => Asked | Promise<Asked>;
