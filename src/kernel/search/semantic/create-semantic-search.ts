import { type Call, localTenant, type TenantId } from '../../call.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Embedder, QueryEmbedding } from '../../embed/embedder.ts';
import { faults } from '../../fault/kernel-faults.ts';
import type { Ids } from '../../ids/ids.ts';
import type { Leases } from '../../jobs/leases.ts';
import { systemCall } from '../../jobs/system-call.ts';
import type { Log } from '../../log/log.ts';
import type { Step, Storage, Work, Writer } from '../../storage/port.ts';
import { isOtherThanEnglish } from '../../text/language.ts';
import type { Collection } from '../collection.ts';
import { searchLimits } from '../search-limits.ts';
import { createCollectionEmbedder } from './embed-collection.ts';
import { createEmbeddingScheduler, type TenantCollection } from './embedding-scheduler.ts';
import { EmbedderResting } from './query-breaker.ts';
import { createQueryVectors } from './query-vectors.ts';
import type { SemanticSearch, SemanticSource, SemanticVectorQuery } from './semantic-search.ts';
import {
  countEmbedded,
  countSomeWaiting,
  countWaiting,
  findState,
  insertGoneWaiting,
  insertWaiting,
  insertWaitingWhereUsed,
  markStale,
  type NewWaitingRow,
  urgencies,
} from './semantic-store.ts';
import { createSimilarityScale } from './similarity-scale.ts';
import { excerptOf } from './split-text.ts';
import { createVectorIndex } from './vectors/vector-index.ts';

export interface SemanticSearchDeps {
  readonly storage: Storage;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Called once, on first use. Undefined if there is none or it is switched off; a failure counts as none. */
  readonly embedder: () => Promise<Embedder | undefined>;
  /** All tenants that may have pending documents. */
  readonly tenants?: () => Promise<readonly TenantId[]>;
  /** Smaller for tests. */
  readonly cacheBytes?: number;
}

interface CollectionSource {
  readonly collection: Collection;
  readonly source: SemanticSource;
}

const nothing: Step<void> = { *[Symbol.iterator]() {} };

