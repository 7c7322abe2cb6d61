import { setTimeout as wait } from 'node:timers/promises';
import type { Call, TenantId } from '#kernel/call.ts';
import { rejectionOf } from '#kernel/clock/rejection-of.ts';
import { yieldToEventLoop, yieldToRequests } from '#kernel/clock/yield-to-event-loop.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { chunksOf } from '../../chunks.ts';
import { forgettingLimits } from '../../forgetting/forgetting-limits.ts';
import type { TruthDeps } from '../../truth-deps.ts';
import { truthLimits } from '../../truth-limits.ts';
import { textsOf } from './entity-collection.ts';
import type { ChangedEntity, EntityIndexing } from './entity-documents.ts';
import {
  countQueued,
  deleteQueued,
  findQueued,
  insertQueued,
  lastTicket,
  listQueued,
  listTickets,
  type QueueRow,
} from './entity-search-store.ts';
import type { StatedTexts } from './load-indexed-entities.ts';

export interface IndexQueueDeps extends Pick<TruthDeps, 'storage' | 'ids' | 'log'> {
  /** Adds what was stated to the documents of these entities. */
  update(db: Writer, stated: StatedTexts): Work<void>;
  /** Stores the keys under which these entities are found by similar names. */
  deriveNames(db: Writer, entityIds: readonly string[]): Work<void>;
  /** Creates the documents of these entities again. */
  reindex(db: Writer, entityIds: readonly string[]): Work<void>;
  /** Indexes all entities, and removes from the queue what was in it. */
  rebuild(tenant: TenantId, signal: AbortSignal): Promise<void>;
  toCall(tenant: TenantId, signal?: AbortSignal): Call;
}

type Rest = typeof yieldToEventLoop;

/** An id alone: its document is created again from all that is stored. */
type QueuedEntity = string | readonly [entityId: string, texts: readonly string[]];

interface Queued {
  readonly tickets: readonly string[];
  readonly reindexed: ReadonlySet<string>;
  readonly updated: StatedTexts;
}

/** Each entity once, however often it was written. The newest texts come first. */
function combine(rows: readonly QueueRow[]): Queued {
  const reindexed = new Set<string>();
  const updated = new Map<string, readonly string[]>();
  for (const { ids } of rows) {
    for (const entry of JSON.parse(ids) as readonly QueuedEntity[]) {
      if (typeof entry === 'string') reindexed.add(entry);
      else updated.set(entry[0], [...entry[1], ...(updated.get(entry[0]) ?? [])]);
    }
  }
  for (const id of reindexed) updated.delete(id);
  return { tickets: rows.map(({ ticket }) => ticket), reindexed, updated };
}

const never = new AbortController().signal;

/**
 * [TR80] A write queues the entities that it changes, in its transaction. They are indexed soon after, or by the next
 * search, which therefore sees every write before it. Entities that are written often are indexed once.
 */
