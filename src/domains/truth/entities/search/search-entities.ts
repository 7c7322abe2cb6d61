import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '#kernel/call.ts';
import type { RankingMode } from '#kernel/search/hybrid.ts';
import { createDocumentMatcher } from '#kernel/search/match-documents.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { chunksOf } from '../../chunks.ts';
import type { Fields } from '../../observations/observation.ts';
import { translateSearchFault } from '../../records/retrieve-records.ts';
import { truthFaults } from '../../truth-faults.ts';
import { truthLimits } from '../../truth-limits.ts';
import { type EntityRow, findEntityTotal, listEntityTotals } from '../entity-store.ts';
import { findIdentified, type Mark } from '../find-by-identifier.ts';
import type { EntitiesDeps } from '../load-entity.ts';
import { entityDocuments, toPastDocument } from './entity-collection.ts';
import type { EntityDocuments } from './entity-documents.ts';
import { type AgeRow, findAges, listNewestRoots, listNewestRootsOfType } from './entity-search-store.ts';
import { toFacetFilters } from './field-facets.ts';
import { type FieldFilter, matchesFilter } from './field-filter.ts';
import { createStateLoader, type StateThen } from './load-states.ts';
import { createReasons } from './match-reasons.ts';
import { createMisspelledNames } from './misspelled-names.ts';
import { createEntityRanking, type RankEntitiesDeps, type RankedEntities, type RankedEntity } from './rank-entities.ts';

