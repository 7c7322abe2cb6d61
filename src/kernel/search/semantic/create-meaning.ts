import { type Call, localTenant, type TenantId } from '../../call.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Embedder } from '../../embed/embedder.ts';
import { faults } from '../../fault/kernel-faults.ts';
import type { Ids } from '../../ids/ids.ts';
import { systemCall } from '../../jobs/system-call.ts';
import type { Log } from '../../log/log.ts';
import type { Step, Storage, Work, Writer } from '../../storage/port.ts';
import type { Collection } from '../collection.ts';
import type { Leases } from '../leases.ts';
import { searchLimits } from '../search-limits.ts';
import { createLookAfter } from './look-after.ts';
import type { Meaning, MeaningSource, MeaningVectorQuery } from './meaning.ts';
import { createQueryVectors } from './query-vectors.ts';
import { createRounds, type Place } from './rounds.ts';
import {
  countEmbedded,
  countSomeWaiting,
  countWaiting,
  findState,
  insertWaiting,
  insertWaitingWhereUsed,
  markStale,
  type NewWaitingRow,
  urgencies,
} from './semantic-store.ts';
import { excerptOf } from './split-text.ts';
import { createVectorIndex } from './vectors/vector-index.ts';

export interface MeaningDeps {
  readonly storage: Storage;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Asked once, when it is first needed. Undefined: there is none, or it is switched off. Its failure counts as none. */
  readonly embedder: () => Promise<Embedder | undefined>;
  /** Everyone who may have documents that wait. */
  readonly tenants?: () => Promise<readonly TenantId[]>;
  /** What the vectors may hold in memory; smaller for tests. */
  readonly cacheBytes?: number;
}

interface Provided {
  readonly collection: Collection;
  readonly source: MeaningSource;
}

const nothing: Step<void> = { *[Symbol.iterator]() {} };

