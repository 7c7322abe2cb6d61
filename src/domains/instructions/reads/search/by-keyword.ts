import type { Call } from '#kernel/call.ts';
import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import { queryHints, roundRelevance } from '#kernel/search/hybrid.ts';
import type { Highlight } from '#kernel/search/keyword/query/highlight.ts';
import type { Catalog, CatalogState } from '../../catalog/catalog.ts';
import { toDocument } from '../../catalog/search-documents.ts';
import { type ModeQuery, type SearchHits, toEntryHighlights } from './search-hits.ts';

const fieldLoader = (state: CatalogState) => async (ids: readonly string[]) =>
  new Map(
    ids.flatMap((id) => {
      const found = state.find(id);
      return found === undefined ? [] : [[id, toDocument(found.entry).fields] as const];
    }),
  );

export const toSearchQuery = (state: CatalogState, { q, limit, highlight, after }: ModeQuery) => ({
  text: q,
  limit,
  ...(highlight ? { load: fieldLoader(state) } : {}),
  ...(after !== undefined && 'score' in after ? { after } : {}),
});

export interface RankedHit {
  readonly id: string;
  readonly score: number;
  readonly highlights: readonly Highlight[];
  readonly relevance: number;
}

export function toSearchHits(
  state: CatalogState,
  hits: readonly RankedHit[],
  answer: Pick<SearchAnswer, 'total' | 'next' | 'hints' | 'leftOutCount'>,
): SearchHits {
  const found = hits.flatMap(({ id, score, highlights, relevance }) => {
    // The index may be newer than the state.
    const entry = state.find(id)?.entry;
    if (entry === undefined) return [];
    return [{ entry, highlights: toEntryHighlights(id, highlights), position: { score, id }, relevance }];
  });
  const hints = [
    ...(answer.hints.length > 0 ? [`Did you mean: ${answer.hints.join(', ')}?`] : []),
    ...(answer.leftOutCount > 0 ? [queryHints.long] : []),
  ];
  return { hash: state.hash, count: answer.total, hits: found, hasMore: answer.next !== undefined, hints };
}

/** The index ranks whole words first, then matches inside words. */
export async function searchByKeyword(catalog: Catalog, call: Call, query: ModeQuery): Promise<SearchHits> {
  const state = await catalog.state(call);
  const answer = await catalog.search(call, toSearchQuery(state, query));
  const hits = answer.hits.map(({ id, score, highlights, coverage }) => ({
    ...{ id, score, highlights },
    relevance: roundRelevance(coverage),
  }));
  return toSearchHits(state, hits, answer);
}
