import type { Call } from '#kernel/call.ts';
import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { DocAnswer } from '../tools/search-docs.ts';
import { knowledgeDocuments } from './collection.ts';
import { createDocHits } from './doc-hits.ts';
import { type DocHit, type DocQuery, type SearchOutcome, toFilters } from './doc-query.ts';
import { createHints } from './hints.ts';
import type { LibrarySections } from './library-sections.ts';
import { readQuery } from './read-query.ts';
import { createSemanticHits, hasEnoughKeywords } from './semantic-hits.ts';

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
