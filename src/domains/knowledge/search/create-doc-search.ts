import type { Call } from '#kernel/call.ts';
import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import type { Meaning } from '#kernel/search/meaning/meaning.ts';
import type { ParsedQuery } from '#kernel/search/query/parse-query.ts';
import type { HitKey } from '#kernel/search/query/search-parts.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { createStemmer, type StemOf } from '#kernel/search/stemmer.ts';
import type { Base } from '../base/open-base.ts';
import { baseLibrary } from '../base/passage.ts';
import { knowledgeDocuments } from './collection.ts';
import type { DocAnswer, DocHit, DocQuery } from './doc-query.ts';
import type { DocSearch } from './doc-search.ts';
import { toFilters } from './filters.ts';
import { createHints } from './hints.ts';
import type { FoundSection, LibrarySections } from './library-sections.ts';
import { createLikeness, isSure } from './likeness.ts';
import { type MarkedText, markText } from './marked-text.ts';
import { type HitPrint, printAnswer, printFacts } from './print-answer.ts';
import { readQuery } from './read-query.ts';
import { docSearchLimits } from './search-limits.ts';
import { createSnippets } from './snippets.ts';

export interface DocSearchDeps {
  /** Opened when it is first asked for. */
  readonly base: () => Promise<Base>;
  readonly search: Pick<SearchIndex, 'search'>;
  readonly libraries: LibrarySections;
  readonly meaning: Pick<Meaning, 'nearest' | 'vectorOf'>;
}

export interface Asked {
  /** Best first: those of the answer, or with what is alike fused in. */
  readonly hits: readonly HitKey[];
  readonly answer: SearchAnswer;
  readonly parsed: ParsedQuery;
  /** Either words found all of them, or none. */
  readonly how: 'words' | 'substring';
}

export type Ask = (query: DocQuery, call: Call) => Asked | Promise<Asked>;

/** Four digits tell hits apart; more are noise. */
const toScore = (score: number, best: number): number => Math.round((score / best) * 10_000) / 10_000;

/** A section that is too long was taken in in pieces; of those one is shown. */
const placeOf = ({ library, version, path, breadcrumb }: FoundSection): string =>
  JSON.stringify([library, version, path, breadcrumb]);

const none: ReadonlyMap<string, FoundSection> = new Map();

/** What is shown of a section whatever was asked, and the words of its text. */
interface Shown {
  readonly facts: Omit<DocHit, 'id' | 'score' | 'snippet'>;
  readonly marked: MarkedText;
  readonly place: string;
  /** Printed with the first hit that shows it; only of the base. */
  print?: HitPrint;
}

/** The headings above it: its own is the title. A page that is found as a whole stands under itself. */
const breadcrumbOf = ({ breadcrumb }: FoundSection): string =>
  (breadcrumb.length > 1 ? breadcrumb.slice(0, -1) : breadcrumb).join(' > ');

function toShown(section: FoundSection, stemOf: StemOf): Shown {
  const { library, version, category, title, path, url } = section;
  const source = url === undefined ? { path } : { url, path };
  const facts = { title, version, category, source, breadcrumb: breadcrumbOf(section) };
  return {
    facts: library === baseLibrary ? facts : { ...facts, library },
    marked: markText(section.text, stemOf),
    place: placeOf(section),
  };
}

const toAnswer = ({ query, version = 'v5' }: DocQuery, results: readonly DocHit[]): DocAnswer => ({
  query,
  version,
  results,
});

export function createDocSearch({ base: open, search, libraries, meaning }: DocSearchDeps): DocSearch {
  const stemOf = createStemmer();
  /** Of the base alone, which never changes: reading the words of ten texts costs more than finding them. */
  const known = new Map<string, Shown>();

  let opened: Base | undefined;

  async function openBase(): Promise<Base> {
    opened ??= await open();
    return opened;
  }

  function askIn({ parts }: Base, query: DocQuery, call: Call): Asked | Promise<Asked> {
    const parsed = readQuery(query.query, stemOf);
    const { query: text, limit, stamp } = query;
    const asked = { text, parsed, limit, filters: toFilters(query), beside: parts, stamp };
    const look = (substring: boolean) => search.search(call, knowledgeDocuments, { ...asked, substring });
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

  /** Undefined: removed since the index was asked. */
  function show(id: string, { passages }: Base, taken: ReadonlyMap<string, FoundSection>): Shown | undefined {
    const before = known.get(id);
    if (before !== undefined) return before;
    const passage = passages.get(id);
    const section = passage ?? taken.get(id);
    if (section === undefined) return undefined;
    const shown = toShown(section, stemOf);
    if (section === passage) known.set(id, shown);
    return shown;
  }

  async function loadHits(asked: Asked, limit: number, call: Call): Promise<readonly DocHit[]> {
    const base = await openBase();
    const others = asked.hits.filter(({ id }) => !base.passages.has(id)).map(({ id }) => id);
    return toHits(asked, limit, base, others.length === 0 ? none : await libraries.load(call, others));
  }

  function toHits(
    { hits, parsed, how }: Asked,
    limit: number,
    base: Base,
    taken: ReadonlyMap<string, FoundSection>,
  ): readonly DocHit[] {
    const snippetOf = createSnippets(parsed, stemOf);
    const places = new Set<string>();
    const results: DocHit[] = [];
    let best: number | undefined;
    for (const { id, score } of hits) {
      const shown = show(id, base, taken);
      if (shown === undefined || places.has(shown.place)) continue;
      places.add(shown.place);
      best ??= score;
      const { title, version, category, source, breadcrumb, library } = shown.facts;
      const snippet = snippetOf(shown.marked, how);
      const hit = { id, title, version, category, source, score: toScore(score, best), snippet, breadcrumb };
      if (library === undefined) shown.print ??= printFacts(hit);
      results.push(library === undefined ? hit : { ...hit, library });
      if (results.length === limit) break;
    }
    return results;
  }

  const isWhole = (results: readonly DocHit[], { limit }: DocQuery, { answer }: Asked): boolean =>
    results.length === limit || answer.next === undefined;

  /** What the words find in the base alone, without a wait. Undefined: there is more to it. */
  function findAtOnce(asked: Asked, base: Base, query: DocQuery): DocAnswer | undefined {
    if (!isSure(asked) || asked.hits.some(({ id }) => !base.passages.has(id))) return undefined;
    const results = toHits(asked, query.limit, base, none);
    return isWhole(results, query, asked) ? toAnswer(query, results) : undefined;
  }

  async function findOn(first: Asked | Promise<Asked>, query: DocQuery, call: Call): Promise<DocAnswer> {
    let asked = await addAlike(await first, query, call);
    let results = await loadHits(asked, query.limit, call);
    if (!isWhole(results, query, asked)) {
      const more = { ...query, limit: query.limit * docSearchLimits.piecesCount };
      asked = await addAlike(await ask(more, call), more, call);
      results = await loadHits(asked, query.limit, call);
    }
    const answer = toAnswer(query, results);
    return results.length === 0 ? { ...answer, hint: await hintFor(query, asked, call) } : answer;
  }

  return {
    print: (answer) => printAnswer(answer, (id) => known.get(id)?.print),
    find(query, call) {
      if (opened === undefined) return findOn(ask(query, call), query, call);
      const asked = askIn(opened, query, call);
      return (asked instanceof Promise ? undefined : findAtOnce(asked, opened, query)) ?? findOn(asked, query, call);
    },
  };
}
