import type { Call } from '#kernel/call.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import { byWordsOnly } from '#kernel/search/hybrid.ts';
import type { MatchingDocuments } from '#kernel/search/keyword/query/matching.ts';
import type { HitKey } from '#kernel/search/keyword/query/search-parts.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import { baseLibrary } from '../base/base-sections.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { formatLibraryVersion, parseLibraryVersion, parseSectionId } from '../libraries/library-version.ts';
import type { ProjectLock } from '../libraries/project-lock.ts';
import type { DocAnswer } from '../tools/search-docs.ts';
import { createLibraryChoice } from './choose-library.ts';
import { knowledgeDocuments, type Section, type SectionKind, sectionKinds } from './collection.ts';
import { createDocHits } from './doc-hits.ts';
import { type DocHit, type DocQuery, type ResolvedQuery, type SearchOutcome, toFilters } from './doc-query.ts';
import { findMentions, type Mention } from './find-mentions.ts';
import type { LibrarySections } from './library-sections.ts';
import { mergeNamed } from './merge-named.ts';
import { isSigilWord, readQuery } from './read-query.ts';
import { createSearchCursors } from './search-cursor.ts';
import { addPages, createNamedShare, createPrior, needsTitle } from './section-prior.ts';
import { createSemanticHits } from './semantic-hits.ts';

interface HintDeps {
  readonly runSearch: (query: ResolvedQuery, call: Call) => Promise<SearchOutcome>;
}

