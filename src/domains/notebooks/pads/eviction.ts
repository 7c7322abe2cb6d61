import { type Call, withoutKey } from '#kernel/call.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { Documents } from '../search/notebook-documents.ts';
import type { AccessNote, LastAccess } from './last-access.ts';
import type { PadDeps } from './pad-context.ts';
import { tooManyPads } from './pad-faults.ts';
import { findTotals } from './pad-store.ts';
import { leastRecentPads } from './pad-trash-store.ts';
import { removePads } from './remove-pad.ts';

export interface EvictedPad {
  readonly scratch_id: string;
  readonly last_access_at: number;
}

export interface Eviction {
  /** Evicts the pads above the limit in the write that creates a new pad, which stays. */
  evictExcess(
    db: Writer,
    padsCount: number,
    newId: string,
    notes: readonly AccessNote[],
    actor: string,
  ): Work<readonly EvictedPad[]>;
  /** Runs before such a write: after the limit was lowered, more pads may have to go than one write can remove. */
  evictBacklog(call: Call): Promise<readonly EvictedPad[]>;
  /** Evicts the pads that were not read for `preemptAgeMs`. */
  preempt(call: Call): Promise<readonly EvictedPad[]>;
  /** To be called after the commit. */
  report(evicted: readonly EvictedPad[]): void;
}

type Deps = Pick<
  PadDeps,
  'storage' | 'clock' | 'log' | 'maxScratchpads' | 'evictionPolicy' | 'preemptAgeMs' | 'onEvicted'
> & { readonly documents: Documents; readonly access: LastAccess };

export function createEviction(deps: Deps): Eviction {
  const { storage, clock, log, maxScratchpads, evictionPolicy: policy, preemptAgeMs, documents, access } = deps;

  const limitReached = () =>
    tooManyPads(
      `there are already ${maxScratchpads} scratchpads, the maximum (eviction policy ${policy})`,
      maxScratchpads,
    );

  function* evict(db: Writer, before: number, exceptId: string, count: number, actor: string) {
    const candidates = yield* leastRecentPads(db, before, exceptId, count);
    const ids = candidates.map(({ scratch_id }) => scratch_id);
    const removed = new Set(yield* removePads(db, ids, 'evict', actor, documents));
    return candidates.filter(({ scratch_id }) => removed.has(scratch_id));
  }

  const readBefore = (now: number): number => (policy === 'preempt' ? now - preemptAgeMs : Number.MAX_SAFE_INTEGER);

  async function evictBatch(call: Call, before: number, countOf: (padsCount: number) => number) {
    const notes = access.pending(call.tenant);
    const evicted = await storage.write(call, function* (db) {
      yield* access.write(db, notes);
      const totals = yield* findTotals(db);
      return yield* evict(db, before, '', countOf(totals?.pads_count ?? 0), call.actor);
    });
    access.forget(call.tenant, notes);
    return evicted;
  }

  async function evictAll(call: Call, before: number, countOf: (padsCount: number) => number) {
    const all: EvictedPad[] = [];
    while (!call.signal.aborted) {
      const evicted = await evictBatch(call, before, countOf);
      report(evicted);
      all.push(...evicted);
      if (evicted.length < notebookLimits.removePadsCount) break;
    }
    return all;
  }

  function report(evicted: readonly EvictedPad[]): void {
    for (const { scratch_id, last_access_at } of evicted) {
      log.info({ scratch_id, last_access_at, policy }, 'evicted a scratchpad');
    }
    if (evicted.length > 0) deps.onEvicted?.(policy, evicted.length);
  }

  return {
    *evictExcess(db, padsCount, newId, notes, actor) {
      if (maxScratchpads === 0 || padsCount <= maxScratchpads) return [];
      const excess = padsCount - maxScratchpads;
      if (policy === 'fail' || excess > notebookLimits.removePadsCount) throw limitReached();
      yield* access.write(db, notes);
      const evicted = yield* evict(db, readBefore(db.now), newId, excess, actor);
      if (evicted.length < excess) throw limitReached();
      return evicted;
    },
    async evictBacklog(call) {
      if (maxScratchpads === 0 || policy === 'fail') return [];
      const totals = await storage.read(call, findTotals);
      if ((totals?.pads_count ?? 0) - maxScratchpads < notebookLimits.removePadsCount) return [];
      const countOf = (padsCount: number) => Math.min(notebookLimits.removePadsCount, padsCount - maxScratchpads);
      return await evictAll({ ...withoutKey(call), audit: 'none' }, readBefore(clock.now()), countOf);
    },
    preempt: (call) => evictAll(call, clock.now() - preemptAgeMs, () => notebookLimits.removePadsCount),
    report,
  };
}
