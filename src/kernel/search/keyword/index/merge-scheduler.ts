import type { TenantId } from '../../../call.ts';
import { yieldToEventLoop } from '../../../clock/yield-to-event-loop.ts';
import type { Log } from '../../../log/log.ts';
import type { Collection } from '../../collection.ts';
import type { Tuning } from '../../search-limits.ts';
import { searchLimits } from '../../search-limits.ts';
import type { IndexMaintenance } from './index-maintenance.ts';
import { keyOf } from './tenant-index.ts';

export interface MergeSchedulerDeps {
  readonly maintenance: IndexMaintenance;
  readonly tuning: Tuning;
  readonly log: Log;
  readonly closing: AbortSignal;
}

/** Decides when a collection is merged and swept in the background. */
export function createMergeScheduler({ maintenance, tuning, log, closing }: MergeSchedulerDeps) {
  const pending = new Map<string, Promise<void>>();
  const sweeps = new Map<string, NodeJS.Timeout>();
  const noted = new Map<string, { count: number; chars: number }>();
  /** When to retry a collection that failed or is leased by another process. */
  const retryAt = new Map<string, number>();

  closing.addEventListener('abort', () => {
    for (const timer of sweeps.values()) clearTimeout(timer);
  });

  async function maintain(tenant: TenantId, collection: Collection, key: string): Promise<void> {
    // Not immediately: the caller may be inside a transaction.
    await yieldToEventLoop();
    pending.delete(key);
    try {
      const outcome = await maintenance.maintain(tenant, collection);
      if (outcome === 'changed') scheduleSweep(tenant, collection);
      if (outcome !== 'elsewhere') return;
    } catch (error) {
      if (closing.aborted) return;
      log.warn({ collection: collection.name, reason: String(error) }, 'could not merge the search index');
    }
    retryAt.set(key, performance.now() + searchLimits.mergeRetryMs);
  }

  /** Runs soon, unless the last attempt failed a moment ago. */
  function schedule(tenant: TenantId, collection: Collection): void {
    const key = keyOf(tenant, collection);
    if (closing.aborted || pending.has(key) || performance.now() < (retryAt.get(key) ?? 0)) return;
    retryAt.delete(key);
    pending.set(key, maintain(tenant, collection, key));
  }

  /** Runs again once the segments that a merge replaced may be swept. */
  function scheduleSweep(tenant: TenantId, collection: Collection): void {
    const key = keyOf(tenant, collection);
    if (closing.aborted || sweeps.has(key)) return;
    const timer = setTimeout(() => {
      sweeps.delete(key);
      schedule(tenant, collection);
    }, searchLimits.droppedMs);
    sweeps.set(key, timer.unref());
  }

  return {
    /** Counts writes, so that a long tail is merged even if no search happens. */
    note(tenant: TenantId, collection: Collection, count: number, chars: number) {
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
    scheduleSweep,
    async settle() {
      while (pending.size > 0) await Promise.all(pending.values());
      await maintenance.settle();
    },
  };
}