export interface EntityQuery {
  /** Empty without a query. */
  readonly text: string;
  readonly filters: readonly FieldFilter[];
  readonly type: string | undefined;
  readonly at: number | undefined;
  /** See `RankEntitiesQuery`. */
  readonly mode: RankingMode | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** An entity with its state at the requested moment. */
export interface FoundEntity {
  readonly row: EntityRow;
  readonly snapshot: Fields;
  readonly schemaVersion: string;
  readonly raw?: Fields | undefined;
  readonly score?: number;
  readonly relevance?: number;
  readonly similarity?: number | undefined;
  readonly isPending?: boolean | undefined;
  readonly matched?: readonly string[];
  readonly mark?: Mark | undefined;
}

export interface FoundEntities {
  readonly found: readonly FoundEntity[];
  readonly total: number;
  /** Not all candidates were compared with the filters. */
  readonly isEstimate: boolean;
  /** The search stopped before it found everything. */
  readonly isIncomplete: boolean;
  readonly mode?: RankedEntities['mode'];
  readonly bestSimilarity?: number;
  /** What the search could not do. */
  readonly limits?: readonly string[];
  readonly pending?: number | undefined;
  readonly hints: readonly string[];
}

/** Candidates in the order of the answer; `more` says that others were not examined. */
interface Candidates {
  readonly ids: readonly string[];
  readonly total: number;
  readonly isCut: boolean;
}

export interface SearchEntitiesDeps extends EntitiesDeps, RankEntitiesDeps {
  readonly search: Pick<SearchIndex, 'search' | 'matching'>;
  readonly documents: Pick<EntityDocuments, 'awaitQueued'>;
}

/** Hits with those that the query names first, and how a name is similar. */
interface NamedHits extends RankedEntities {
  readonly marks: ReadonlyMap<string, Mark>;
}

/** States that are loaded together: most of them are on the page. */
const chunkCountOf = ({ limit }: EntityQuery): number => Math.min(truthLimits.rowBatchCount, Math.max(limit, 10));

const idsOfHits = (hits: readonly RankedEntity[]): readonly string[] => hits.map(({ id }) => id);

/** The name is misspelled, or it is another one. */
const nearNameRelevance = 0.8;

const newest: AgeRow = { entity_id: '', created_at: Number.MAX_SAFE_INTEGER };
const byAge = (a: AgeRow, b: AgeRow): number => b.created_at - a.created_at || (a.entity_id < b.entity_id ? -1 : 1);
const idsOf = (rows: readonly { readonly entity_id: string }[]) => rows.map(({ entity_id }) => entity_id);

export function createEntitySearch(deps: SearchEntitiesDeps) {
  const { storage, search, documents } = deps;
  const matcher = createDocumentMatcher();
  const rank = createEntityRanking(deps, matcher);
  const states = createStateLoader(deps);
  const findMisspelled = createMisspelledNames(deps);
  /** The first search of an older store may find that its index is still being built. */
  async function orBuilding<T>(work: Promise<T>, call: Call): Promise<T> {
    const over = new AbortController();
    const signal = AbortSignal.any([call.signal, over.signal]);
    const late = wait(truthLimits.indexBuildWaitMs, undefined, { signal }).then((): never => {
      throw truthFaults.SEARCH_FAILED({ why: 'the index of the entities is being built; repeat the search later' });
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      over.abort();
      work.catch(() => {});
      late.catch(() => {});
    }
  }

  const facetsOf = ({ type, filters, at }: EntityQuery) => [
    ...(type === undefined ? [] : [{ key: 'type', any: [type] }]),
    ...toFacetFilters(filters, at !== undefined),
  ];

  const countRoots = (type: string | undefined, call: Call): Promise<number> =>
    storage.read(call, function* (db) {
      if (type !== undefined) return (yield* findEntityTotal(db, type))?.count ?? 0;
      return (yield* listEntityTotals(db)).reduce((sum, { count }) => sum + count, 0);
    });

  /** Newest first. A rare filter reads all its entities; a common one is found soon among the newest. */
  async function listCandidates(query: EntityQuery, call: Call): Promise<Candidates> {
    const { type, filters, limit, offset } = query;
    const isFiltered = filters.length > 0;
    const matching = isFiltered ? await search.matching(call, entityDocuments, facetsOf(query)) : undefined;
    const { listedMatchesCount, walkedEntitiesCount, walkedPageCount, comparedEntitiesCount, spareHitsCount } =
      truthLimits;
    if (matching !== undefined && matching.count <= listedMatchesCount) {
      const ids = matching.ids(listedMatchesCount);
      const rows = await storage.read(call, (db) => findAges(db, ids));
      return { ids: idsOf(rows.toSorted(byAge)), total: rows.length, isCut: false };
    }
    const found: string[] = [];
    let after = newest;
    let walked = 0;
    // Some candidates turn out not to match.
    const wanted = Math.min(comparedEntitiesCount, offset + limit + spareHitsCount);
    let pageCount = Math.min(walkedPageCount, wanted * 2);
    while (walked < walkedEntitiesCount && found.length < wanted) {
      const from = after;
      const count = pageCount;
      const rows = await storage.read(call, (db) =>
        type === undefined ? listNewestRoots(db, from, count) : listNewestRootsOfType(db, type, from, count),
      );
      for (const { entity_id } of rows) if (matching === undefined || matching.has(entity_id)) found.push(entity_id);
      if (rows.length < count) return { ids: found, total: found.length, isCut: false };
      after = rows.at(-1)!;
      walked += count;
      pageCount = walkedPageCount;
    }
    return { ids: found, total: matching?.count ?? (await countRoots(type, call)), isCut: true };
  }

  const loadStates = (ids: readonly string[], { at, filters }: EntityQuery, call: Call) =>
    at === undefined
      ? states.now(
          ids,
          filters.map(({ field }) => field),
          call,
        )
      : states.at(ids, at, call);

  const holds = ({ fields }: StateThen, { filters }: EntityQuery): boolean =>
    filters.every((filter) => matchesFilter(filter, fields));

  /** Compares candidates with the filters until the page is full. */
  async function fillPage(candidates: Candidates, query: EntityQuery, call: Call) {
    const { offset, limit } = query;
    const found: StateThen[] = [];
    let examined = 0;
    let matched = 0;
    for (const some of chunksOf(candidates.ids, chunkCountOf(query))) {
      if (examined >= truthLimits.comparedEntitiesCount || found.length >= limit) break;
      for (const state of await loadStates(some, query, call)) {
        if (!holds(state, query)) continue;
        matched += 1;
        if (matched > offset && found.length < limit) found.push(state);
      }
      examined += some.length;
    }
    const isAllExamined = examined >= candidates.ids.length && !candidates.isCut;
    const total = isAllExamined ? matched : Math.max(matched, candidates.total - (examined - matched));
    return { found, total, isEstimate: !isAllExamined, isIncomplete: found.length < limit && !isAllExamined };
  }

  const bare = ({ fields: _fields, ...state }: StateThen): FoundEntity => state;

  async function listFiltered(query: EntityQuery, call: Call): Promise<FoundEntities> {
    const candidates = await orBuilding(listCandidates(query, call), call);
    const { found, ...rest } = await fillPage(candidates, query, call);
    return { ...rest, found: (await states.withRaw(found, call)).map(bare), hints: [] };
  }

  /** [TR86] Entities that the whole query names come first; those with a similar name only if no hit has all its words. */
  async function rankNamed(query: EntityQuery, count: number, call: Call): Promise<NamedHits> {
    const { text: identifier, type: entity_type } = query;
    const asked = { text: identifier, filters: facetsOf(query), limit: count, mode: query.mode };
    const ranked = await orBuilding(rank(asked, call), call);
    if (ranked.mode === 'semantic') return { ...ranked, marks: new Map() };
    const { exact, similar } = await storage.read(call, (db) => findIdentified(db, { identifier, entity_type }));
    const isNamed = exact.size + similar.size > 0;
    const asMisspelled = { text: identifier, filters: asked.filters, hints: ranked.hints };
    const marks: ReadonlyMap<string, Mark> = ranked.isCovered
      ? new Map()
      : isNamed
        ? similar
        : await findMisspelled(asMisspelled, call);
    const byId = new Map(ranked.hits.map((hit) => [hit.id, hit]));
    const score = ranked.hits[0]?.score ?? 1;
    const named = [...exact, ...marks.keys()].map((id) => ({
      ...{ ...byId.get(id), id, score },
      relevance: marks.get(id)?.match === 'near' ? nearNameRelevance : 1,
    }));
    const namedIds = new Set(named.map(({ id }) => id));
    const others = ranked.hits.filter(({ id }) => !namedIds.has(id));
    const hits = [...named, ...others];
    // A named entity may be among the matches that were not ranked.
    const total = Math.max(ranked.total, hits.length);
    // A similar name is a better guess than a similar word.
    return { ...ranked, hits, total, marks, hints: marks.size > 0 ? [] : ranked.hints };
  }

  /** [TR82] Words must hold at the moment, and what is only similar must be as it is now. */
  async function heldThen(hits: readonly RankedEntity[], query: EntityQuery, marks: NamedHits['marks'], call: Call) {
    const held = (await loadStates(idsOfHits(hits), query, call)).filter((state) => holds(state, query));
    const pastDocuments = held.map(({ row, fields }) => toPastDocument(row, fields));
    const words = await matcher.search(entityDocuments, pastDocuments, query.text, call.signal);
    const scores = new Map(words.map(({ id, score }) => [id, score]));
    const isNamed = ({ row }: StateThen) =>
      query.text === row.entity_id || marks.get(row.entity_id)?.matched_text === row.canonical_name;
    const doubtful = held.filter((state) => !scores.has(state.row.entity_id) && !isNamed(state));
    const similar = new Set(hits.filter(({ similarity }) => similarity !== undefined).map(({ id }) => id));
    const ids = doubtful.map(({ row }) => row.entity_id).filter((id) => similar.has(id));
    const unchanged = new Set<string>();
    for (const { row, snapshot } of await states.now(ids, [], call)) {
      const then = doubtful.find(({ row: { entity_id } }) => entity_id === row.entity_id);
      if (JSON.stringify(snapshot) === JSON.stringify(then?.snapshot)) unchanged.add(row.entity_id);
    }
    return held
      .filter((state) => !doubtful.includes(state) || unchanged.has(state.row.entity_id))
      .map((state) => ({ state, score: scores.get(state.row.entity_id) ?? 0 }));
  }

  /** Examines the best hits until the page is full: each reads its observations. */
  async function searchPast({ hits, marks }: NamedHits, query: EntityQuery, call: Call) {
    const { offset, limit } = query;
    const most = hits.slice(0, truthLimits.pastEntitiesCount);
    const kept: { readonly state: StateThen; readonly score: number }[] = [];
    let examined = 0;
    for (const some of chunksOf(most, chunkCountOf(query))) {
      if (kept.length >= offset + limit) break;
      const held = await heldThen(some, query, marks, call);
      kept.push(...held.toSorted((a, b) => b.score - a.score));
      examined += some.length;
    }
    const isCut = examined < hits.length;
    return {
      found: kept.slice(offset, offset + limit).map(({ state }) => state),
      total: isCut ? kept.length + hits.length - examined : kept.length,
      isEstimate: isCut,
      isIncomplete: isCut && kept.length < offset + limit,
    };
  }

  async function searchText(query: EntityQuery, call: Call): Promise<FoundEntities> {
    const { rankedEntitiesCount, spareHitsCount } = truthLimits;
    const count = Math.min(rankedEntitiesCount, query.offset + query.limit + spareHitsCount);
    const found = await searchAmong(query, count, call);
    const isShort = found.isIncomplete && count < rankedEntitiesCount;
    return isShort ? searchAmong(query, rankedEntitiesCount, call) : found;
  }

  /** Among this many of the best hits: ranking more takes longer than anything else. */
  async function searchAmong(query: EntityQuery, count: number, call: Call): Promise<FoundEntities> {
    const { text, at, limit, offset, filters } = query;
    const ranked = await rankNamed(query, count, call);
    const { hits, marks, total, mode, bestSimilarity, limits, pending, hints } = ranked;
    const byId = new Map(hits.map((hit) => [hit.id, hit]));
    const isCut = total > hits.length;
    const page =
      at !== undefined
        ? await searchPast(ranked, query, call)
        : filters.length > 0
          ? await fillPage({ ids: idsOfHits(hits), total, isCut }, query, call)
          : {
              found: await loadStates(idsOfHits(hits.slice(offset, offset + limit)), query, call),
              total,
              isEstimate: false,
              isIncomplete: isCut && offset + limit > hits.length,
            };
    const found = await states.withRaw(page.found, call);
    const reasonsFor = createReasons(matcher.matching(text));
    return {
      ...{ ...page, mode, limits, pending, hints },
      ...(bestSimilarity !== undefined && { bestSimilarity }),
      found: found.map((state) => {
        const hit = byId.get(state.row.entity_id)!;
        const { score, relevance, similarity, isPending } = hit;
        const mark = marks.get(state.row.entity_id);
        const matched = reasonsFor(state, hit, text);
        return { ...bare(state), score, relevance, similarity, isPending, mark, matched };
      }),
    };
  }

  return async (query: EntityQuery, call: Call): Promise<FoundEntities & { readonly waitingCount: number }> => {
    const usesIndex = query.text !== '' || query.filters.length > 0;
    const waitingCount = usesIndex ? await documents.awaitQueued(call) : 0;
    const find = query.text === '' ? listFiltered : searchText;
    return { ...(await find(query, call).catch(translateSearchFault)), waitingCount };
  };
}
export type EntitySearch = ReturnType<typeof createEntitySearch>;
