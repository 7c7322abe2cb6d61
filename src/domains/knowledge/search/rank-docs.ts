import type { Call } from '#kernel/call.ts';
import type { SearchAnswer } from '#kernel/search/answer-search.ts';
import type { MatchingDocuments } from '#kernel/search/keyword/query/matching.ts';
import type { HitKey } from '#kernel/search/keyword/query/search-parts.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { parseSectionId } from '../libraries/library-version.ts';
import type { LibraryChooser } from './choose-library.ts';
import { knowledgeDocuments, type SectionKind, sectionKinds } from './collection.ts';
import { type ResolvedQuery, type SearchOutcome, toFilters } from './doc-query.ts';
import type { Mention } from './find-mentions.ts';
import type { LibrarySections } from './library-sections.ts';
import { mergeNamed } from './merge-named.ts';
import { readQuery } from './read-query.ts';
import { addPages, createNamedShare, createPrior, needsTitle } from './section-prior.ts';
import { createSemanticHits } from './semantic-hits.ts';

export interface DocRankingDeps {
  readonly openBase: () => Promise<KnowledgeBase>;
  readonly search: Pick<SearchIndex, 'search' | 'matching'>;
  readonly libraries: Pick<LibrarySections, 'titles'>;
  readonly meaning: Pick<SemanticSearch, 'assess' | 'nearest' | 'vectorOf' | 'waiting'>;
  readonly libraryChoice: LibraryChooser;
  readonly stemOf: StemOf;
}

/** Hits of the keyword search. Only mode words shows them as they are. */
const hitsCountOf = ({ mode, limit, until }: ResolvedQuery): number =>
  mode === 'words' ? until : Math.max(limit, knowledgeLimits.fusedHitsCount);

const byScore = (a: HitKey, b: HitKey): number => b.score - a.score || (a.id < b.id ? -1 : 1);

/** Ranks the sections of the base and the libraries, by words and by meaning. */
export function createDocRanking({ openBase, search, libraries, meaning, libraryChoice, stemOf }: DocRankingDeps) {
  function searchBy(
    { parts }: KnowledgeBase,
    query: ResolvedQuery,
    call: Call,
  ): SearchOutcome | Promise<SearchOutcome> {
    const { text } = query;
    const limit = hitsCountOf(query);
    const parsed = readQuery(text, stemOf);
    const filters = toFilters(query);
    // A search by words alone shows every section with one of them.
    const commonDocsMin = query.mode === 'words' ? undefined : searchLimits.commonDocsCount;
    const asked = { text, parsed, limit, filters, staticParts: parts, ...(commonDocsMin && { commonDocsMin }) };
    const run = (substring: boolean) => search.search(call, knowledgeDocuments, { ...asked, substring });
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
  const addSemanticHits = createSemanticHits({ meaning, base: openBase });

  /** [KN25] */
  async function weigh(
    { hits, parsed }: SearchOutcome,
    { text, choice }: ResolvedQuery,
    relevanceOf: SearchOutcome['relevanceOf'],
    call: Call,
  ) {
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
    const base = await openBase();
    const versions = new Map<string, Set<string>>();
    const places = hits.map(({ id }) => (base.sections.has(id) ? undefined : parseSectionId(id)));
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

  /** All candidates, by words and meaning. `first`: what the words have found so far. */
  async function rank(query: ResolvedQuery, call: Call, first?: SearchOutcome): Promise<SearchOutcome> {
    // Not fewer for a small limit: the best hit must not depend on how many are shown.
    const limit = knowledgeLimits.candidatesCount;
    const wide = { ...query, limit, until: Math.max(limit, query.until) };
    const isEnough =
      first !== undefined &&
      (first.answer.ownCount === 0 || first.answer.next === undefined || hitsCountOf(wide) <= hitsCountOf(query));
    const words = isEnough ? first : await runSearch(wide, call);
    const found = await addSemanticHits(words, wide, call);
    // What a declaration has of the query are its words: its similarity is in its score already.
    const { relevanceOf } = query.mode === 'meaning' || words.hits.length === 0 ? found : words;
    const weighed = await weigh(found, query, relevanceOf, call);
    const hits = found.keepRelevant?.(weighed) ?? weighed;
    return { ...found, hits: query.choice === undefined ? await keepPreferred(hits) : hits };
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

  return { searchBy, runSearch, rank, rankNamed };
}
