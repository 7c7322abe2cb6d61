import { type Call, withoutKey } from '#kernel/call.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import type { Documents } from '../../search/documents.ts';
import type { AccessNote } from '../access/access-notes.ts';
import type { Access } from '../access/flush-access.ts';
import { findTotals } from '../pad-store.ts';
import type { EvictionPolicy, PadsDeps } from '../pads-deps.ts';
import { overLimit } from '../rules/to-cell-row.ts';
import { leastRecentPads, takePad } from './pad-trash-store.ts';
import { clearPad } from './remove-pad.ts';

export interface Evicted {
  readonly scratch_id: string;
  readonly last_access_at: number;
}

export interface Eviction {
  /** Makes room for what is too many, in the write that brings the one too many, which itself stays. */
  makeRoom(
    db: Writer,
    padsCount: number,
    newId: string,
    notes: readonly AccessNote[],
    actor: string,
  ): Work<readonly Evicted[]>;
  /** Before such a write, when a limit was lowered: more pads have to go than one write can take. Answers who went. */
  thinOut(call: Call): Promise<readonly Evicted[]>;
  /** The pads that nobody has looked at for too long. */
  preempt(call: Call): Promise<readonly Evicted[]>;
  /** To be called after the commit. */
  tell(evicted: readonly Evicted[]): void;
}

type Deps = Pick<
  PadsDeps,
  'storage' | 'clock' | 'log' | 'maxScratchpads' | 'evictionPolicy' | 'preemptAgeMs' | 'onEvicted'
> & { readonly documents: Documents; readonly access: Access };

export function createEviction(deps: Deps): Eviction {
  const { storage, clock, log, maxScratchpads, preemptAgeMs, documents, access } = deps;
  const policy: EvictionPolicy = deps.evictionPolicy;

  const full = () =>
    overLimit(`there are ${maxScratchpads} scratchpads, as many as may be (eviction policy ${policy})`, maxScratchpads);

  function* evict(
    db: Writer,
    before: number,
    exceptId: string,
    count: number,
    actor: string,
  ): Work<readonly Evicted[]> {
    const evicted: Evicted[] = [];
    const documentIds: string[] = [];
    for (const found of yield* leastRecentPads(db, before, exceptId, count)) {
      const pad = yield* takePad(db, found.scratch_id);
      if (pad === undefined) continue;
      documentIds.push(...(yield* clearPad(db, pad, 'evict', actor)));
      evicted.push(found);
    }
    if (documentIds.length > 0) yield* documents.drop(db, documentIds);
    return evicted;
  }

  const oldestKeptAt = (now: number): number => (policy === 'preempt' ? now - preemptAgeMs : Number.MAX_SAFE_INTEGER);

  /** One write; answers who went. */
  async function evictSome(call: Call, before: number, countOf: (padsCount: number) => number) {
    const notes = access.pending(call.tenant);
    const evicted = await storage.write(call, function* (db) {
      yield* access.settle(db, notes);
      const totals = yield* findTotals(db);
      return yield* evict(db, before, '', countOf(totals?.pads_count ?? 0), call.actor);
    });
    access.settled(call.tenant, notes);
    return evicted;
  }

  async function evictAll(call: Call, before: number, countOf: (padsCount: number) => number) {
    const all: Evicted[] = [];
    while (!call.signal.aborted) {
      const evicted = await evictSome(call, before, countOf);
      tell(evicted);
      all.push(...evicted);
      if (evicted.length < notebookLimits.removePadsCount) break;
    }
    return all;
  }

  function tell(evicted: readonly Evicted[]): void {
    for (const { scratch_id, last_access_at } of evicted) {
      log.info({ scratch_id, last_access_at, policy }, 'a scratchpad was evicted');
    }
    if (evicted.length > 0) deps.onEvicted?.(policy, evicted.length);
  }

  return {
    *makeRoom(db, padsCount, newId, notes, actor) {
      if (maxScratchpads === 0 || padsCount <= maxScratchpads) return [];
      const excess = padsCount - maxScratchpads;
      if (policy === 'fail' || excess > notebookLimits.removePadsCount) throw full();
      yield* access.settle(db, notes);
      const evicted = yield* evict(db, oldestKeptAt(db.now), newId, excess, actor);
      if (evicted.length < excess) throw full();
      return evicted;
    },
    async thinOut(call) {
      if (maxScratchpads === 0 || policy === 'fail') return [];
      const totals = await storage.read(call, function* (db) {
        return yield* findTotals(db);
      });
      if ((totals?.pads_count ?? 0) - maxScratchpads < notebookLimits.removePadsCount) return [];
      const countOf = (padsCount: number) => Math.min(notebookLimits.removePadsCount, padsCount - maxScratchpads);
      return await evictAll({ ...withoutKey(call), audit: 'none' }, oldestKeptAt(clock.now()), countOf);
    },
    preempt: (call) => evictAll(call, clock.now() - preemptAgeMs, () => notebookLimits.removePadsCount),
    tell,
  };
}
