import type { Call, TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import type { Ids } from '../ids/ids.ts';
import type { Leases } from '../jobs/leases.ts';
import { systemCall } from '../jobs/system-call.ts';
import type { Log } from '../log/log.ts';
import type { Step, Storage, Writer } from '../storage/port.ts';
import { answerSearch, type SearchAnswer, type SearchQuery } from './answer-search.ts';
import type { Collection, SearchDocument } from './collection.ts';
import { appendEntries, type Entry, toEntry } from './keyword/index/entries.ts';
import { createIndexMaintenance } from './keyword/index/index-maintenance.ts';
import { isMergeDue } from './keyword/index/merge.ts';
import { createMergeScheduler } from './keyword/index/merge-scheduler.ts';
import type { DocumentSource } from './keyword/index/rebuild.ts';
import { UnreadableSegment } from './keyword/index/segment-io.ts';
import { createTenantIndexes, keyOf } from './keyword/index/tenant-index.ts';
import { partsOf, type View } from './keyword/index/view.ts';
import type { FacetFilter } from './keyword/query/filter.ts';
import { findMatching, type MatchingDocuments } from './keyword/query/matching.ts';
import { createSearchBuffers } from './keyword/query/search-buffers.ts';
import { defaultTuning, searchLimits, type Tuning } from './search-limits.ts';
import { createStemmer } from './stemmer.ts';

export interface SearchIndexDeps {
  readonly storage: Storage;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Smaller limits, for tests. */
  readonly tuning?: Partial<Tuning>;
}

/**
 * The keyword index of all memories, with the same ranking on every store. Tenants are fully separate: not even word
 * frequencies are shared.
 */
export interface SearchIndex {
  /**
   * Runs in the transaction of the domain's own write. Several documents cost as much as one. Call it last: on
   * PostgreSQL the writers of one collection wait for each other from here to the commit.
   */
  put<F extends string>(db: Writer, collection: Collection<F>, ...documents: SearchDocument<F>[]): Step<void>;
  remove(db: Writer, collection: Collection, ...ids: string[]): Step<void>;
  /**
   * Sees every write acknowledged before, by any process. Synchronous if nothing has to be read: the store has not
   * changed and no highlights are requested.
   */
  search(call: Call, collection: Collection, query: SearchQuery): SearchAnswer | Promise<SearchAnswer>;
  /** The documents that pass the filters, whatever their words. Sees the same writes as `search`. */
  matching(call: Call, collection: Collection, filters: readonly FacetFilter[]): Promise<MatchingDocuments>;
  /** Registers the source of a collection's documents, so that an unreadable index can be rebuilt. */
  provide(collection: Collection, documents: (call: Call) => DocumentSource): void;
  /** Rebuilds the index from `documents`, or from the registered source. */
  rebuild(call: Call, collection: Collection, documents?: DocumentSource): Promise<void>;
  /** Writes the index again from the registered source, and removes every byte of the former one. */
  purge(call: Call, collection: Collection): Promise<void>;
  /**
   * Merges and sweeps what is due. False if another process is doing that. `wholeTail`: also moves a short tail into a
   * segment, after a bulk write; otherwise each process that opens the index would index the tail again.
   */
  maintain(tenant: TenantId, collection: Collection, wholeTail?: boolean): Promise<boolean>;
  /** Resolves when no background job is running. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Stops waiting on abort; the work continues. */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) work.catch(() => {});
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => {});
  }
}

