import type { Call, TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import type { Ids } from '../ids/ids.ts';
import { systemCall } from '../jobs/system-call.ts';
import type { Log } from '../log/log.ts';
import type { Step, Storage, Writer } from '../storage/port.ts';
import { answerSearch, type SearchAnswer, type SearchQuery } from './answer-search.ts';
import type { Collection, SearchDocument } from './collection.ts';
import { appendEntries } from './keyword/index/append-entries.ts';
import { createCaretaker } from './keyword/index/caretaker.ts';
import { type Entry, toEntry } from './keyword/index/entries.ts';
import { UnreadableSegment } from './keyword/index/load-segment.ts';
import { isMergeDue } from './keyword/index/merge.ts';
import type { DocumentSource } from './keyword/index/rebuild.ts';
import { createShelves, keyOf } from './keyword/index/shelves.ts';
import { defaultTuning, type Tuning } from './keyword/index/tuning.ts';
import { createUpkeep } from './keyword/index/upkeep.ts';
import type { View } from './keyword/index/view.ts';
import { createScratch } from './keyword/query/scratch.ts';
import type { Leases } from './leases.ts';
import { searchLimits } from './search-limits.ts';
import { createStemmer } from './stemmer.ts';

export interface SearchIndexDeps {
  readonly storage: Storage;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Smaller bounds, for tests. */
  readonly tuning?: Partial<Tuning>;
}

/** One index for all memories: the same ranking on every store. Tenants know nothing of each other, not even frequencies. */
export interface SearchIndex {
  /**
   * In the transaction of the domain's own write: both are kept, or neither. Several documents cost as much as one. Best
   * called last: on PostgreSQL the writers of one collection wait for each other from here to the commit.
   */
  put<F extends string>(db: Writer, collection: Collection<F>, ...documents: SearchDocument<F>[]): Step<void>;
  remove(db: Writer, collection: Collection, ...ids: string[]): Step<void>;
  /**
   * Sees every write that was acknowledged before, by whichever process. Answers at once where nothing has to be read: the
   * store has not moved since the last time, and no highlights are wanted.
   */
  search(call: Call, collection: Collection, query: SearchQuery): SearchAnswer | Promise<SearchAnswer>;
  /** Tells where the documents of a collection come from, so that the index can be made anew when it cannot be read. */
  provide(collection: Collection, documents: (call: Call) => DocumentSource): void;
  /** Indexes everything anew, from `documents` or from what was provided. */
  rebuild(call: Call, collection: Collection, documents?: DocumentSource): Promise<void>;
  /**
   * Merges and sweeps now what is due. False when another process is at it. `wholeTail`: the newest changes too, however few;
   * for whoever has written much and is done. Each process that opens the index would have to index them anew.
   */
  maintain(tenant: TenantId, collection: Collection, wholeTail?: boolean): Promise<boolean>;
  /** Resolves when nothing goes on in the background. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** The work goes on; only the wait for it ends. */
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
  const scratchFor = createScratch();
  const closing = new AbortController();
  const sources = new Map<string, (call: Call) => DocumentSource>();
  const heals = new Map<string, Promise<void>>();

  const toCall = (tenant: TenantId): Call =>
    systemCall('search', { tenant, signal: closing.signal, deadlineAt: clock.now() + searchLimits.storeDeadlineMs });
  const shelves = createShelves({ storage, stemOf, tuning, toCall });
  const upkeep = createUpkeep({ ...deps, tuning, stemOf, shelves, toCall, closing: closing.signal });
  const caretaker = createCaretaker({ upkeep, tuning, log: deps.log, closing: closing.signal });

  async function rebuild(call: Call, collection: Collection, documents: DocumentSource): Promise<void> {
    await upkeep.rebuild(call, collection, documents);
    caretaker.schedule(call.tenant, collection);
    caretaker.scheduleSweep(call.tenant, collection);
  }

  function append(db: Writer, collection: Collection, entries: readonly Entry[]): Step<void> {
    return appendEntries(db, collection.name, entries, (chars) =>
      caretaker.note(db.tenant, collection, entries.length, chars),
    );
  }

  /**
   * Searches that meet the same damage wait for one and the same repair. It is nobody's own: a caller who leaves, or whose
   * time is up, does not end what the next one needs as well.
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
          // More documents came past the index meanwhile, or another process was at it: what is there now is read anew.
          return once();
        })
        .finally(() => heals.delete(key));
      heals.set(key, healing);
    }
    return healing;
  }

  /** A damaged or outdated index is no reason to fail: what it is made of is still there. */
  async function healAfter(error: unknown, tenant: TenantId, collection: Collection): Promise<void> {
    if (!(error instanceof UnreadableSegment)) throw error;
    const source = sources.get(collection.name);
    if (source === undefined) throw faults.INTEGRITY_ERROR({ why: error.message }, {}, { cause: error });
    deps.log.warn({ collection: collection.name, reason: error.message }, 'the search index is made anew');
    await heal(tenant, collection, source);
  }

  async function refresh(call: Call, collection: Collection): Promise<View> {
    try {
      return await shelves.of(call.tenant, collection).refresh();
    } catch (error) {
      await orAborted(healAfter(error, call.tenant, collection), call.signal);
      return shelves.of(call.tenant, collection).refresh();
    }
  }

  function answerFrom(view: View, call: Call, collection: Collection, query: SearchQuery) {
    call.signal.throwIfAborted();
    if (isMergeDue(view, tuning)) caretaker.schedule(call.tenant, collection);
    return answerSearch(collection, view, query, { stemOf, scratchFor });
  }

  async function answerAfresh(call: Call, collection: Collection, query: SearchQuery): Promise<SearchAnswer> {
    const view = await refresh(call, collection);
    // Only what is read anew can be too much.
    shelves.evict();
    return answerFrom(view, call, collection, query);
  }

  async function maintain(tenant: TenantId, collection: Collection, wholeTail = false): Promise<boolean> {
    try {
      return (await upkeep.maintain(tenant, collection, wholeTail)) !== 'elsewhere';
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
      const view = shelves.of(call.tenant, collection).asOf(storage.stamp());
      return view === undefined ? answerAfresh(call, collection, query) : answerFrom(view, call, collection, query);
    },
    provide: (collection, documents) => void sources.set(collection.name, documents),
    async rebuild(call, collection, documents) {
      const source = documents ?? sources.get(collection.name)?.(call);
      if (source === undefined) throw new Error(`bug: nobody provides the documents of ${collection.name}`);
      await rebuild(call, collection, source);
    },
    maintain,
    settle: () => caretaker.settle(),
    async close() {
      closing.abort(faults.SHUTTING_DOWN());
      await Promise.allSettled(heals.values());
      await caretaker.settle();
    },
  };
}
