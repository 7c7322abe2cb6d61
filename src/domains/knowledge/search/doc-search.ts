import type { Call } from '#kernel/call.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import { baseLibrary } from '../base/base-sections.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { formatLibraryVersion, parseLibraryVersion } from '../libraries/library-version.ts';
import type { Dependencies, ProjectLock } from '../libraries/project-lock.ts';
import type { DocAnswer } from '../tools/search-docs.ts';
import { createLibraryChoice } from './choose-library.ts';
import type { Section } from './collection.ts';
import { createDocHits } from './doc-hits.ts';
import { addNotes, createHints } from './doc-notes.ts';
import type { DocHit, DocQuery, ResolvedQuery, SearchOutcome } from './doc-query.ts';
import { findLibraryName, findMentions, findPackageNames } from './find-mentions.ts';
import type { LibrarySections } from './library-sections.ts';
import { createDocRanking } from './rank-docs.ts';
import { createSearchCursors } from './search-cursor.ts';

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

/** The base covers them. */
const feathersScope = '@feathersjs/';

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

  const { searchBy, runSearch, rank, rankNamed } = createDocRanking({
    ...{ openBase, search, libraries, meaning, libraryChoice, stemOf },
  });
  const hintFor = createHints({ runSearch });

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

  /** [KN28] The packages of the project that a query names and that no library of the tenant covers. */
  function findMissing({ text, cursor }: ResolvedQuery, names: readonly string[], packages: Dependencies) {
    // Further names are not known: one of them may be the package.
    const isCertain = names.length < knowledgeLimits.namesCount;
    if (cursor !== undefined || packages.size === 0 || !isCertain) return [];
    return findPackageNames(text, packages).filter(
      (name) => !name.startsWith(feathersScope) && findLibraryName(name, names) === undefined,
    );
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
    const answer = (first: SearchOutcome) =>
      answerFromBase(first, opened!, query, call) ?? answerFromAll(first, query, call);
    return outcome instanceof Promise ? outcome.then(answer) : answer(outcome);
  }

  return {
    find(given, call) {
      const query = resolvePage(given, call);
      if (query.library !== undefined) return findInLibrary(query, query.library, call);
      const names = libraries.libraryNames(call);
      const packages = lock.dependencies();
      const answer = (known: readonly string[], used: Dependencies) =>
        findAnywhere({ ...query, notIngested: findMissing(query, known, used) }, known, call);
      return names instanceof Promise || packages instanceof Promise
        ? Promise.all([names, packages]).then(([known, used]) => answer(known, used))
        : answer(names, packages);
    },
  };
}
