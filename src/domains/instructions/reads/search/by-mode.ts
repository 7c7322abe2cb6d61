import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type HybridAnswer, notEmbedded } from '#kernel/search/hybrid.ts';
import type { CatalogSemanticSearch } from '../../catalog/semantic-search.ts';
import type { ReadsDeps } from '../reads-deps.ts';
import { searchByKeyword, toSearchHits, toSearchQuery } from './by-keyword.ts';
import { searchByRegex } from './by-regex.ts';
import type { ModeQuery, SearchHits, SearchMode } from './search-hits.ts';

export interface ModeResult {
  readonly found: SearchHits;
  readonly mode: SearchMode;
  readonly hints: readonly string[];
  /** Entries that are not embedded yet. */
  readonly pending?: number;
}

type Deps = Pick<ReadsDeps, 'catalog' | 'regex' | 'embeddings'>;

const fallBack = (found: SearchHits, why: string): ModeResult => ({
  found,
  mode: 'keyword',
  hints: [`${why}; used mode keyword instead.`],
});

const rankingModes = { semantic: 'meaning', hybrid: 'hybrid' } as const;
type SemanticMode = keyof typeof rankingModes;

const noEmbedder = (mode: SemanticMode): string => `Mode ${mode} needs an embedder, and none is configured`;

const whyWordsOnly: Readonly<Record<NonNullable<HybridAnswer['missing']>, (mode: SemanticMode) => string>> = {
  embedder: noEmbedder,
  failure: (mode) => `The embedder does not answer for mode ${mode}`,
  language: () => 'The embedding model knows English only',
};

/** Keyword hits, without `embedder`, if meaning cannot help. */
async function searchByMeaning(
  { catalog }: Deps,
  embeddings: CatalogSemanticSearch,
  call: Call,
  mode: SemanticMode,
  query: ModeQuery,
): Promise<{ readonly found: SearchHits; readonly missing: HybridAnswer['missing'] }> {
  const state = await catalog.state(call);
  const asked = { ...toSearchQuery(state, query), mode: rankingModes[mode] };
  const answer = await embeddings.search(call, asked);
  const hits = answer.hits.map(({ id, score, relevance, keyword }) => ({
    ...{ id, score, relevance },
    highlights: keyword?.highlights ?? [],
  }));
  const found = toSearchHits(state, hits, answer);
  const { embedder, missing } = answer;
  return { found: embedder === null ? found : { ...found, embedder }, missing };
}

/** Continuing in another ranking would skip some entries and repeat others. */
const cannotContinue = () =>
  faults.INVALID_PARAMS(
    {
      why: 'the semantic search cannot continue because the embedder does not answer; search again without the cursor',
    },
    { field: 'cursor' },
  );

async function searchSemantic(
  deps: Deps,
  embeddings: CatalogSemanticSearch,
  call: Call,
  mode: SemanticMode,
  query: ModeQuery,
): Promise<ModeResult> {
  const { found, missing } = await searchByMeaning(deps, embeddings, call, mode, query);
  if (found.embedder === undefined && query.after !== undefined) throw cannotContinue();
  if (missing !== undefined) return fallBack(found, whyWordsOnly[missing](mode));
  // A query without a word means nothing.
  if (found.embedder === undefined) return { found, mode: 'keyword', hints: [] };
  const waiting = await embeddings.waiting(call);
  const { count: pending } = waiting;
  if (pending === 0) return { found, mode, hints: [] };
  if (mode === 'semantic' && found.count === 0) {
    const why = 'The catalog is being embedded in the background, so try again soon';
    return { ...fallBack(await searchByKeyword(deps.catalog, call, query), why), pending };
  }
  return { found, mode, pending, hints: [notEmbedded(waiting, ['entry', 'entries'])] };
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
  if (embeddings === undefined) return fallBack(await searchByKeyword(catalog, call, query), noEmbedder(mode));
  return searchSemantic(deps, embeddings, call, mode, query);
}