export function createMeaning(deps: MeaningDeps): Meaning {
  const { storage, clock, ids, log, tenants = async () => [localTenant] } = deps;
  const closing = new AbortController();
  const provided = new Map<string, Provided>();
  const places = new Map<string, { readonly place: Place; lastAt: number; isAsked: boolean }>();
  const noted = new Set<string>();
  const queryVectors = createQueryVectors();
  let opening: Promise<Embedder | undefined> | undefined;
  let isWithout = false;
  let isSilent = false;
  let looks: NodeJS.Timeout | undefined;

  const toCall = (tenant: TenantId): Call =>
    systemCall('search/meaning', {
      tenant,
      signal: closing.signal,
      deadlineAt: clock.now() + searchLimits.meaningStoreDeadlineMs,
    });
  const vectors = createVectorIndex({
    storage,
    toCall,
    ...(deps.cacheBytes === undefined ? {} : { cacheBytes: deps.cacheBytes }),
  });
  const lookAfter = createLookAfter({ ...deps, vectors, closing: closing.signal, toCall });
  const keyOf = (tenant: TenantId, collection: Collection): string => `${tenant}\0${collection.name}`;

  function open(): Promise<Embedder | undefined> {
    opening ??= deps
      .embedder()
      .catch((error: unknown) => {
        log.error({ reason: String(error) }, 'there is no embedder; searches go by words alone');
        return undefined;
      })
      .then((embedder) => {
        isWithout = embedder === undefined;
        return embedder;
      });
    return opening;
  }

  const rounds = createRounds({
    log,
    closing: closing.signal,
    async turn(place, hasOthers) {
      const source = provided.get(place.collection.name)?.source;
      const embedder = source === undefined || !(await isWanted(place)) ? undefined : await open();
      if (source === undefined || embedder === undefined) return 'done';
      const isNoted = noted.delete(keyOf(place.tenant, place.collection));
      const outcome = await lookAfter(place, embedder, source, hasOthers);
      // Once more: the transaction that told of it may not have been committed yet.
      if (isNoted) rounds.schedule(place, searchLimits.noteAgainMs);
      return outcome;
    },
  });

  /** A tenant whom this process meets for the first time may have left something behind. */
  function meet(tenant: TenantId, collection: Collection): Place {
    const key = keyOf(tenant, collection);
    let known = places.get(key);
    if (known === undefined) {
      known = { place: { tenant, collection }, lastAt: 0, isAsked: false };
      places.set(key, known);
      rounds.schedule(known.place, searchLimits.firstLookMs);
    }
    known.lastAt = performance.now();
    return known.place;
  }

  /** Not known to be: it may have been embedded for another process, or before this one began. */
  const isUnasked = (tenant: TenantId, collection: Collection): boolean =>
    provided.get(collection.name)?.source.isOnDemand === true &&
    places.get(keyOf(tenant, collection))?.isAsked !== true;

  async function isWanted({ tenant, collection }: Place): Promise<boolean> {
    if (!isUnasked(tenant, collection)) return true;
    const state = await storage.read(toCall(tenant), function* (db) {
      return yield* findState(db, collection.name);
    });
    return state !== undefined && state.model !== '';
  }

  /** Somebody searches by meaning: what was put off until then begins now. */
  function ask(tenant: TenantId, collection: Collection): void {
    const place = meet(tenant, collection);
    if (isUnasked(tenant, collection)) rounds.schedule(place, 0);
    places.get(keyOf(tenant, collection))!.isAsked = true;
  }

  const putOnList = (db: Writer, collection: Collection, row: NewWaitingRow) =>
    (isUnasked(db.tenant, collection) ? insertWaitingWhereUsed : insertWaiting)(db, collection.name, row);

  async function meetAll(): Promise<void> {
    for (const tenant of await tenants()) {
      for (const { collection } of provided.values()) meet(tenant, collection);
    }
  }

  /** What other processes left behind. Who has not been heard of for long is looked at again when he comes back. */
  function lookAround(): void {
    const before = performance.now() - searchLimits.forgottenMs;
    for (const [key, { place, lastAt }] of places) {
      if (lastAt < before) places.delete(key);
      else rounds.schedule(place, 0);
    }
  }

  /** The first statement is made at once, so that a forgotten `yield*` fails the transaction. */
  function told(db: Writer, collection: Collection, first: Step<unknown>, then: () => Work<unknown>): Step<void> {
    return {
      *[Symbol.iterator](): Work<void> {
        const firstCount = yield* first;
        const thenCount = yield* then();
        // No row was written: nothing is to be done about it.
        if (firstCount === 0 || thenCount === 0) return;
        noted.add(keyOf(db.tenant, collection));
        rounds.schedule(meet(db.tenant, collection), searchLimits.noteMs);
      },
    };
  }

  async function search(call: Call, collection: Collection, embedder: Embedder, query: MeaningVectorQuery) {
    const hits = await vectors.nearest(call, collection, { ...query, model: embedder.id });
    const excerpt = (text: string, part: number) => excerptOf(text, embedder.partChars, part);
    return { embedder: embedder.id, hits, excerpt };
  }

  /** A search goes on by words when the embedder fails; that it does is said once. */
  async function toVector(call: Call, embedder: Embedder, text: string): Promise<Float32Array | undefined> {
    try {
      const vector = await queryVectors.of(embedder, text, AbortSignal.any([call.signal, closing.signal]));
      isSilent = false;
      return vector;
    } catch (error) {
      call.signal.throwIfAborted();
      closing.signal.throwIfAborted();
      if (!isSilent) log.warn({ embedder: embedder.id, reason: String(error) }, 'searches go by words alone');
      isSilent = true;
      return undefined;
    }
  }

  return {
    note(db, collection, ...noteIds) {
      if (noteIds.length === 0) return nothing;
      const { written: urgency } = urgencies;
      const first = isWithout
        ? markStale(db, collection.name)
        : putOnList(db, collection, { urgency, ticket: ids.uuid(), ids: noteIds });
      return told(db, collection, first, function* () {});
    },
    forget(db, collection, ...goneIds) {
      if (goneIds.length === 0) return nothing;
      const first = vectors.remove(db, collection, goneIds);
      // For a process that embeds one of them right now; see embedDocuments.
      const row = { urgency: urgencies.gone, ticket: ids.uuid(), ids: goneIds };
      return told(db, collection, first, function* () {
        return yield* putOnList(db, collection, row);
      });
    },
    provide(collection, source) {
      provided.set(collection.name, { collection, source });
      looks ??= setInterval(lookAround, searchLimits.lookEveryMs).unref();
      void meetAll().catch(() => {});
    },
    async nearest(call, collection, { text, ...query }) {
      const embedder = await open();
      if (embedder === undefined) return undefined;
      ask(call.tenant, collection);
      const vector = await toVector(call, embedder, text);
      return vector === undefined ? undefined : search(call, collection, embedder, { ...query, vector });
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
      return embedder?.id === model ? toVector(call, embedder, text) : undefined;
    },
    async progress(call, collection) {
      const embedder = await open();
      meet(call.tenant, collection);
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
      // What is not on the list yet waits as well; before it is begun that is all, also what was written since.
      const upTo = state?.model === embedder.id ? state.listed_up_to : '';
      const source = provided.get(collection.name)?.source;
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
      await meetAll();
      if (tenant !== undefined) for (const { collection } of provided.values()) meet(tenant, collection);
      for (const { place } of [...places.values()]) {
        if (tenant === undefined || place.tenant === tenant) await rounds.settle(place);
      }
    },
    async close() {
      closing.abort(faults.SHUTTING_DOWN());
      clearInterval(looks);
      await rounds.rest();
      await (await opening)?.close();
    },
  };
}
