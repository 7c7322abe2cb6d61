import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { roundRelevance } from '#kernel/search/hybrid.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogSemanticSearch } from '../../catalog/semantic-search.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import type { ReadsDeps } from '../reads-deps.ts';
import { fieldLoader, searchByKeyword, toSearchHits, toSearchQuery } from './by-keyword.ts';
import { searchByRegex } from './by-regex.ts';
import {
  type EntryHighlight,
  type EntryHit,
  type HitPosition,
  type ModeQuery,
  type SearchHits,
  type SearchMode,
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
async function searchBySimilarity(
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
    const relevance = roundRelevance(near.scale.toShown(similarity));
    return entry === undefined ? [] : [{ entry, highlights: [], position: { score: similarity, id }, relevance }];
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
async function searchHybrid(
  catalog: Catalog,
  embeddings: CatalogSemanticSearch,
  call: Call,
  query: ModeQuery,
): Promise<SearchHits> {
  const state = await catalog.state(call);
  const answer = await embeddings.hybrid(call, toSearchQuery(state, query));
  const hits = answer.hits.map(({ id, score, relevance, keyword }) => ({
    ...{ id, score, relevance },
    highlights: keyword?.highlights ?? [],
  }));
  const found = toSearchHits(state, hits, answer);
  return answer.embedder === null ? found : { ...found, embedder: answer.embedder };
}

export interface ModeResult {
  readonly found: SearchHits;
  readonly mode: SearchMode;
  readonly hints: readonly string[];
}

type Deps = Pick<ReadsDeps, 'catalog' | 'regex' | 'embeddings'>;

const fallBack = (found: SearchHits, why: string): ModeResult => ({
  found,
  mode: 'keyword',
  hints: [`${why}; used mode keyword instead.`],
});

const searchFor = { semantic: searchBySimilarity, hybrid: searchHybrid } as const;

type SemanticMode = keyof typeof searchFor;

async function continueSemantic(
  { catalog }: Deps,
  embeddings: CatalogSemanticSearch,
  call: Call,
  mode: SemanticMode,
  query: ModeQuery,
): Promise<ModeResult> {
  const found = await searchFor[mode](catalog, embeddings, call, query);
  if (found?.embedder !== undefined) return { found, mode, hints: [] };
  // Continuing in another ranking would skip some entries and repeat others.
  const why =
    'the semantic search cannot continue because the embedder does not answer; search again without the cursor';
  throw faults.INVALID_PARAMS({ why }, { field: 'cursor' });
}

async function searchSemantic(
  { catalog }: Deps,
  embeddings: CatalogSemanticSearch,
  call: Call,
  mode: SemanticMode,
  query: ModeQuery,
): Promise<ModeResult> {
  const byWords = () => searchByKeyword(catalog, call, query);
  // Read before searching, so that the counts never claim more than the search could find.
  const { embedder, embedded, pending } = await embeddings.progress(call);
  if (embedder === undefined)
    return fallBack(await byWords(), `Mode ${mode} needs an embedder, and none is configured`);
  const found = await searchFor[mode](catalog, embeddings, call, query);
  if (found?.embedder === undefined) {
    return fallBack(found ?? (await byWords()), `The embedder does not answer for mode ${mode}`);
  }
  const isBare = embedded === 0 && (await catalog.state(call)).count > 0;
  if (isBare && mode === 'semantic') {
    return fallBack(await byWords(), 'The catalog is being embedded in the background, so try again soon');
  }
  const waiting = pending > 0 ? `${pending} entries` : 'The entries';
  const hints =
    isBare || pending > 0 ? [`${waiting} are not embedded yet; until then only their words are searched.`] : [];
  return { found, mode, hints };
}

/** Falls back to keyword search and says so. */
export async function searchInMode(deps: Deps, call: Call, mode: SearchMode, query: ModeQuery): Promise<ModeResult> {
  const { catalog, regex, embeddings } = deps;
  if (mode === 'keyword') return { found: await searchByKeyword(catalog, call, query), mode, hints: [] };
  if (mode === 'regex') {
    if (regex === undefined)
      return fallBack(await searchByKeyword(catalog, call, query), 'Regular expressions are not available here');
    return { found: await searchByRegex(catalog, regex, call, query), mode, hints: [] };
  }
  if (embeddings === undefined) {
    return fallBack(
      await searchByKeyword(catalog, call, query),
      `Mode ${mode} needs an embedder, and none is configured`,
    );
  }
  return (query.after === undefined ? searchSemantic : continueSemantic)(deps, embeddings, call, mode, query);
}
