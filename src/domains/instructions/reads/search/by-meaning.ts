import type { Call } from '#kernel/call.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { EmbeddedSearch } from '../../catalog/embedded-search.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import { type EntryHighlight, toEntryHighlights } from '../../rules/highlight.ts';
import { loadFrom, toFound, toSearchQuery } from './by-words.ts';
import type { FindQuery, Found, FoundEntry, Place } from './found.ts';

const isBehind = (hit: { readonly score: number; readonly id: string }, after: Place | undefined): boolean =>
  after === undefined ||
  !('score' in after) ||
  hit.score < after.score ||
  (hit.score === after.score && hit.id > after.id);

/** Where the words of the query stand in these entries, if they do. */
async function marksIn(catalog: Catalog, call: Call, q: string, wanted: readonly FoundEntry[]) {
  const state = await catalog.state(call);
  const load = loadFrom(state);
  const isWanted = new Set(wanted.map(({ entry }) => entry.id));
  const { hits } = await catalog.search(call, {
    text: q,
    limit: instructionLimits.semanticHitsCount,
    load: (ids) => load(ids.filter((id) => isWanted.has(id))),
  });
  return new Map(
    hits.map(({ id, highlights }): [string, readonly EntryHighlight[]] => [id, toEntryHighlights(id, highlights)]),
  );
}

/** The nearest by meaning. Undefined: nobody can tell what is near now. */
export async function findNearest(
  catalog: Catalog,
  embeddings: EmbeddedSearch,
  call: Call,
  { q, limit, after, highlight }: FindQuery,
): Promise<Found | undefined> {
  const near = await embeddings.nearest(call, q, instructionLimits.semanticHitsCount);
  if (near === undefined) return undefined;
  const state = await catalog.state(call);
  const all = near.hits.flatMap(({ id, similarity }): readonly FoundEntry[] => {
    const entry = state.find(id)?.entry;
    return entry === undefined ? [] : [{ entry, highlights: [], place: { score: similarity, id } }];
  });
  const rest = all.filter(({ place }) => 'score' in place && isBehind(place, after));
  const page = rest.slice(0, limit);
  const marks = highlight ? await marksIn(catalog, call, q, page) : undefined;
  return {
    hash: state.hash,
    count: all.length,
    hits: marks === undefined ? page : page.map((hit) => ({ ...hit, highlights: marks.get(hit.entry.id) ?? [] })),
    hasMore: rest.length > page.length,
    hints: [],
    embedder: near.embedder,
  };
}

/** Words and meaning in one ranking; words alone, and no embedder in the answer, when nobody can tell what is near. */
export async function findTogether(
  catalog: Catalog,
  embeddings: EmbeddedSearch,
  call: Call,
  query: FindQuery,
): Promise<Found> {
  const state = await catalog.state(call);
  const answer = await embeddings.together(call, toSearchQuery(state, query));
  const hits = answer.hits.map(({ id, score, keyword: words }) => ({ id, score, highlights: words?.highlights ?? [] }));
  const found = toFound(state, hits, answer);
  return answer.embedder === null ? found : { ...found, embedder: answer.embedder };
}
