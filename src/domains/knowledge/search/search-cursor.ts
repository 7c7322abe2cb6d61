import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { type Cursors, cursorFix } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { DocHit, DocQuery } from './doc-query.ts';

const tool = 'search_docs';
const hashChars = 16;

const cursorState = z.object({
  /** Of the query and its filters. */
  query: z.string(),
  /** Of the results before this page. */
  seen: z.string(),
  offset: z.int().min(1),
});
type SearchCursor = z.infer<typeof cursorState>;

const shortHash = (value: unknown): string => sha256Hex(JSON.stringify(value)).slice(0, hashChars);
const hashOfQuery = ({ query, version, library, mode }: DocQuery): string => shortHash([query, version, library, mode]);
const hashOfHits = (hits: readonly DocHit[]): string => shortHash(hits.map(({ id }) => id));

/** Pages of one ranking. A cursor names the results before it, so that a changed ranking neither repeats nor skips any. */
export function createSearchCursors(cursors: Cursors) {
  return {
    open(cursor: string, query: DocQuery, { tenant }: Call): SearchCursor {
      const state = cursorState.safeParse(cursors.open(tool, tenant, cursor));
      if (state.success && state.data.query === hashOfQuery(query)) return state.data;
      throw faults.INVALID_PARAMS({ why: 'the cursor is from another search' }, { field: 'cursor', fix: cursorFix });
    },
    expectSame(seen: string | undefined, before: readonly DocHit[]): void {
      if (seen === undefined || seen === hashOfHits(before)) return;
      throw faults.INVALID_PARAMS(
        { why: 'the docs or their order have changed since the last page' },
        { field: 'cursor', fix: 'Leave out cursor to search again.' },
      );
    },
    seal: (query: DocQuery, shown: readonly DocHit[], { tenant }: Call): string =>
      cursors.seal(tool, tenant, {
        ...{ query: hashOfQuery(query), seen: hashOfHits(shown), offset: shown.length },
      } satisfies SearchCursor),
  };
}
