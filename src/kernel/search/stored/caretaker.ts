import { setTimeout as wait } from 'node:timers/promises';
import type { Call, TenantId } from '../../call.ts';
import type { Clock } from '../../clock/clock.ts';
import { faults } from '../../fault/kernel-faults.ts';
import type { Ids } from '../../ids/ids.ts';
import type { Log } from '../../log/log.ts';
import type { Storage } from '../../storage/port.ts';
import type { Collection } from '../collection.ts';
import type { Leases } from '../leases.ts';
import { searchLimits } from '../search-limits.ts';
import type { StemOf } from '../stemmer.ts';
import { mergeOnce } from './merge.ts';
import { type DocumentSource, rebuildSegments } from './rebuild.ts';
import type { Shelves } from './shelves.ts';
import { sweep } from './sweep.ts';
import type { Tuning } from './tuning.ts';
import { Overtaken } from './write-segment.ts';

export interface CaretakerDeps {
  readonly storage: Storage;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly tuning: Tuning;
  readonly stemOf: StemOf;
  readonly shelves: Shelves;
  readonly signal: AbortSignal;
  toCall(tenant: TenantId): Call;
}

/** Keeps the segments few and clean, in the background, one process at a time. */
export interface Caretaker {
  /** Something was written here; when it was much, the tail is looked after. */
  note(tenant: TenantId, collection: Collection, count: number, chars: number): void;
  schedule(tenant: TenantId, collection: Collection): void;
  maintain(tenant: TenantId, collection: Collection): Promise<boolean>;
  rebuild(call: Call, collection: Collection, documents: DocumentSource): Promise<void>;
  settle(): Promise<void>;
}

interface Noted {
  count: number;
  chars: number;
}

export function createCaretaker(deps: CaretakerDeps): Caretaker {
  const { storage, leases, clock, ids, log, tuning, stemOf, shelves, signal } = deps;
  /** What goes on now, by collection: one thing at a time in this process, whatever the lease says. */
  const running = new Map<string, Promise<unknown>>();
  const scheduled = new Set<string>();
  const pending = new Set<Promise<unknown>>();
  const timers = new Set<NodeJS.Timeout>();
  const noted = new Map<string, Noted>();

  signal.addEventListener('abort', () => {
    for (const timer of timers) clearTimeout(timer);
  });

  const keyOf = (tenant: TenantId, collection: Collection) => `${tenant}\0${collection.name}`;

  async function alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    while (running.has(key)) await running.get(key)?.catch(() => {});
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  }

  const hold = <T>(tenant: TenantId, collection: Collection, work: () => Promise<T>): Promise<T | undefined> =>
    leases.hold(`search:${tenant}:${collection.name}`, searchLimits.leaseMs, work);

  const writing = (tenant: TenantId, collection: Collection) => ({
    storage,
    ids,
    collection: collection.name,
    chunkBytes: tuning.chunkBytes,
    declared: collection,
    tuning,
    toCall: () => deps.toCall(tenant),
  });

  async function tidy(tenant: TenantId, collection: Collection): Promise<true> {
    const shelf = shelves.of(tenant, collection);
    const own = writing(tenant, collection);
    // Half of the lease: what is left over is done the next time, not under a lease that has run out.
    const endsAt = performance.now() + searchLimits.leaseMs / 2;
    let isChanged = false;
    try {
      while (!signal.aborted && performance.now() < endsAt && (await mergeOnce({ ...own, shelf, signal }))) isChanged = true;
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
    await sweep(own);
    if (isChanged && !signal.aborted) scheduleSweep(tenant, collection);
    shelves.evict();
    return true;
  }

  function maintain(tenant: TenantId, collection: Collection): Promise<boolean> {
    return alone(keyOf(tenant, collection), async () => (await hold(tenant, collection, () => tidy(tenant, collection))) ?? false);
  }

  function schedule(tenant: TenantId, collection: Collection): void {
    const key = keyOf(tenant, collection);
    if (scheduled.has(key) || signal.aborted) return;
    scheduled.add(key);
    // Not now: the caller may be in the middle of a transaction.
    const later = new Promise((resolve) => setImmediate(resolve));
    const done = later.then(() => {
      scheduled.delete(key);
      return maintain(tenant, collection);
    });
    pending.add(done);
    done
      .catch((error: unknown) => {
        if (!signal.aborted) log.warn({ collection: collection.name, reason: String(error) }, 'the search index was not merged');
      })
      .finally(() => pending.delete(done));
  }

  /** What a merge replaced is swept when the searches that still read it are over. */
  function scheduleSweep(tenant: TenantId, collection: Collection): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      schedule(tenant, collection);
    }, searchLimits.droppedMs).unref();
    timers.add(timer);
  }

  return {
    note(tenant, collection, count, chars) {
      const key = keyOf(tenant, collection);
      const sum = noted.get(key) ?? { count: 0, chars: 0 };
      sum.count += count;
      sum.chars += chars;
      noted.set(key, sum);
      if (sum.count * 2 < tuning.tailEntriesCount && sum.chars * 2 < tuning.tailBytes) return;
      noted.delete(key);
      schedule(tenant, collection);
    },
    schedule,
    maintain,
    async rebuild(call, collection, documents) {
      const { tenant } = call;
      const done = await alone(keyOf(tenant, collection), async () => {
        for (;;) {
          const isDone = await hold(tenant, collection, async () => {
            const progress = (count: number) => call.progress(count, undefined, `documents of ${collection.name} indexed`);
            const own = writing(tenant, collection);
            await rebuildSegments({ ...own, stemOf, progress }, documents);
            await sweep(own);
            scheduleSweep(tenant, collection);
            return true;
          });
          if (isDone !== undefined || clock.now() >= call.deadlineAt) return isDone;
          await wait(searchLimits.leaseRetryMs, undefined, { signal: call.signal });
        }
      });
      if (done === undefined) throw faults.STORE_BUSY();
      schedule(tenant, collection);
    },
    async settle() {
      while (pending.size > 0 || running.size > 0) await Promise.allSettled([...pending, ...running.values()]);
    },
  };
}