export function createSearchIndex(deps: SearchIndexDeps): SearchIndex {
  const { storage, clock } = deps;
  const tuning = { ...defaultTuning, ...deps.tuning };
  const stemOf = createStemmer();
  const buffersFor = createSearchBuffers();
  const closing = new AbortController();
  const sources = new Map<string, (call: Call) => DocumentSource>();
  const heals = new Map<string, Promise<void>>();
  let healedCount = 0;

  const toCall = (tenant: TenantId): Call =>
    systemCall('search', { tenant, signal: closing.signal, deadlineAt: clock.now() + searchLimits.storeDeadlineMs });
  const tenantIndexes = createTenantIndexes({ storage, stemOf, tuning, toCall });
  const maintenance = createIndexMaintenance({
    ...deps,
    tuning,
    stemOf,
    tenantIndexes,
    toCall,
    closing: closing.signal,
  });
  const mergeScheduler = createMergeScheduler({ maintenance, tuning, log: deps.log, closing: closing.signal });

  async function rebuild(call: Call, collection: Collection, documents: DocumentSource): Promise<void> {
    await maintenance.rebuild(call, collection, documents);
    mergeScheduler.schedule(call.tenant, collection);
    mergeScheduler.scheduleSweep(call.tenant, collection);
  }

  function append(db: Writer, collection: Collection, entries: readonly Entry[]): Step<void> {
    return appendEntries(db, collection.name, entries, (chars) =>
      mergeScheduler.note(db.tenant, collection, entries.length, chars),
    );
  }

  /**
   * Searches that find the same damage share one repair. It runs under its own call, so that a caller that cancels or
   * times out does not stop it.
   */
  function heal(tenant: TenantId, collection: Collection, source: (call: Call) => DocumentSource): Promise<void> {
    const key = keyOf(tenant, collection);
    const own = { ...toCall(tenant), deadlineAt: Number.POSITIVE_INFINITY };
    const once = () => rebuild(own, collection, source(own));
    let healing = heals.get(key);
    if (healing === undefined) {
      healing = once()
        .catch((error: unknown) => {
          if (!(error instanceof Fault) || error.code !== 'CONFLICT') throw error;
          // More documents bypassed the index meanwhile, or another process rebuilt it: read everything again.
          return once();
        })
        .finally(() => {
          heals.delete(key);
          healedCount += 1;
        });
      heals.set(key, healing);
    }
    return healing;
  }

  /** Rebuilds a damaged or outdated index instead of failing. */
  async function healAfter(error: unknown, tenant: TenantId, collection: Collection): Promise<void> {
    if (!(error instanceof UnreadableSegment)) throw error;
    const source = sources.get(collection.name);
    if (source === undefined) throw faults.INTEGRITY_ERROR({ why: error.message }, {}, { cause: error });
    deps.log.warn({ collection: collection.name, reason: error.message }, 'rebuilding the search index');
    await heal(tenant, collection, source);
  }

  async function refresh(call: Call, collection: Collection): Promise<View> {
    const before = healedCount;
    try {
      return await tenantIndexes.of(call.tenant, collection).refresh();
    } catch (error) {
      // A repair that ended during this read may have fixed the damage that it found.
      if (error instanceof UnreadableSegment && healedCount > before) return refresh(call, collection);
      await orAborted(healAfter(error, call.tenant, collection), call.signal);
      return tenantIndexes.of(call.tenant, collection).refresh();
    }
  }

  function answerFrom(view: View, call: Call, collection: Collection, query: SearchQuery) {
    call.signal.throwIfAborted();
    if (isMergeDue(view, tuning)) mergeScheduler.schedule(call.tenant, collection);
    return answerSearch(collection, view, query, { stemOf, buffersFor });
  }

  async function answerAfresh(call: Call, collection: Collection, query: SearchQuery): Promise<SearchAnswer> {
    const view = await refresh(call, collection);
    // Only a refresh can exceed the cache limit.
    tenantIndexes.evict();
    return answerFrom(view, call, collection, query);
  }

  async function maintain(tenant: TenantId, collection: Collection, wholeTail = false): Promise<boolean> {
    try {
      return (await maintenance.maintain(tenant, collection, wholeTail)) !== 'elsewhere';
    } catch (error) {
      await healAfter(error, tenant, collection);
      return true;
    }
  }

  return {
    put: (db, collection, ...documents) =>
      append(
        db,
        collection,
        documents.map((document) => toEntry(collection, document)),
      ),
    remove: (db, collection, ...ids) =>
      append(
        db,
        collection,
        ids.map((id) => ({ id })),
      ),
    search(call, collection, query) {
      const view = tenantIndexes.of(call.tenant, collection).asOf(storage.stamp());
      return view === undefined ? answerAfresh(call, collection, query) : answerFrom(view, call, collection, query);
    },
    async matching(call, collection, filters) {
      const known = tenantIndexes.of(call.tenant, collection).asOf(storage.stamp());
      const view = known ?? (await refresh(call, collection));
      if (known === undefined) tenantIndexes.evict();
      return findMatching(partsOf(view), filters);
    },
    provide: (collection, documents) => void sources.set(collection.name, documents),
    async rebuild(call, collection, documents) {
      const source = documents ?? sources.get(collection.name)?.(call);
      if (source === undefined) throw new Error(`bug: the collection ${collection.name} has no source`);
      await rebuild(call, collection, source);
    },
    async purge(call, collection) {
      const source = sources.get(collection.name);
      if (source === undefined) throw new Error(`bug: the collection ${collection.name} has no source`);
      await maintenance.purge(call, collection, () => source(call));
    },
    maintain,
    settle: () => mergeScheduler.settle(),
    async close() {
      closing.abort(faults.SHUTTING_DOWN());
      await Promise.allSettled(heals.values());
      await mergeScheduler.settle();
    },
  };
}
