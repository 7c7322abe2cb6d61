import type { Call } from '#kernel/call.ts';
import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import { type ParsedQuery, parseQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { createStemmer, type StemOf } from '#kernel/search/stemmer.ts';
import type { Base } from '../base/open-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { Ask, Asked } from './asked.ts';
import { knowledgeDocuments } from './collection.ts';
import type { DocAnswer, DocHit, DocQuery } from './doc-query.ts';
import type { DocSearch } from './doc-search.ts';
import { toFilters } from './filters.ts';
import { createHints } from './hints.ts';
import type { LibrarySections } from './library-sections.ts';
import { createLikeness, isSure } from './likeness.ts';
import { createShownHits } from './shown-hits.ts';
import { withSignedWords } from './signed-names.ts';

/**
 * Words that developers use for one another. Whoever asks for one also means the others, a little: each counts half.
 */
const groups: readonly (readonly string[])[] = [
  ['login', 'signin', 'authenticate', 'authentication'],
  ['signup', 'register'],
  ['delete', 'remove', 'destroy'],
  ['bulk', 'batch', 'multi', 'several', 'many'],
  ['notify', 'event', 'publish'],
  ['encrypt', 'hash'],
  ['shutdown', 'teardown', 'stop'],
  ['docker', 'dockerfile', 'container'],
  ['env', 'environment'],
  ['config', 'configuration', 'settings'],
  ['own', 'owner'],
  ['count', 'number', 'total'],
  ['refresh', 'reload'],
  ['websocket', 'socket', 'realtime'],
  ['sql', 'knex'],
  ['db', 'database'],
  ['permission', 'authorize', 'restrict', 'role'],
  ['folder', 'directory'],
  ['crash', 'error', 'exception'],
  ['slow', 'performance', 'fast'],
  ['endpoint', 'route', 'path'],
  ['typescript', 'types'],
  ['join', 'relation', 'populate'],
  ['sort', 'order'],
  ['validate', 'validation', 'check'],
  ['log', 'logger', 'logging'],
  ['token', 'jwt'],
  ['proxy', 'remote'],
  ['cron', 'schedule', 'job'],
  ['upload', 'file'],
  ['fetch', 'load', 'request'],
  ['test', 'spec', 'mocha'],
  ['upgrade', 'migrate', 'migration'],
];

const kindred = new Map<string, readonly string[]>();
for (const group of groups) {
  for (const word of group)
    kindred.set(word, [...(kindred.get(word) ?? []), ...group.filter((other) => other !== word)]);
}

const none: readonly string[] = [];

// A plural has the kindred of its singular.
for (const [word, others] of [...kindred]) if (!kindred.has(`${word}s`)) kindred.set(`${word}s`, others);

const kindredOf = (word: string): readonly string[] => kindred.get(word) ?? none;

const guessing = { match: 'any', lastWordIsPrefix: false, guessesFor: kindredOf } as const;
/** A quoted query means what it says. */
const literal = { match: 'any', lastWordIsPrefix: false } as const;

/** A question as it is looked for: its words, names with a sign, and for half the words that mean the same. */
export const readQuery = (query: string, stemOf: StemOf): ParsedQuery =>
  parseQuery(withSignedWords(query), query.includes('"') ? literal : guessing, stemOf);

export interface DocSearchDeps {
  /** Opened when it is first asked for. */
  readonly base: () => Promise<Base>;
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
  let opened: Base | undefined;

  async function openBase(): Promise<Base> {
    opened ??= await open();
    return opened;
  }

  function askIn({ parts }: Base, query: DocQuery, call: Call): Asked | Promise<Asked> {
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
  ): Promise<Asked> {
    const byWords = await words;
    if (byWords.total > 0) return { hits: byWords.hits, answer: byWords, parsed, how: 'words' };
    // What stands inside of words is looked for only where words find nothing: it costs more and means less.
    const inside = await look(true);
    return { hits: inside.hits, answer: inside, parsed, how: 'substring' };
  }

  const ask: Ask = async (query, call) => askIn(await openBase(), query, call);
  const hintFor = createHints({ ask, libraries });
  const addAlike = createLikeness({ meaning, base: openBase });

  async function loadHits(asked: Asked, limit: number, call: Call): Promise<readonly DocHit[]> {
    const base = await openBase();
    const others = asked.hits.filter(({ id }) => !base.passages.has(id)).map(({ id }) => id);
    return toHits(asked, limit, base, others.length === 0 ? undefined : await libraries.load(call, others));
  }

  const isOfBase = ({ answer, hits }: Asked, { passages }: Base): boolean =>
    answer.ownCount === 0 || hits.every(({ id }) => passages.has(id));

  const isWhole = (results: readonly DocHit[], { limit }: DocQuery, { answer }: Asked): boolean =>
    results.length === limit || answer.next === undefined;

  /** What the words find in the base alone, without a wait. Undefined: there is more to it. */
  function findAtOnce(asked: Asked, base: Base, query: DocQuery): DocAnswer | undefined {
    if (!isSure(asked) || !isOfBase(asked, base)) return undefined;
    const results = toHits(asked, query.limit, base);
    return isWhole(results, query, asked) ? toAnswer(query, results) : undefined;
  }

  async function findOn(first: Asked | Promise<Asked>, query: DocQuery, call: Call): Promise<DocAnswer> {
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
