import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Log } from '#kernel/log/log.ts';
import type { OnDemandStorage } from '#kernel/storage/on-demand-storage.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { countRoots, sampleRoots } from './orphan-store.ts';

export const orphanLimits = {
  /** Entities that are looked at to estimate how many have no relationship. */
  orphanSampleCount: 2_000,
  /** How long that estimate is reused. */
  orphanTrustMs: 5 * 60_000,
} as const;

export interface OrphanCountDeps {
  readonly storage: Pick<OnDemandStorage, 'peek'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The tenants this process has served. */
  readonly tenants: () => Promise<readonly TenantId[]>;
}

/** Ids of entities are hashes, so the first of them are a random sample. */
export function* estimateOrphans(db: Reader, sampleCount: number = orphanLimits.orphanSampleCount): Work<number> {
  const { sampled, orphans } = (yield* sampleRoots(db, sampleCount))!;
  if (sampled < sampleCount) return orphans;
  const total = (yield* countRoots(db))?.count ?? sampled;
  return Math.round((orphans / sampled) * total);
}

/** Entities without a relationship. Undefined before the store was used, and while it cannot be read. */
export function createOrphanCount({ storage, clock, log, tenants }: OrphanCountDeps) {
  let last: { readonly atMs: number; readonly count: Promise<number | undefined> } | undefined;

  async function count(): Promise<number | undefined> {
    try {
      const opened = await storage.peek();
      if (opened === undefined) return undefined;
      let sum = 0;
      for (const tenant of await tenants())
        sum += await opened.read(systemCall('metrics', { tenant }), estimateOrphans);
      return sum;
    } catch (error) {
      log.warn({ err: error }, 'counting the entities without a relationship failed');
      return undefined;
    }
  }

  return async (): Promise<number | undefined> => {
    if (last === undefined || clock.now() - last.atMs >= orphanLimits.orphanTrustMs) {
      last = { atMs: clock.now(), count: count() };
      // Before the first use of the store there is nothing to keep.
      if ((await last.count) === undefined) last = undefined;
    }
    return last?.count;
  };
}