export function createSemanticSearch(deps: SemanticSearchDeps): SemanticSearch {
  const { storage, clock, ids, log, tenants = async () => [localTenant] } = deps;
  const closing = new AbortController();
  const sources = new Map<string, CollectionSource>();
  const targets = new Map<string, { readonly target: TenantCollection; lastAt: number; isAsked: boolean }>();
  const noted = new Set<string>();
  const toQueryVector = createQueryVectors(clock, closing.signal);
  let opening: Promise<Embedder | undefined> | undefined;
  let hasNoEmbedder = false;
  let isFailureLogged = false;
  let interval: NodeJS.Timeout | undefined;

  const toCall = (tenant: TenantId): Call =>
    systemCall('search/semantic', {
      tenant,
      signal: closing.signal,
      deadlineAt: clock.now() + searchLimits.embeddingStoreDeadlineMs,
    });
  const vectors = createVectorIndex({
    storage,
    toCall,
    ...(deps.cacheBytes === undefined ? {} : { cacheBytes: deps.cacheBytes }),
  });
  const embedCollection = createCollectionEmbedder({ ...deps, vectors, closing: closing.signal, toCall });
  const keyOf = (tenant: TenantId, collection: Collection): string => `${tenant}\0${collection.name}`;

  function open(): Promise<Embedder | undefined> {
    opening ??= deps
      .embedder()
      .catch((error: unknown) => {
        log.error({ reason: String(error) }, 'could not open the embedder; only keyword search is available');
        return undefined;
      })
      .then((embedder) => {
        hasNoEmbedder = embedder === undefined;
        return embedder;
      });
    return opening;
  }

  const scheduler = createEmbeddingScheduler({
    log,
    closing: closing.signal,
    async turn(target, hasOthers) {
      const source = sources.get(target.collection.name)?.source;
      const embedder = source === undefined || !(await isWanted(target)) ? undefined : await open();
      if (source === undefined || embedder === undefined) return 'done';
      const isNoted = noted.delete(keyOf(target.tenant, target.collection));
      const outcome = await embedCollection(target, embedder, source, hasOthers);
      // Check again: the transaction that noted the change may not have been committed yet.
      if (isNoted) scheduler.schedule(target, searchLimits.noteAgainMs);
      return outcome;
    },
  });

  /** A tenant that is new to this process may have pending documents. */
  function track(tenant: TenantId, collection: Collection): TenantCollection {
    const key = keyOf(tenant, collection);
    let known = targets.get(key);
    if (known === undefined) {
      known = { target: { tenant, collection }, lastAt: 0, isAsked: false };
      targets.set(key, known);
      scheduler.schedule(known.target, searchLimits.firstLookMs);
    }
    known.lastAt = performance.now();
    return known.target;
  }

  /** An on-demand collection that nothing has searched in this process. Another process may have embedded it. */
  const isDormant = (tenant: TenantId, collection: Collection): boolean =>
    sources.get(collection.name)?.source.isOnDemand === true &&
    targets.get(keyOf(tenant, collection))?.isAsked !== true;

  async function isWanted({ tenant, collection }: TenantCollection): Promise<boolean> {
    if (!isDormant(tenant, collection)) return true;
    const state = await storage.read(toCall(tenant), (db) => findState(db, collection.name));
    return state !== undefined && state.model !== '';
  }

  /** A semantic search starts the embedding of an on-demand collection. */
  function ask(tenant: TenantId, collection: Collection): void {
    const target = track(tenant, collection);
    if (isDormant(tenant, collection)) scheduler.schedule(target, 0);
    targets.get(keyOf(tenant, collection))!.isAsked = true;
  }

  const insertPending = (db: Writer, collection: Collection, row: NewWaitingRow) =>
    (isDormant(db.tenant, collection) ? insertWaitingWhereUsed : insertWaiting)(db, collection.name, row);

  async function trackAll(): Promise<void> {
    for (const tenant of await tenants()) {
      for (const { collection } of sources.values()) track(tenant, collection);
    }
  }

  /** Checks for work that other processes left, and forgets inactive tenants until they return. */
  function scheduleAll(): void {
    const before = performance.now() - searchLimits.forgottenMs;
    for (const [key, { target, lastAt }] of targets) {
      if (lastAt < before) targets.delete(key);
      else scheduler.schedule(target, 0);
    }
  }

  /** The first statement is created immediately, so that a forgotten `yield*` fails the transaction. */
  function afterWrite(db: Writer, collection: Collection, first: Step<unknown>, then: () => Work<unknown>): Step<void> {
    return {
      *[Symbol.iterator](): Work<void> {
        const firstCount = yield* first;
        const thenCount = yield* then();
        // No row was written, so there is nothing to embed.
        if (firstCount === 0 || thenCount === 0) return;
        noted.add(keyOf(db.tenant, collection));
        scheduler.schedule(track(db.tenant, collection), searchLimits.noteMs);
      },
    };
  }

  async function search(
    call: Call,
    collection: Collection,
    embedder: Embedder,
    { tokens, ...query }: SemanticVectorQuery & Pick<QueryEmbedding, 'tokens'>,
  ) {
    const { hits, has } = await vectors.nearest(call, collection, { ...query, model: embedder.id });
    const excerpt = (text: string, part: number) => excerptOf(text, embedder.partChars, part);
    const scale = createSimilarityScale(embedder.relevantFrom);
    const found = { embedder: embedder.id, scale, hits, isEmbedded: has, excerpt };
    if (tokens === undefined || sources.get(collection.name)?.source.keepsTokens !== true) return found;
    const asked = { model: embedder.id, dimension: query.vector.length, tokens };
    const compareTokens = (some: readonly string[]) => vectors.compareTokens(call, collection, asked, some);
    return { ...found, compareTokens };
  }

  /** Falls back to keyword search if the embedder fails; logs that once. */
  async function toEmbedding(call: Call, embedder: Embedder, text: string): Promise<QueryEmbedding | undefined> {
    try {
      const embedding = await toQueryVector(embedder, text, call.signal);
      isFailureLogged = false;
      return embedding;
    } catch (error) {
      call.signal.throwIfAborted();
      closing.signal.throwIfAborted();
      if (!isFailureLogged && !(error instanceof EmbedderResting))
        log.warn(
          { embedder: embedder.id, reason: String(error) },
          'the embedder failed; falling back to keyword search',
        );
      isFailureLogged = true;
      return undefined;
    }
  }

  return {
    note(db, collection, ...noteIds) {
      if (noteIds.length === 0) return nothing;
      const { written: urgency } = urgencies;
      const first = hasNoEmbedder
        ? markStale(db, collection.name)
        : insertPending(db, collection, { urgency, ticket: ids.uuid(), ids: noteIds });
      return afterWrite(db, collection, first, function* () {});
    },
    forget(db, collection, ...goneIds) {
      if (goneIds.length === 0) return nothing;
      const first = vectors.remove(db, collection, goneIds);
      // For a process that is embedding one of them right now; see embedDocuments.
      const row = { ticket: ids.uuid(), ids: goneIds };
      return afterWrite(db, collection, first, function* () {
        return yield* insertGoneWaiting(db, collection.name, row);
      });
    },
    provide(collection, source) {
      sources.set(collection.name, { collection, source });
      interval ??= setInterval(scheduleAll, searchLimits.lookEveryMs).unref();
      void trackAll().catch(() => {});
    },
    async assess(text) {
      const embedder = await open();
      const isForeign = embedder?.isEnglish === true && isOtherThanEnglish(text);
      return {
        missing: embedder === undefined ? 'embedder' : isForeign ? 'language' : undefined,
        scale: createSimilarityScale(embedder?.relevantFrom),
      };
    },
    async nearest(call, collection, { text, shownMin, isPatient: _isPatient, ...query }) {
      const embedder = await open();
      if (embedder === undefined) return undefined;
      ask(call.tenant, collection);
      const embedding = await toEmbedding(call, embedder, text);
      if (embedding === undefined) return undefined;
      const { toCosine } = createSimilarityScale(embedder.relevantFrom);
      const least = shownMin === undefined ? {} : { similarityMin: toCosine(shownMin) };
      return search(call, collection, embedder, { ...query, ...least, ...embedding });
    },
    async nearestTo(call, collection, query) {
      const embedder = await open();
      if (embedder === undefined) return undefined;
      const { dimension = query.vector.length } = embedder;
      if (query.vector.length !== dimension) {
        const why = `a vector of ${embedder.id} has ${dimension} numbers, not ${query.vector.length}`;
        throw faults.VALIDATION_ERROR({ why });
      }
      ask(call.tenant, collection);
      return search(call, collection, embedder, query);
    },
    async vectorOf(call, { text, model }) {
      const embedder = await open();
      return embedder?.id === model ? (await toEmbedding(call, embedder, text))?.vector : undefined;
    },
    async progress(call, collection) {
      const embedder = await open();
      track(call.tenant, collection);
      return storage.read(call, function* (db) {
        const embedded = embedder === undefined ? undefined : yield* countEmbedded(db, collection.name, embedder.id);
        const waiting = yield* countWaiting(db, collection.name);
        return { embedder: embedder?.id, embedded: embedded?.n ?? 0, pending: Number(waiting?.n ?? 0) };
      });
    },
    async waiting(call, collection) {
      const embedder = await open();
      if (embedder === undefined) return { count: 0, isMore: false };
      const { countedRowsCount, listedCount } = searchLimits;
      const { state, some } = await storage.read(call, function* (db) {
        const found = yield* findState(db, collection.name);
        return { state: found, some: yield* countSomeWaiting(db, collection.name, countedRowsCount) };
      });
      // Documents that are not listed yet are pending too. Before listing starts, these are all of them.
      const upTo = state?.model === embedder.id ? state.listed_up_to : '';
      const source = sources.get(collection.name)?.source;
      const unlisted =
        upTo === null || source === undefined
          ? []
          : await source.ids(call, upTo === '' ? undefined : upTo, listedCount);
      return {
        count: unlisted.length + (upTo === '' && source !== undefined ? 0 : Number(some?.n ?? 0)),
        isMore: (some?.rows_count ?? 0) >= countedRowsCount || unlisted.length >= listedCount,
      };
    },
    async settle(tenant) {
      await trackAll();
      if (tenant !== undefined) for (const { collection } of sources.values()) track(tenant, collection);
      for (const { target } of [...targets.values()]) {
        if (tenant === undefined || target.tenant === tenant) await scheduler.settle(target);
      }
    },
    async close() {
      closing.abort(faults.SHUTTING_DOWN());
      clearInterval(interval);
      await scheduler.idle();
      await (await opening)?.close();
    },
  };
}
