import type { Call } from '#kernel/call.ts';
import { fuseRankings } from '#kernel/search/fusion.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { EmbeddedSearch } from '../deps.ts';
import { readLimits } from '../read-limits.ts';
import { findByWords } from './by-words.ts';
import type { FindQuery, Found } from './found.ts';

interface MeaningQuery extends FindQuery {
  readonly isHybrid: boolean;
}

/** The nearest by meaning; hybrid: together with the best by words, each by its place. */
export async function findByMeaning(
  catalog: Catalog,
  embeddings: EmbeddedSearch,
  call: Call,
  { isHybrid, ...query }: MeaningQuery,
): Promise<Found> {
  const { q, limit, after, highlight } = query;
  const window = readLimits.semanticHitsCount;
  const near = await embeddings.nearest(call, q, window);
  const byWords =
    isHybrid || highlight
      ? await findByWords(catalog, call, { q, highlight, limit: window, after: undefined })
      : undefined;
  const state = await catalog.state(call);
  const marks = new Map(byWords?.hits.map(({ entry, highlights }) => [entry.id, highlights]));
  const rankings = [{ ids: near.map(({ id }) => id), weight: 1 }];
  if (isHybrid) rankings.push({ ids: [...marks.keys()], weight: 1 });
  const all = fuseRankings(rankings).flatMap(({ id }) => state.find(id)?.entry ?? []);
  const start = after !== undefined && 'at' in after ? after.at : 0;
  const shown = all.slice(start, start + limit);
  return {
    hash: state.hash,
    count: all.length,
    hits: shown.map((entry, i) => ({
      entry,
      highlights: marks.get(entry.id) ?? [],
      place: { at: start + i + 1 },
    })),
    hasMore: start + shown.length < all.length,
    hints: [],
  };
}
