import type { Call } from '#kernel/call.ts';
import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import type { ParsedQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { knowledgeDocuments } from './collection.ts';
import type { DocAnswer, DocHit, DocQuery, RunSearch, SearchOutcome } from './doc-query.ts';
import { toFilters } from './doc-query.ts';
import type { DocSearch } from './doc-search.ts';
import { createHints } from './hints.ts';
import type { LibrarySections } from './library-sections.ts';
import { readQuery } from './read-query.ts';
import { createSemanticHits, hasEnoughKeywords } from './semantic-hits.ts';
import { createShownHits } from './shown-hits.ts';

export interface DocSearchDeps {
  /** Opened when it is first asked for. */
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
  const toHits = createShownHits(stemOf);
  let opened: KnowledgeBase | undefined;

  async function openBase(): Promise<KnowledgeBase> {
    opened ??= await open();
    return opened;
  }

  function askIn({ parts }: KnowledgeBase, query: DocQuery, call: Call): SearchOutcome | Promise<SearchOutcome> {
    const parsed = readQuery(query.query, stemOf);
    const { query: text, limit } = query;
    const filters = toFilters(query);
    const look = (substring: boolean) =>
      search.search(call, knowledgeDocuments, { text, parsed, limit, filters, staticParts: parts, substring });
    const byWords = look(false);
    if (!(byWords instanceof Promise) && byWords.total > 0)
      return { hits: byWords.hits, answer: byWords, parsed, how: 'words' };
    return askOn(byWords, look, parsed);
  }

  async function askOn(
    words: SearchAnswer | Promise<SearchAnswer>,
    look: (substring: boolean) => SearchAnswer | Promise<SearchAnswer>,
    parsed: ParsedQuery,
  ): Promise<SearchOutcome> {
    const byWords = await words;
    if (byWords.total > 0) return { hits: byWords.hits, answer: byWords, parsed, how: 'words' };
    // What stands inside of words is looked for only where words find nothing: it costs more and means less.
    const inside = await look(true);
    return { hits: inside.hits, answer: inside, parsed, how: 'substring' };
  }

  const ask: RunSearch = async (query, call) => askIn(await openBase(), query, call);
  const hintFor = createHints({ ask, libraries });
  const addAlike = createSemanticHits({ meaning, base: openBase });

  async function loadHits(asked: SearchOutcome, limit: number, call: Call): Promise<readonly DocHit[]> {
    const base = await openBase();
    const others = asked.hits.filter(({ id }) => !base.sections.has(id)).map(({ id }) => id);
    return toHits(asked, limit, base, others.length === 0 ? undefined : await libraries.load(call, others));
  }

  const isOfBase = ({ answer, hits }: SearchOutcome, { sections: passages }: KnowledgeBase): boolean =>
    answer.ownCount === 0 || hits.every(({ id }) => passages.has(id));

  const isWhole = (results: readonly DocHit[], { limit }: DocQuery, { answer }: SearchOutcome): boolean =>
    results.length === limit || answer.next === undefined;

  /** What the words find in the base alone, without a wait. Undefined: there is more to it. */
  function findAtOnce(asked: SearchOutcome, base: KnowledgeBase, query: DocQuery): DocAnswer | undefined {
    if (!hasEnoughKeywords(asked) || !isOfBase(asked, base)) return undefined;
    const results = toHits(asked, query.limit, base);
    return isWhole(results, query, asked) ? toAnswer(query, results) : undefined;
  }

  async function findOn(
    first: SearchOutcome | Promise<SearchOutcome>,
    query: DocQuery,
    call: Call,
  ): Promise<DocAnswer> {
    let asked = await addAlike(await first, query, call);
    let results = await loadHits(asked, query.limit, call);
    if (!isWhole(results, query, asked)) {
      const more = { ...query, limit: query.limit * knowledgeLimits.piecesCount };
      asked = await addAlike(await ask(more, call), more, call);
      results = await loadHits(asked, query.limit, call);
    }
    const answer = toAnswer(query, results);
    return results.length === 0 ? { ...answer, hint: await hintFor(query, asked, call) } : answer;
  }

  return {
    find(query, call) {
      if (opened === undefined) return findOn(ask(query, call), query, call);
      const asked = askIn(opened, query, call);
      return (asked instanceof Promise ? undefined : findAtOnce(asked, opened, query)) ?? findOn(asked, query, call);
    },
  };
}
