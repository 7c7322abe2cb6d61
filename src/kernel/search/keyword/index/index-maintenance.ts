import { setTimeout as wait } from 'node:timers/promises';
import type { Call, TenantId } from '../../../call.ts';
import type { Clock } from '../../../clock/clock.ts';
import { faults } from '../../../fault/kernel-faults.ts';
import type { Ids } from '../../../ids/ids.ts';
import type { Leases } from '../../../jobs/leases.ts';
import type { Storage } from '../../../storage/port.ts';
import type { Collection } from '../../collection.ts';
import type { Tuning } from '../../search-limits.ts';
import { searchLimits } from '../../search-limits.ts';
import type { StemOf } from '../../stemmer.ts';
import { mergeOnce } from './merge.ts';
import { type DocumentSource, rebuildSegments } from './rebuild.ts';
import { MergeConflict } from './segment-io.ts';
import { deleteChunk, deleteRows, deleteSegment, findHead, findOldestRow, listSweepable } from './segment-store.ts';
import { keyOf, type TenantIndexes } from './tenant-index.ts';

interface SweepDeps {
  readonly storage: Storage;
  readonly collection: string;
  toCall(): Call;
}

/** Deletes rows that are in segments, and segments that were replaced or never finished, in small writes. */
async function sweep(deps: SweepDeps, droppedMs: number = searchLimits.droppedMs): Promise<void> {
  await sweepRows(deps);
  await sweepSegments(deps, droppedMs);
}

async function sweepRows({ storage, collection, toCall }: SweepDeps): Promise<void> {
  const { merged, oldest } = await storage.read(toCall(), function* (db) {
    const head = yield* findHead(db, collection);
    const row = yield* findOldestRow(db, collection);
    return { merged: head?.merged ?? 0, oldest: row?.seq ?? Number.POSITIVE_INFINITY };
  });
  for (let from = oldest; from <= merged; from += searchLimits.tailPageCount) {
    const upTo = Math.min(merged, from + searchLimits.tailPageCount - 1);
    await storage.write(toCall(), function* (db) {
      yield* deleteRows(db, collection, upTo);
    });
  }
}

async function sweepSegments({ storage, collection, toCall }: SweepDeps, droppedMs: number): Promise<void> {
  // A write, because only writes have the clock by which the segments were marked.
  const old = await storage.write(toCall(), (db) =>
    listSweepable(db, collection, db.now - droppedMs, db.now - searchLimits.buildingMs),
  );
  for (const { id, chunks } of old) {
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      await storage.write(toCall(), function* (db) {
        yield* deleteChunk(db, id, chunk);
      });
    }
    await storage.write(toCall(), function* (db) {
      yield* deleteSegment(db, collection, id);
    });
  }
}

export interface IndexMaintenanceDeps {
  readonly storage: Storage;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tuning: Tuning;
  readonly stemOf: StemOf;
  readonly tenantIndexes: TenantIndexes;
  readonly closing: AbortSignal;
  toCall(tenant: TenantId): Call;
}

/** `elsewhere`: another process holds the lease. */
export type MaintenanceOutcome = 'changed' | 'unchanged' | 'elsewhere';

export type IndexMaintenance = ReturnType<typeof createIndexMaintenance>;

/** Merges, sweeps and rebuilds the segments of a collection: one job at a time, in one process at a time. */
export function createIndexMaintenance(deps: IndexMaintenanceDeps) {
  const { leases, clock, tuning, stemOf, tenantIndexes, closing } = deps;
  const running = new Map<string, Promise<unknown>>();

  /** Serialises the jobs of this process, in addition to the lease. */
  async function alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    while (running.has(key)) await running.get(key)?.catch(() => {});
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  }

  function hold<T>(
    tenant: TenantId,
    collection: Collection,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const name = `search:${tenant}:${collection.name}`;
    return leases.hold(name, searchLimits.leaseMs, (held) => work(AbortSignal.any([held, closing])));
  }

  const writing = (tenant: TenantId, collection: Collection) => ({
    storage: deps.storage,
    ids: deps.ids,
    collection: collection.name,
    chunkBytes: tuning.chunkBytes,
    declared: collection,
    tuning,
    toCall: () => deps.toCall(tenant),
  });

  async function mergeAndSweep(
    tenant: TenantId,
    collection: Collection,
    wholeTail: boolean,
    signal: AbortSignal,
  ): Promise<MaintenanceOutcome> {
    const tenantIndex = tenantIndexes.of(tenant, collection);
    const own = writing(tenant, collection);
    let outcome: MaintenanceOutcome = 'unchanged';
    try {
      // Only once: what others write meanwhile is a new tail.
      let movesTail = wholeTail;
      while (await mergeOnce({ ...own, tenantIndex, signal, movesTail })) {
        outcome = 'changed';
        movesTail = false;
        signal.throwIfAborted();
      }
    } catch (error) {
      if (!(error instanceof MergeConflict)) throw error;
    }
    await sweep(own);
    tenantIndexes.evict();
    return outcome;
  }

  async function rebuildUnderLease(
    call: Call,
    collection: Collection,
    documents: () => DocumentSource,
    droppedMs?: number,
  ): Promise<void> {
    const own = writing(call.tenant, collection);
    const progress = (count: number) => call.progress(count, undefined, `documents of ${collection.name} indexed`);
    for (;;) {
      const isDone = await hold(call.tenant, collection, async (signal) => {
        const eitherGone = AbortSignal.any([signal, call.signal]);
        await rebuildSegments({ ...own, stemOf, progress, signal: eitherGone }, documents());
        await sweep(own, droppedMs);
        return true;
      });
      if (isDone === true) return;
      if (clock.now() >= call.deadlineAt) throw faults.STORE_BUSY();
      await wait(searchLimits.leaseRetryMs, undefined, { signal: call.signal });
    }
  }

  return {
    /** `wholeTail`: move the tail into a segment even if it is not full. */
    maintain: (tenant: TenantId, collection: Collection, wholeTail: boolean = false): Promise<MaintenanceOutcome> =>
      alone(keyOf(tenant, collection), async () => {
        const done = await hold(tenant, collection, (signal) => mergeAndSweep(tenant, collection, wholeTail, signal));
        return done ?? 'elsewhere';
      }),
    rebuild: (call: Call, collection: Collection, documents: DocumentSource) =>
      alone(keyOf(call.tenant, collection), () => rebuildUnderLease(call, collection, () => documents)),
    /**
     * The same, and deletes the replaced segments immediately. A process that is reading one of them finds it missing and
     * rebuilds the index.
     */
    purge: (call: Call, collection: Collection, documents: () => DocumentSource) =>
      alone(keyOf(call.tenant, collection), () => rebuildUnderLease(call, collection, documents, 0)),
    /** Resolves when no job is running. */
    async settle() {
      while (running.size > 0) await Promise.allSettled(running.values());
    },
  };
}
