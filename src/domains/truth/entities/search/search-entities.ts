import { setTimeout as wait } from 'node:timers/promises';
import type { Call, TenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { createDocumentMatcher } from '#kernel/search/match-documents.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { chunksOf } from '../../chunks.ts';
import type { Fields } from '../../observations/observation.ts';
import { translateSearchFault } from '../../records/retrieve-records.ts';
import { toStateView } from '../../reducer/entity-state.ts';
import { truthFaults } from '../../truth-faults.ts';
import { truthLimits } from '../../truth-limits.ts';
import { type EntityRow, findEntities, findEntityTotal, listEntityTotals } from '../entity-store.ts';
import { currentMoment, type EntitiesDeps, membersOf, rawFragmentsOf, stateAt } from '../load-entity.ts';
import { entityDocuments, toPastDocument } from './entity-collection.ts';
import type { EntityDocuments } from './entity-documents.ts';
import { type AgeRow, findAges, listNewestRoots, listNewestRootsOfType } from './entity-search-store.ts';
import { toFacetFilters } from './field-facets.ts';
import { type FieldFilter, matchesFilter } from './field-filter.ts';
import { currentSnapshots } from './load-indexed-entities.ts';
import { createEntityRanking, isPastHit, type RankEntitiesDeps, type RankedEntity } from './rank-entities.ts';

export interface EntityQuery {
  /** Empty without a query. */
  readonly text: string;
  readonly filters: readonly FieldFilter[];
  readonly type: string | undefined;
  readonly at: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** An entity with its state at the requested moment. */
export interface FoundEntity {
  readonly row: EntityRow;
  readonly snapshot: Fields;
  readonly schemaVersion: string;
  readonly score?: number;
  readonly similarity?: number;
  readonly isPast: boolean;
}

export interface FoundEntities {
  readonly found: readonly FoundEntity[];
  readonly total: number;
  /** Not all candidates were compared with the filters. */
  readonly isEstimate: boolean;
  /** The search stopped before it found everything. */
  readonly isIncomplete: boolean;
  readonly mode?: 'keyword' | 'both';
  readonly bestSimilarity?: number;
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
  readonly documents: Pick<EntityDocuments, 'countWaiting' | 'indexQueued'>;
}

const newest: AgeRow = { entity_id: '', created_at: Number.MAX_SAFE_INTEGER };
const byAge = (a: AgeRow, b: AgeRow): number => b.created_at - a.created_at || (a.entity_id < b.entity_id ? -1 : 1);
const idsOf = (rows: readonly { readonly entity_id: string }[]) => rows.map(({ entity_id }) => entity_id);

interface StateThen {
  readonly row: EntityRow;
  readonly snapshot: Fields;
  readonly schemaVersion: string;
  /** Includes values that no schema field accepts. */
  readonly fields: Fields;
}

export function createEntitySearch(deps: SearchEntitiesDeps) {
  const { storage, search, documents } = deps;
  const rank = createEntityRanking(deps);
  const matchDocuments = createDocumentMatcher();
  const indexing = new Map<TenantId, Promise<void>>();

  /** Entities of a bulk write are indexed in the background; a search waits a little for them. Returns what is left. */
  async function awaitIndex(call: Call): Promise<number> {
    if ((await documents.countWaiting(call)) === 0) return 0;
    const { tenant } = call;
    const running =
      indexing.get(tenant) ??
      documents.indexQueued(tenant, new AbortController().signal).finally(() => indexing.delete(tenant));
    indexing.set(tenant, running);
    running.catch(() => {});
    const over = new AbortController();
    const signal = AbortSignal.any([call.signal, over.signal]);
    try {
      await Promise.race([running, wait(truthLimits.indexWaitMs, undefined, { signal })]);
    } finally {
      over.abort();
    }
    return documents.countWaiting(call);
  }

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
    const { listedMatchesCount, walkedEntitiesCount, walkedPageCount, comparedEntitiesCount } = truthLimits;
    if (matching !== undefined && matching.count <= listedMatchesCount) {
      const ids = matching.ids(listedMatchesCount);
      const rows = await storage.read(call, (db) => findAges(db, ids));
      return { ids: idsOf(rows.toSorted(byAge)), total: rows.length, isCut: false };
    }
    const found: string[] = [];
    let after = newest;
    let walked = 0;
    // Some candidates turn out not to match.
    const wanted = Math.min(comparedEntitiesCount, offset + limit * 2 + truthLimits.rowBatchCount);
    for (; walked < walkedEntitiesCount && found.length < wanted; walked += walkedPageCount) {
      const from = after;
      const rows = await storage.read(call, (db) =>
        type === undefined
          ? listNewestRoots(db, from, walkedPageCount)
          : listNewestRootsOfType(db, type, from, walkedPageCount),
      );
      for (const { entity_id } of rows) if (matching === undefined || matching.has(entity_id)) found.push(entity_id);
      if (rows.length < walkedPageCount) return { ids: found, total: found.length, isCut: false };
      after = rows.at(-1)!;
    }
    return { ids: found, total: matching?.count ?? (await countRoots(type, call)), isCut: true };
  }

  /** The states of these entities now, or at a moment. Leaves out those that did not exist then. */
  async function loadStates(ids: readonly string[], query: EntityQuery, call: Call): Promise<readonly StateThen[]> {
    const { at, filters } = query;
    const rows = new Map(
      (await storage.read(call, (db) => findEntities(db, ids)))
        .filter(({ merged_into }) => merged_into === '')
        .map((row) => [row.entity_id, row]),
    );
    const present = ids.flatMap((id) => rows.get(id) ?? []);
    if (at === undefined) {
      return storage.read(call, function* (db) {
        const snapshots = yield* currentSnapshots(db, deps, present);
        const states: StateThen[] = [];
        for (const row of present) {
          const { snapshot, schemaVersion } = snapshots.get(row.entity_id)!;
          const isWhole = filters.every(({ field }) => Object.hasOwn(snapshot, field));
          const raw = isWhole
            ? {}
            : yield* rawFragmentsOf(
                db,
                yield* membersOf(db, row.entity_id),
                yield* deps.schemas.active(db, row.entity_type),
                currentMoment(db, row),
              );
          states.push({ row, snapshot, schemaVersion, fields: { ...raw, ...snapshot } });
        }
        return states;
      });
    }
    const states: StateThen[] = [];
    // A transaction each, because an entity may have any number of observations.
    for (const row of present) {
      const state = await storage.read(call, (db) => stateThen(db, row, at)).catch(missing);
      if (state !== undefined) states.push(state);
    }
    return states;
  }

  function* stateThen(db: Parameters<typeof stateAt>[0], row: EntityRow, at: number) {
    const past = yield* stateAt(db, deps, row.entity_id, { at });
    const { snapshot } = toStateView(past.state, past.schema);
    const raw = yield* rawFragmentsOf(db, past.members, past.schema, past.moment);
    return { row, snapshot, schemaVersion: past.schema.version, fields: { ...raw, ...snapshot } };
  }

  const missing = (error: unknown): undefined => {
    if (error instanceof Fault && error.code === truthFaults.ENTITY_NOT_FOUND.kind.code) return undefined;
    throw error;
  };

  const holds = ({ fields }: StateThen, { filters }: EntityQuery): boolean =>
    filters.every((filter) => matchesFilter(filter, fields));

  /** Compares candidates with the filters until the page is full. */
  async function fillPage(candidates: Candidates, query: EntityQuery, call: Call) {
    const { offset, limit } = query;
    const found: StateThen[] = [];
    let examined = 0;
    let matched = 0;
    for (const some of chunksOf(candidates.ids, truthLimits.rowBatchCount)) {
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

  async function listFiltered(query: EntityQuery, call: Call): Promise<FoundEntities> {
    const candidates = await orBuilding(listCandidates(query, call), call);
    const { found, ...rest } = await fillPage(candidates, query, call);
    return { ...rest, found: found.map(({ fields: _fields, ...state }) => ({ ...state, isPast: false })), hints: [] };
  }

  /** [TR82] Words must hold at the moment, and what is only similar must be as it is now. */
  async function searchPast(hits: readonly RankedEntity[], query: EntityQuery, call: Call) {
    const some = hits.slice(0, truthLimits.pastEntitiesCount);
    const ids = some.map(({ id }) => id);
    const states = (await loadStates(ids, query, call)).filter((state) => holds(state, query));
    const pastDocuments = states.map(({ row, fields }) => toPastDocument(row, fields));
    const words = await matchDocuments(entityDocuments, pastDocuments, query.text, call.signal);
    const now = new Map(
      (await loadStates(ids, { ...query, at: undefined }, call)).map(({ row, snapshot }) => [
        row.entity_id,
        JSON.stringify(snapshot),
      ]),
    );
    const scores = new Map(words.map(({ id, score }) => [id, score]));
    const similarities = new Map(some.map(({ id, similarity }) => [id, similarity]));
    const kept = states.filter(
      ({ row: { entity_id }, snapshot }) =>
        scores.has(entity_id) ||
        (similarities.get(entity_id) !== undefined && now.get(entity_id) === JSON.stringify(snapshot)),
    );
    const scoreOf = ({ row }: StateThen): number => scores.get(row.entity_id) ?? 0;
    return kept
      .toSorted((a, b) => scoreOf(b) - scoreOf(a))
      .map((state) => ({ ...state, score: scoreOf(state), similarity: similarities.get(state.row.entity_id) }));
  }

  async function searchText(query: EntityQuery, call: Call): Promise<FoundEntities> {
    const { text, at, limit, offset, filters } = query;
    const ranked = await orBuilding(rank(text, facetsOf(query), call), call);
    const { hits, total, mode, bestSimilarity, hints } = ranked;
    const about = { mode, hints, ...(bestSimilarity !== undefined && { bestSimilarity }) };
    if (at !== undefined) {
      const kept = await searchPast(hits, query, call);
      const isIncomplete = hits.length > truthLimits.pastEntitiesCount;
      const found = kept.slice(offset, offset + limit).map(({ similarity, fields: _fields, ...state }) => ({
        ...{ ...state, isPast: false },
        ...(similarity !== undefined && { similarity }),
      }));
      return { ...about, found, total: kept.length, isEstimate: isIncomplete, isIncomplete };
    }
    const byId = new Map(hits.map((hit) => [hit.id, hit]));
    const isFiltered = filters.length > 0;
    const ids = (isFiltered ? hits : hits.slice(offset, offset + limit)).map(({ id }) => id);
    const isCut = total > hits.length;
    const page = isFiltered
      ? await fillPage({ ids, total, isCut }, query, call)
      : {
          found: await loadStates(ids, query, call),
          total,
          isEstimate: false,
          isIncomplete: isCut && offset + limit > hits.length,
        };
    return {
      ...about,
      ...page,
      found: page.found.map(({ fields: _fields, ...state }) => {
        const hit = byId.get(state.row.entity_id)!;
        const { score, similarity } = hit;
        return { ...state, score, isPast: isPastHit(hit), ...(similarity !== undefined && { similarity }) };
      }),
    };
  }

  return async (query: EntityQuery, call: Call): Promise<FoundEntities & { readonly waitingCount: number }> => {
    const usesIndex = query.text !== '' || query.filters.length > 0;
    const waitingCount = usesIndex ? await awaitIndex(call) : 0;
    const find = query.text === '' ? listFiltered : searchText;
    return { ...(await find(query, call).catch(translateSearchFault)), waitingCount };
  };
}
export type EntitySearch = ReturnType<typeof createEntitySearch>;
