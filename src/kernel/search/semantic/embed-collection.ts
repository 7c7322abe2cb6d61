import type { Call, TenantId } from '../../call.ts';
import type { Embedder } from '../../embed/embedder.ts';
import type { Ids } from '../../ids/ids.ts';
import type { Leases } from '../../jobs/leases.ts';
import type { Log } from '../../log/log.ts';
import type { Storage } from '../../storage/port.ts';
import type { Collection } from '../collection.ts';
import { searchLimits } from '../search-limits.ts';
import type { VectorIndex } from '../vectors.ts';
import { embedWaiting } from './embed-waiting.ts';
import type { TenantCollection, TurnOutcome } from './embedding-scheduler.ts';
import type { SemanticSource } from './semantic-search.ts';
import {
  countListed,
  deleteListed,
  findState,
  insertWaiting,
  listWaiting,
  moveListed,
  saveState,
  urgencies,
} from './semantic-store.ts';
import { countGone, deleteGone, findGoneAt, moveSwept } from './vectors/vector-store.ts';

interface LoggedProgress {
  readonly fields: { readonly collection: string; readonly embedder: string };
  readonly pendingCount: number;
  readonly startedAt: number;
  doneCount: number;
  loggedCount: number;
}

/** Logs the progress while all documents of a collection are embedded. Single writes are not logged. */
function createProgressLog(log: Log) {
  const collections = new Map<string, LoggedProgress>();
  return {
    isActive: (key: string) => collections.has(key),
    begin(key: string, { collection }: TenantCollection, embedder: string, pendingCount: number) {
      if (pendingCount === 0) return;
      const fields = { collection: collection.name, embedder };
      collections.set(key, { fields, pendingCount, startedAt: performance.now(), doneCount: 0, loggedCount: 0 });
      log.info(
        { ...fields, pending: pendingCount },
        'embedding all documents in the background; keyword search works meanwhile',
      );
    },
    did(key: string, documentsCount: number) {
      const progress = collections.get(key);
      if (progress === undefined) return;
      progress.doneCount += documentsCount;
      if (progress.doneCount - progress.loggedCount < searchLimits.saidEveryCount) return;
      progress.loggedCount = progress.doneCount;
      // Recent writes go first and are counted too.
      const pending = Math.max(0, progress.pendingCount - progress.doneCount);
      log.info({ ...progress.fields, embedded: progress.doneCount, pending }, 'embedding documents');
    },
    end(key: string) {
      const progress = collections.get(key);
      if (progress === undefined) return;
      collections.delete(key);
      const seconds = Math.round((performance.now() - progress.startedAt) / 1_000);
      log.info({ ...progress.fields, embedded: progress.doneCount, seconds }, 'embedded all documents');
    },
  };
}

interface ListAllDeps {
  readonly storage: Storage;
  readonly ids: Ids;
  readonly model: string;
  readonly collection: Collection;
  readonly source: SemanticSource;
  readonly signal: AbortSignal;
  toCall(): Call;
}

/**
 * Lists every document as pending if the collection has vectors of another model. Continues where it was interrupted.
 */
async function listAll(deps: ListAllDeps): Promise<void> {
  const { storage, model, source, signal, toCall } = deps;
  const collection = deps.collection.name;
  let after = await storage.write(toCall(), function* (db) {
    const state = yield* findState(db, collection);
    if (state?.model === model) return state.listed_up_to;
    yield* deleteListed(db, collection);
    yield* saveState(db, collection, { model, listed_up_to: '' });
    return '';
  });
  while (after !== null) {
    signal.throwIfAborted();
    const ids = await source.ids(toCall(), after === '' ? undefined : after, searchLimits.listedCount);
    const next = ids.length < searchLimits.listedCount ? null : ids.at(-1)!;
    const rows: (readonly string[])[] = [];
    for (let from = 0; from < ids.length; from += searchLimits.documentsCount) {
      rows.push(ids.slice(from, from + searchLimits.documentsCount));
    }
    const isMoved = await storage.write(toCall(), function* (db) {
      // Another process, without an embedder or with another model, has marked the collection: the next run starts
      // again.
      if ((yield* moveListed(db, collection, model, next)) === 0) return false;
      for (const row of rows) {
        yield* insertWaiting(db, collection, { urgency: urgencies.listed, ticket: deps.ids.uuid(), ids: row });
      }
      return true;
    });
    if (!isMoved) return;
    after = next;
  }
}

