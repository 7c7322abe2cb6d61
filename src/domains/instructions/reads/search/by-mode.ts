import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { CatalogSemanticSearch } from '../../catalog/semantic-search.ts';
import type { ReadsDeps } from '../reads-deps.ts';
import { searchByKeyword } from './by-keyword.ts';
import { searchByRegex } from './by-regex.ts';
import { searchBySimilarity, searchHybrid } from './by-similarity.ts';
import type { ModeQuery, SearchHits, SearchMode } from './search-hits.ts';

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

const searchFor = {
  semantic: searchBySimilarity,
  hybrid: searchHybrid,
} as const;

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
