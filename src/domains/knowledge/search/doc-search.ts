import type { Call } from '#kernel/call.ts';
import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import { baseLibrary } from '../base/base-sections.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { formatLibraryVersion, parseLibraryVersion } from '../libraries/library-version.ts';
import type { DocAnswer } from '../tools/search-docs.ts';
import { knowledgeDocuments } from './collection.ts';
import { createDocHits } from './doc-hits.ts';
import { type DocHit, type DocQuery, type SearchOutcome, toFilters } from './doc-query.ts';
import type { LibrarySections } from './library-sections.ts';
import { isSigilWord, readQuery } from './read-query.ts';
import { createSemanticHits, hasEnoughKeywords } from './semantic-hits.ts';

interface HintDeps {
  readonly runSearch: (query: DocQuery, call: Call) => Promise<SearchOutcome>;
  readonly libraries: LibrarySections;
}

function toList(names: readonly string[]): string {
  const { hintNamesCount } = knowledgeLimits;
  const more = names.length - hintNamesCount;
  return names.slice(0, hintNamesCount).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** [KN6] Suggests another library, version or word if nothing was found. */
function createHints({ runSearch, libraries }: HintDeps) {
  async function unknownLibrary(asked: string, call: Call): Promise<string | undefined> {
    const { library, version } = parseLibraryVersion(asked);
    const names = await libraries.names(call);
    const versions = names.filter((name) => name.library === library);
    if (library === baseLibrary && version === undefined) return undefined;
    if (versions.length === 0 && library !== baseLibrary) {
      return `No library is named "${library}"; available: ${toList([baseLibrary, ...names.map(formatLibraryVersion)])}.`;
    }
    if (version === undefined || versions.some((name) => name.version === version)) return undefined;
    const known = [
      ...versions.map(formatLibraryVersion),
      ...(library === baseLibrary ? ['feathers@v5', 'feathers@v4'] : []),
    ];
    return known.includes(`${library}@${version}`) ? undefined : `Available versions: ${toList(known)}.`;
  }

  /** Searches for the same words without filters. */
  async function elsewhere(query: DocQuery, call: Call): Promise<string | undefined> {
    const { query: text } = query;
    const { answer: anyVersion } = await runSearch({ ...query, version: 'all', limit: 1 }, call);
    if (query.version !== 'all' && query.version !== 'both' && anyVersion.total > 0)
      return 'Other versions have it: search with version "all".';
    if (query.library === undefined) return undefined;
    const { answer: anywhere } = await runSearch({ query: text, version: 'all', limit: 1 }, call);
    return anywhere.total > 0 ? 'Other libraries have it: search without library and with version "all".' : undefined;
  }

  return async (query: DocQuery, { answer: { hints }, parsed }: SearchOutcome, call: Call): Promise<string> => {
    if (parsed.terms.length === 0)
      return 'Use words that describe what you look for: "around hooks", app.use, HookContext.';
    const advice =
      (query.library === undefined ? undefined : await unknownLibrary(query.library, call)) ??
      (await elsewhere(query, call));
    if (advice !== undefined) return `Nothing was found. ${advice}`;
    const near = hints.filter((word) => !isSigilWord(word));
    const words = near.length === 0 ? 'Try other or fewer words.' : `Similar words: ${near.join(', ')}.`;
    return `Nothing was found. ${words}`;
  };
}

export interface DocSearch {
  /** Synchronous if the base alone can answer. */
  find(query: DocQuery, call: Call): DocAnswer | Promise<DocAnswer>;
}

export interface DocSearchDeps {
  readonly base: () => Promise<KnowledgeBase>;
  readonly search: Pick<SearchIndex, 'search'>;
  readonly libraries: LibrarySections;
  readonly meaning: Pick<SemanticSearch, 'nearest' | 'vectorOf'>;
}

const toAnswer = ({ query, version = 'v5' }: DocQuery, results: readonly DocHit[]): DocAnswer => ({
  query,
  version,
  results,
});

export function createDocSearch({ base: open, search, libraries, meaning }: DocSearchDeps): DocSearch {
  const stemOf = createStemmer();
  const toHits = createDocHits(stemOf);
  let opened: KnowledgeBase | undefined;

  async function openBase(): Promise<KnowledgeBase> {
    opened ??= await open();
    return opened;
  }

  function searchBy({ parts }: KnowledgeBase, query: DocQuery, call: Call): SearchOutcome | Promise<SearchOutcome> {
    const { query: text, limit } = query;
    const parsed = readQuery(text, stemOf);
    const filters = toFilters(query);
    const run = (substring: boolean) =>
      search.search(call, knowledgeDocuments, { text, parsed, limit, filters, staticParts: parts, substring });
    const toOutcome = (answer: SearchAnswer, how: SearchOutcome['how']) => ({ hits: answer.hits, answer, parsed, how });
    // Substring search costs more and means less, so it runs only if keyword search finds nothing.
    const orSubstring = async (answer: SearchAnswer) =>
      answer.total > 0 ? toOutcome(answer, 'words') : toOutcome(await run(true), 'substring');
    const byWords = run(false);
    if (byWords instanceof Promise) return byWords.then(orSubstring);
    return byWords.total > 0 ? toOutcome(byWords, 'words') : orSubstring(byWords);
  }

  const runSearch = async (query: DocQuery, call: Call) => searchBy(await openBase(), query, call);
  const hintFor = createHints({ runSearch, libraries });
  const addSemanticHits = createSemanticHits({ meaning, base: openBase });

  async function loadHits(outcome: SearchOutcome, limit: number, call: Call): Promise<readonly DocHit[]> {
    const base = await openBase();
    const others = outcome.hits.filter(({ id }) => !base.sections.has(id)).map(({ id }) => id);
    return toHits(outcome, limit, base, others.length === 0 ? undefined : await libraries.load(call, others, 'skip'));
  }

  const isFromBase = ({ answer, hits }: SearchOutcome, base: KnowledgeBase): boolean =>
    answer.ownCount === 0 || hits.every(({ id }) => base.sections.has(id));

  const isComplete = (results: readonly DocHit[], { limit }: DocQuery, { answer }: SearchOutcome): boolean =>
    results.length === limit || answer.next === undefined;

  /** Undefined if the base alone cannot answer. */
  function answerFromBase(outcome: SearchOutcome, base: KnowledgeBase, query: DocQuery): DocAnswer | undefined {
    if (!hasEnoughKeywords(outcome) || !isFromBase(outcome, base)) return undefined;
    const results = toHits(outcome, query.limit, base);
    return isComplete(results, query, outcome) ? toAnswer(query, results) : undefined;
  }

  async function answerFromAll(first: SearchOutcome, query: DocQuery, call: Call): Promise<DocAnswer> {
    let outcome = await addSemanticHits(first, query, call);
    let results = await loadHits(outcome, query.limit, call);
    if (!isComplete(results, query, outcome)) {
      const more = { ...query, limit: query.limit * knowledgeLimits.sectionPartsCount };
      outcome = await addSemanticHits(await runSearch(more, call), more, call);
      results = await loadHits(outcome, query.limit, call);
    }
    const answer = toAnswer(query, results);
    return results.length === 0 ? { ...answer, hint: await hintFor(query, outcome, call) } : answer;
  }

  return {
    find(query, call) {
      const outcome = opened === undefined ? runSearch(query, call) : searchBy(opened, query, call);
      if (outcome instanceof Promise) return outcome.then((first) => answerFromAll(first, query, call));
      return answerFromBase(outcome, opened!, query) ?? answerFromAll(outcome, query, call);
    },
  };
}