/** [KN6] Suggests another library, version or word if nothing was found. */
function createHints({ runSearch }: HintDeps) {
  /** Searches for the same words without filters. */
  async function elsewhere(query: ResolvedQuery, call: Call): Promise<string | undefined> {
    const { choice, ...anywhere } = query;
    const { answer } = await runSearch({ ...anywhere, version: 'all', limit: 1, offset: 0, until: 1 }, call);
    if (answer.total === 0) return undefined;
    if (choice !== undefined) return `Other docs than those of ${choice.library} have it: search without library.`;
    return query.version === 'all' || query.version === 'both'
      ? undefined
      : 'Other versions have it: search with version "all".';
  }

  return async (query: ResolvedQuery, { answer: { hints }, parsed }: SearchOutcome, call: Call): Promise<string> => {
    if (parsed.terms.length === 0)
      return 'Use words that describe what you look for: "around hooks", app.use, HookContext.';
    const advice = await elsewhere(query, call);
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
  readonly search: Pick<SearchIndex, 'search' | 'matching'>;
  readonly libraries: LibrarySections;
  readonly meaning: Pick<SemanticSearch, 'assess' | 'nearest' | 'vectorOf' | 'waiting'>;
  /** Which versions the project uses. */
  readonly lock: ProjectLock;
  readonly cursors: Cursors;
}

const readMore = 'knowledge_read with the id of a result returns its whole section.';

const { echoChars } = knowledgeLimits;

const isCutShort = ({ text, cut }: DocHit): boolean => text === undefined || cut === true;

function toAnswer(
  { query, version = 'v5', choice }: ResolvedQuery,
  results: readonly DocHit[],
  { mode }: SearchOutcome,
): DocAnswer {
  const library =
    choice?.version === undefined ? choice?.library : formatLibraryVersion({ ...choice, version: choice.version });
  return {
    ...{ query: query.length > echoChars ? `${query.slice(0, echoChars).toWellFormed()}...` : query },
    // With a library, its version: that of Feathers was not searched.
    ...{ version: choice?.version ?? version, mode, results },
    ...(library !== undefined && { library }),
    ...(results.some(isCutShort) && { more: readMore }),
  };
}

/** What a caller should know about the answer: a query that was cut is not an error, and neither is a missing embedder. */
function addNotes(
  found: DocAnswer,
  { mode, query }: Pick<ResolvedQuery, 'mode' | 'query'>,
  { answer: { leftOutCount }, pending, missing }: SearchOutcome,
): DocAnswer {
  const isWorthSaying = missing === 'language' || mode !== undefined;
  const hints = [
    found.hint,
    leftOutCount > 0 && `The query is long: only its first ${searchLimits.queryTermsCount} different words were used.`,
    query.length > echoChars && `query repeats only its first ${echoChars} characters.`,
    missing !== undefined && isWorthSaying && byWordsOnly[missing],
  ].filter((hint) => typeof hint === 'string');
  return {
    ...found,
    ...(pending !== undefined && { pending }),
    ...(hints.length > 0 && { hint: hints.join(' ') }),
  };
}

/** Hits of the keyword search. Only mode words shows them as they are. */
const hitsCountOf = ({ mode, limit, until }: ResolvedQuery): number =>
  mode === 'words' ? until : Math.max(limit, knowledgeLimits.fusedHitsCount);

const byScore = (a: HitKey, b: HitKey): number => b.score - a.score || (a.id < b.id ? -1 : 1);

export function createDocSearch({ base: open, search, libraries, meaning, lock, cursors }: DocSearchDeps): DocSearch {
  const stemOf = createStemmer();
  const toHits = createDocHits(stemOf);
  const searchCursors = createSearchCursors(cursors);
  const libraryChoice = createLibraryChoice({ libraries, lock });
  let opened: KnowledgeBase | undefined;

  async function openBase(): Promise<KnowledgeBase> {
    opened ??= await open();
    return opened;
  }

  function searchBy(
    { parts }: KnowledgeBase,
    query: ResolvedQuery,
    call: Call,
  ): SearchOutcome | Promise<SearchOutcome> {
    const { text } = query;
    const limit = hitsCountOf(query);
    const parsed = readQuery(text, stemOf);
    const filters = toFilters(query);
    const run = (substring: boolean) =>
      search.search(call, knowledgeDocuments, { text, parsed, limit, filters, staticParts: parts, substring });
    function toOutcome(answer: SearchAnswer, how: SearchOutcome['how']): SearchOutcome {
      const { hits } = answer;
      const byId = new Map(hits.map((hit) => [hit.id, hit]));
      return { ...{ hits, answer, parsed, how, mode: 'words' }, relevanceOf: (id) => byId.get(id)?.coverage ?? 0 };
    }
    // Substring search costs more and means less, so it runs only if keyword search finds nothing.
    const orSubstring = async (answer: SearchAnswer) =>
      answer.total > 0 ? toOutcome(answer, 'words') : toOutcome(await run(true), 'substring');
    const byWords = run(false);
    if (byWords instanceof Promise) return byWords.then(orSubstring);
    return byWords.total > 0 ? toOutcome(byWords, 'words') : orSubstring(byWords);
  }

  const runSearch = async (query: ResolvedQuery, call: Call) => searchBy(await openBase(), query, call);
  const hintFor = createHints({ runSearch });
  const addSemanticHits = createSemanticHits({ meaning, base: openBase });

  const isFromBase = ({ answer, hits }: SearchOutcome, base: KnowledgeBase): boolean =>
    answer.ownCount === 0 || hits.every(({ id }) => base.sections.has(id));

  /** One page of the results up to its end. `hasMore` if further hits were ranked. */
  function toPage(
    all: readonly DocHit[],
    query: ResolvedQuery,
    outcome: SearchOutcome,
    hasMore: boolean,
    call: Call,
  ): DocAnswer {
    searchCursors.expectSame(query.seen, all.slice(0, query.offset));
    const answer = toAnswer(query, all.slice(query.offset), outcome);
    if (!hasMore || all.length < query.until) return answer;
    return { ...answer, next_cursor: searchCursors.seal(query, all, call) };
  }

  /** Undefined if the base alone cannot answer. */
  function answerFromBase(
    outcome: SearchOutcome,
    base: KnowledgeBase,
    query: ResolvedQuery,
    call: Call,
  ): DocAnswer | undefined {
    if (query.mode !== 'words' || !isFromBase(outcome, base)) return undefined;
    const results = toHits(outcome, query, base);
    const hasMore = outcome.answer.next !== undefined;
    if (results.length < query.until && hasMore) return undefined;
    return addNotes(toPage(results, query, outcome, hasMore, call), query, outcome);
  }

  /** [KN25] */
  async function weigh({ hits, parsed, relevanceOf }: SearchOutcome, { text, choice }: ResolvedQuery, call: Call) {
    const base = await openBase();
    if (hits.every(({ id }) => base.sections.has(id))) return hits;
    const declared = hits.map(({ id }) => id).filter(needsTitle);
    const titles = declared.length === 0 ? undefined : await libraries.titles(call, declared);
    const ofKind = new Map<SectionKind, MatchingDocuments>();
    for (const kind of sectionKinds) {
      ofKind.set(kind, await search.matching(call, knowledgeDocuments, [{ key: 'kind', any: [kind] }]));
    }
    const priorOf = createPrior({
      // Without the names of libraries: a version of one is not a question about changes.
      query: text,
      titleOf: (id) => titles?.get(id),
      isOfKind: (id, kind) => ofKind.get(kind)!.has(id),
      namedShare: createNamedShare(parsed, stemOf),
      relevanceOf,
    });
    const weighed = hits.map(({ id, score }): HitKey => ({ id, score: score * priorOf(id) }));
    // The pages of different libraries cannot be compared.
    return (choice === undefined ? weighed : addPages(weighed)).toSorted(byScore);
  }

  /** Of a library with several versions, only the preferred one is shown. */
  async function keepPreferred(hits: readonly HitKey[]): Promise<readonly HitKey[]> {
    const versions = new Map<string, Set<string>>();
    const places = hits.map(({ id }) => (opened!.sections.has(id) ? undefined : parseSectionId(id)));
    for (const place of places) {
      if (place === undefined) continue;
      versions.set(place.library, (versions.get(place.library) ?? new Set()).add(place.version));
    }
    const preferred = new Map<string, string | undefined>();
    for (const [library, found] of versions) preferred.set(library, await libraryChoice.preferred(library, [...found]));
    return hits.filter((_hit, i) => {
      const place = places[i];
      return place === undefined || preferred.get(place.library) === place.version;
    });
  }

  /** Loads sections until there are enough: some may have been removed, or belong to one long section. */
  async function loadHits(outcome: SearchOutcome, query: ResolvedQuery, call: Call): Promise<readonly DocHit[]> {
    const base = await openBase();
    const { hits } = outcome;
    const sections = new Map<string, Section>();
    for (let from = 0; ; from += query.until) {
      const others = hits.slice(from, from + query.until).filter(({ id }) => !base.sections.has(id));
      if (others.length > 0) {
        const loaded = await libraries.load(
          call,
          others.map(({ id }) => id),
          'skip',
        );
        for (const [id, section] of loaded) sections.set(id, section);
      }
      const isLast = from + query.until >= hits.length;
      const results = toHits({ ...outcome, hits: hits.slice(0, from + query.until) }, query, base, sections);
      if (isLast || results.length === query.until) return results;
    }
  }

  /** All candidates, by words and meaning. `first`: what the words have found so far. */
  async function rank(query: ResolvedQuery, call: Call, first?: SearchOutcome): Promise<SearchOutcome> {
    // Not fewer for a small limit: the best hit must not depend on how many are shown.
    const limit = knowledgeLimits.candidatesCount;
    const wide = { ...query, limit, until: Math.max(limit, query.until) };
    const isEnough =
      first !== undefined &&
      (first.answer.ownCount === 0 || first.answer.next === undefined || hitsCountOf(wide) <= hitsCountOf(query));
    const found = await addSemanticHits(isEnough ? first : await runSearch(wide, call), wide, call);
    const weighed = await weigh(found, query, call);
    return { ...found, hits: query.choice === undefined ? await keepPreferred(weighed) : weighed };
  }

  async function rankNamed(query: ResolvedQuery, mentions: readonly Mention[], call: Call): Promise<SearchOutcome> {
    const general = await rank(query, call);
    const named: SearchOutcome[] = [];
    for (const mention of mentions) {
      const choice = await libraryChoice.named(mention, call);
      if (choice !== undefined) named.push(await rank({ ...query, text: mention.rest, choice }, call));
    }
    return mergeNamed(general, named);
  }

  async function answerFrom(found: SearchOutcome, query: ResolvedQuery, call: Call): Promise<DocAnswer> {
    const results = await loadHits(found, query, call);
    const page = toPage(results, query, found, found.hits.length > query.until, call);
    const answer = results.length === 0 ? { ...page, hint: await hintFor(query, found, call) } : page;
    return addNotes(answer, query, found);
  }

  const answerFromAll = async (first: SearchOutcome, query: ResolvedQuery, call: Call): Promise<DocAnswer> =>
    answerFrom(await rank(query, call, first), query, call);

  /** Later pages show more of the ranking of the first one. */
  function resolvePage(query: DocQuery, call: Call): ResolvedQuery {
    // One more character than is read, so that the answer says that the query was cut.
    const text = query.query.slice(0, searchLimits.queryChars + 1);
    if (query.cursor === undefined) return { ...query, text, offset: 0, until: query.limit };
    const { offset, seen } = searchCursors.open(query.cursor, query, call);
    return { ...query, text, offset, until: offset + query.limit, seen };
  }

  /** The version may be in `library` or in the text: `zod 3 optional`. */
  async function findInLibrary(query: ResolvedQuery, library: string, call: Call): Promise<DocAnswer> {
    if (library.trim() === '') return answerFrom(await rank(query, call), query, call);
    const asked = await libraryChoice.choose(library, call);
    const own = findMentions(query.text, [asked.library]).all.find((one) => one.library === asked.library);
    const hasVersion =
      parseLibraryVersion(library).version !== undefined ||
      (asked.library === baseLibrary && query.version !== undefined);
    const named = own === undefined || hasVersion ? undefined : await libraryChoice.named(own, call);
    const choice = named ?? asked;
    const resolved = { ...query, choice, text: own?.rest ?? query.text };
    return answerFrom(await rank(resolved, call), resolved, call);
  }

  function findAnywhere(query: ResolvedQuery, names: readonly string[], call: Call): DocAnswer | Promise<DocAnswer> {
    const mentions = findMentions(query.text, names);
    const named = mentions.all
      .map((mention) =>
        query.version === undefined || mention.library !== baseLibrary ? mention : { ...mention, range: undefined },
      )
      // Feathers comes first anyway if there is nothing else.
      .filter(({ library, range }) => library !== baseLibrary || range !== undefined || names.length > 0);
    if (named.length > 0) {
      const rest = { ...query, text: mentions.rest };
      return rankNamed(rest, named, call).then((found) => answerFrom(found, rest, call));
    }
    const outcome = opened === undefined ? runSearch(query, call) : searchBy(opened, query, call);
    if (outcome instanceof Promise) return outcome.then((first) => answerFromAll(first, query, call));
    return answerFromBase(outcome, opened!, query, call) ?? answerFromAll(outcome, query, call);
  }

  return {
    find(given, call) {
      const query = resolvePage(given, call);
      if (query.library !== undefined) return findInLibrary(query, query.library, call);
      const names = libraries.libraryNames(call);
      return names instanceof Promise
        ? names.then((known) => findAnywhere(query, known, call))
        : findAnywhere(query, names, call);
    },
  };
}
