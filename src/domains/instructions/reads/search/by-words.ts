import type { Call } from '#kernel/call.ts';
import type { Catalog, CatalogState } from '../../catalog/catalog.ts';
import { toDocument } from '../../catalog/documents.ts';
import { toEntryHighlights } from '../../rules/highlight.ts';
import type { FindQuery, Found } from './found.ts';

const loadFrom = (state: CatalogState) => async (ids: readonly string[]) =>
  new Map(
    ids.flatMap((id) => {
      const found = state.find(id);
      return found === undefined ? [] : [[id, toDocument(found.entry).fields] as const];
    }),
  );

/** Ranked words first, then what holds the query inside of words: the index does both. */
export async function findByWords(catalog: Catalog, call: Call, query: FindQuery): Promise<Found> {
  const { q, limit, highlight, after } = query;
  const state = await catalog.state(call);
  const answer = await catalog.search(call, {
    text: q,
    limit,
    ...(highlight ? { load: loadFrom(state) } : {}),
    ...(after !== undefined && 'id' in after ? { after } : {}),
  });
  const hits = answer.hits.flatMap(({ id, score, highlights }) => {
    // The index may be a moment ahead of the state.
    const entry = state.find(id)?.entry;
    if (entry === undefined) return [];
    return [{ entry, highlights: toEntryHighlights(id, highlights), place: { score, id } }];
  });
  const hints = [
    ...(answer.hints.length > 0 ? [`Did you mean: ${answer.hints.join(', ')}?`] : []),
    ...(answer.leftOutCount > 0 ? [`The query is long; ${answer.leftOutCount} words were not looked for.`] : []),
  ];
  return { hash: state.hash, count: answer.total, hits, hasMore: answer.next !== undefined, hints };
}