export interface EmbedCollectionDeps {
  readonly storage: Storage;
  readonly vectors: VectorIndex;
  readonly leases: Leases;
  readonly ids: Ids;
  readonly log: Log;
  readonly closing: AbortSignal;
  toCall(tenant: TenantId): Call;
}

/** Brings the vectors of one collection up to date, in one process at a time. */
export type EmbedCollection = (
  target: TenantCollection,
  embedder: Embedder,
  source: SemanticSource,
  hasOthers: () => boolean,
) => Promise<TurnOutcome>;

export function createCollectionEmbedder(deps: EmbedCollectionDeps): EmbedCollection {
  const { storage, leases, closing } = deps;
  /** Collections whose documents this process has listed, each for one embedder only. */
  const listed = new Set<string>();
  const progressLog = createProgressLog(deps.log);

  /** Reads only: a check that finds nothing to do writes nothing. */
  function findDue(call: Call, collection: string, model: string) {
    return storage.read(call, function* (db) {
      const state = yield* findState(db, collection);
      const waiting = yield* listWaiting(db, collection, 1);
      return {
        isWaiting: waiting.length > 0,
        isListed: state?.model === model && state.listed_up_to === null,
        // Another process started later with another model: the later one wins.
        isForeign: state !== undefined && state.model !== '' && state.model !== model,
      };
    });
  }

  async function countAllListed(call: Call, collection: string): Promise<number> {
    const row = await storage.read(call, (db) => countListed(db, collection));
    return Number(row?.n ?? 0);
  }

  /** Records of deletions matter only to processes that were running then. */
  async function sweepGone(call: Call, collection: string): Promise<void> {
    const found = await storage.read(call, function* (db) {
      const count = (yield* countGone(db, collection))?.n ?? 0;
      if (count <= searchLimits.vectorGoneCount) return undefined;
      return yield* findGoneAt(db, collection, Math.floor(count / 2));
    });
    if (found === undefined) return;
    await storage.write(call, function* (db) {
      yield* moveSwept(db, collection, found.seq);
      yield* deleteGone(db, collection, found.seq);
    });
  }

  return async (target, embedder, source, hasOthers) => {
    const { tenant, collection } = target;
    const toCall = () => deps.toCall(tenant);
    const key = `${tenant}\0${collection.name}\0${embedder.id}`;
    const due = await findDue(toCall(), collection.name, embedder.id);
    if (due.isForeign && listed.has(key)) return 'done';
    if (!due.isWaiting && due.isListed) return 'done';
    const name = `meaning:${tenant}:${collection.name}`;
    const outcome = await leases.hold(name, searchLimits.embeddingLeaseMs, async (held): Promise<TurnOutcome> => {
      const signal = AbortSignal.any([held, closing]);
      const own = { storage, log: deps.log, vectors: deps.vectors, embedder, collection, source, signal, toCall };
      await listAll({ ...own, ids: deps.ids, model: embedder.id });
      // Also for pending documents of a process that ended early.
      if (!progressLog.isActive(key) && !(due.isListed && listed.has(key))) {
        progressLog.begin(key, target, embedder.id, await countAllListed(toCall(), collection.name));
      }
      listed.add(key);
      for (let count = await embedWaiting(own); count > 0; count = await embedWaiting(own)) {
        progressLog.did(key, count);
        await sweepGone(toCall(), collection.name);
        signal.throwIfAborted();
        if (hasOthers()) return 'more';
      }
      progressLog.end(key);
      return 'done';
    });
    return outcome ?? 'elsewhere';
  };
}
