import type { Call } from '#kernel/call.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogSemanticSearch } from '../../catalog/semantic-search.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import { fieldLoader, toSearchHits, toSearchQuery } from './by-keyword.ts';
import {
  type EntryHighlight,
  type EntryHit,
  type HitPosition,
  type ModeQuery,
  type SearchHits,
  toEntryHighlights,
} from './search-hits.ts';

const isAfter = (hit: { readonly score: number; readonly id: string }, after: HitPosition | undefined): boolean =>
  after === undefined ||
  !('score' in after) ||
  hit.score < after.score ||
  (hit.score === after.score && hit.id > after.id);

/** The matches of the query's words in these entries. */
async function findHighlights(catalog: Catalog, call: Call, q: string, wanted: readonly EntryHit[]) {
  const state = await catalog.state(call);
  const load = fieldLoader(state);
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

/** Undefined when the embedder does not answer. */
export async function searchBySimilarity(
  catalog: Catalog,
  embeddings: CatalogSemanticSearch,
  call: Call,
  { q, limit, after, highlight }: ModeQuery,
): Promise<SearchHits | undefined> {
  const near = await embeddings.nearest(call, q, instructionLimits.semanticHitsCount);
  if (near === undefined) return undefined;
  const state = await catalog.state(call);
  const all = near.hits.flatMap(({ id, similarity }): readonly EntryHit[] => {
    const entry = state.find(id)?.entry;
    return entry === undefined ? [] : [{ entry, highlights: [], position: { score: similarity, id } }];
  });
  const rest = all.filter(({ position }) => 'score' in position && isAfter(position, after));
  const page = rest.slice(0, limit);
  const marks = highlight ? await findHighlights(catalog, call, q, page) : undefined;
  return {
    hash: state.hash,
    count: all.length,
    hits: marks === undefined ? page : page.map((hit) => ({ ...hit, highlights: marks.get(hit.entry.id) ?? [] })),
    hasMore: rest.length > page.length,
    hints: [],
    embedder: near.embedder,
  };
}

/** Falls back to keyword hits, without `embedder`, when the embedder does not answer. */
export async function searchHybrid(
  catalog: Catalog,
  embeddings: CatalogSemanticSearch,
  call: Call,
  query: ModeQuery,
): Promise<SearchHits> {
  const state = await catalog.state(call);
  const answer = await embeddings.hybrid(call, toSearchQuery(state, query));
  const hits = answer.hits.map(({ id, score, keyword }) => ({ id, score, highlights: keyword?.highlights ?? [] }));
  const found = toSearchHits(state, hits, answer);
  return answer.embedder === null ? found : { ...found, embedder: answer.embedder };
}