export function createIndexQueue(deps: IndexQueueDeps) {
  const { storage, ids, log } = deps;
  const { indexedEntitiesCount, queueRowsCount } = truthLimits;
  const timers = new Map<TenantId, NodeJS.Timeout>();
  const running = new Map<TenantId, Promise<void>>();
  /** Tenants with searches that wait, and how many. */
  const waiting = new Map<TenantId, number>();

  function* indexChunk(db: Writer, { reindexed, updated }: Queued, chunk: readonly string[]): Work<void> {
    const again = chunk.filter((id) => reindexed.has(id));
    yield* deps.deriveNames(db, again);
    yield* deps.reindex(db, again);
    yield* deps.update(db, new Map(chunk.flatMap((id) => (updated.has(id) ? [[id, updated.get(id)!]] : []))));
  }

  /** Returns false when nothing is queued up to this ticket. */
  async function indexSome(tenant: TenantId, signal: AbortSignal, rest: Rest, upTo: string): Promise<boolean> {
    const rows = await storage.read(deps.toCall(tenant, signal), (db) => listQueued(db, upTo, queueRowsCount));
    const queued = combine(rows);
    const chunks = chunksOf([...queued.reindexed, ...queued.updated.keys()], indexedEntitiesCount);
    for (const [i, chunk] of chunks.entries()) {
      await rest(signal);
      await storage.write(deps.toCall(tenant, signal), function* (db) {
        yield* indexChunk(db, queued, chunk);
        if (i === chunks.length - 1) yield* deleteQueued(db, queued.tickets);
      });
    }
    return rows.length > 0;
  }

  const findWaiting = (call: Call, upTo?: string) =>
    storage.read(call, function* (db) {
      const row = yield* countQueued(db, upTo);
      return { count: Number(row?.n ?? 0), last: row?.last ?? '' };
    });

  /** Before the index is built again, which does not change the store. */
  async function deriveAllNames(tenant: TenantId, signal: AbortSignal, rest: Rest): Promise<void> {
    const tickets = await storage.read(deps.toCall(tenant, signal), (db) => listTickets(db));
    for (const { ticket } of tickets) {
      const rows = await storage.read(deps.toCall(tenant, signal), (db) => findQueued(db, ticket));
      for (const chunk of chunksOf([...combine(rows).reindexed], truthLimits.namedEntitiesCount)) {
        await rest(signal);
        await storage.write(deps.toCall(tenant, signal), (db) => deps.deriveNames(db, chunk));
      }
    }
  }

  /** What is queued now. After a large import the whole index is built again, which is faster. */
  async function indexQueued(tenant: TenantId, signal: AbortSignal, rest: Rest): Promise<void> {
    const { count, last } = await findWaiting(deps.toCall(tenant, signal));
    if (count > truthLimits.rebuiltEntitiesCount) {
      await deriveAllNames(tenant, signal, rest);
      await deps.rebuild(tenant, signal);
    }
    while (await indexSome(tenant, signal, rest, last)) signal.throwIfAborted();
  }

  /** One run per tenant at a time: a second one would do the same work again. It hurries while a search waits for it. */
  function indexAll(tenant: TenantId): Promise<void> {
    const known = running.get(tenant);
    if (known !== undefined) return known;
    const rest: Rest = (signal) => (waiting.has(tenant) ? yieldToEventLoop(signal) : yieldToRequests(signal));
    const started = indexQueued(tenant, never, rest).finally(() => running.delete(tenant));
    running.set(tenant, started);
    return started;
  }

  /** A run that has begun does not include the last writes, so the next one starts after it. */
  function indexSoon(tenant: TenantId): void {
    if (timers.has(tenant)) return;
    const timer = setTimeout(() => {
      timers.delete(tenant);
      if (running.has(tenant)) return indexSoon(tenant);
      indexAll(tenant).catch((error: unknown) => {
        // A search or the job indexes the rest.
        if (!(error instanceof Fault)) log.error({ err: error }, 'entities could not be indexed');
      });
    }, truthLimits.indexSoonMs);
    timers.set(tenant, timer.unref());
  }

  function* enqueue(db: Writer, entries: readonly QueuedEntity[]): Work<void> {
    if (entries.length === 0) return;
    yield* insertQueued(db, ids.uuid(), entries);
  }

  function* enqueueSoon(db: Writer, entries: readonly QueuedEntity[]): Work<void> {
    yield* enqueue(db, entries);
    indexSoon(db.tenant);
  }

  /** Does not stop the work when the caller of the search is gone. */
  async function indexForSearch(tenant: TenantId): Promise<void> {
    waiting.set(tenant, (waiting.get(tenant) ?? 0) + 1);
    try {
      await indexAll(tenant);
    } catch (error) {
      // A store that cannot be written is still searched; the answer says what is missing.
      if (!(error instanceof Fault)) throw error;
    } finally {
      const others = waiting.get(tenant)! - 1;
      if (others > 0) waiting.set(tenant, others);
      else waiting.delete(tenant);
    }
  }

  return {
    put: (db, changed) =>
      enqueueSoon(
        db,
        changed.map(
          ({ entityId, stated }): QueuedEntity => [entityId, [...textsOf(stated, truthLimits.entityPastChars)]],
        ),
      ),
    reindex: (db, entityIds) => enqueueSoon(db, [...new Set(entityIds)]),
    /** For bulk writes: without what they state, and left to the job or a search. */
    putLater: (db: Writer, changed: readonly ChangedEntity[]) =>
      enqueue(db, [...new Set(changed.map(({ entityId }) => entityId))]),
    /** Removes entities that no longer exist; the others of the same rows are indexed again. */
    *withdraw(db: Writer, gone: ReadonlySet<string>): Work<void> {
      const others = new Set<string>();
      const tickets: string[] = [];
      for (const row of yield* listQueued(db, lastTicket, forgettingLimits.withdrawnRowsCount)) {
        const { ticket } = row;
        const { reindexed, updated } = combine([row]);
        const queuedIds = [...reindexed, ...updated.keys()];
        if (!queuedIds.some((id) => gone.has(id))) continue;
        tickets.push(ticket);
        for (const id of queuedIds) if (!gone.has(id)) others.add(id);
      }
      yield* deleteQueued(db, tickets);
      yield* enqueueSoon(db, [...others]);
    },
    countWaiting: async (call: Call) => (await findWaiting(call)).count,
    /** Goes on without the caller if the signal aborts. */
    indexAll: (tenant: TenantId, signal: AbortSignal) => Promise.race([indexAll(tenant), rejectionOf(signal)]),
    /** The part of the work that changes more than the index. */
    deriveNames: ({ tenant, signal }: Call) => deriveAllNames(tenant, signal, yieldToEventLoop),
    /** Waits a little until the entities queued so far are indexed. Returns how many are left. */
    async awaitQueued(call: Call): Promise<number> {
      const { count, last } = await findWaiting(call);
      if (count === 0) return 0;
      const over = new AbortController();
      const late = wait(truthLimits.indexWaitMs, undefined, { signal: AbortSignal.any([call.signal, over.signal]) });
      try {
        // Twice, because the work of another search may have ended just before the last write.
        for (let round = 0; round < 2; round += 1) await Promise.race([indexForSearch(call.tenant), late]);
      } finally {
        over.abort();
        late.catch(() => {});
      }
      return (await findWaiting(call, last)).count;
    },
  } satisfies EntityIndexing & Record<string, unknown>;
}
