import { localTenant, type TenantId } from '../call.ts';
import type { Clock } from '../clock/clock.ts';
import { limits } from '../limits.ts';
import type { Step, Storage, Writer } from '../storage/port.ts';
import { countKeys, deleteOldestKeys, deleteOldestTrash } from './job-store.ts';
import type { PeriodicJob } from './jobs.ts';
import { systemCall } from './system-call.ts';
import { forEachTenant } from './tenants.ts';

const sweepLimits = {
  /** Rows deleted per write, so that the lock is held for a few milliseconds only. */
  sweepRowsCount: 500,
  sweepEveryMs: 3_600_000,
} as const;

export interface SweepsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  /** All tenants that may have rows. */
  readonly tenants?: () => Promise<readonly TenantId[]>;
}

const dayMs = 86_400_000;
const everyTenant = async (): Promise<readonly TenantId[]> => [localTenant];

/** Deletes expired rows: idempotency keys and trash. */
export function createSweeps({ storage, clock, tenants = everyTenant }: SweepsDeps): readonly PeriodicJob[] {
  /** Deletes up to `max` rows, some per write, until none is left or the signal aborts. */
  async function deleteInChunks(
    tool: string,
    tenant: TenantId,
    max: number,
    signal: AbortSignal,
    deleteChunk: (db: Writer, limit: number) => Step<number>,
  ): Promise<void> {
    for (let left = max; left > 0 && !signal.aborted; ) {
      const limit = Math.min(left, sweepLimits.sweepRowsCount);
      const count = await storage.write(systemCall(tool, { tenant, signal }), (db) => deleteChunk(db, limit));
      if (count < limit) return;
      left -= count;
    }
  }

  async function sweepKeys(tenant: TenantId, signal: AbortSignal): Promise<void> {
    const tool = 'jobs/sweep-keys';
    const before = clock.now() - limits.idempotencyKeyDays * dayMs;
    await deleteInChunks(tool, tenant, Number.POSITIVE_INFINITY, signal, (db, limit) =>
      deleteOldestKeys(db, before, limit),
    );
    const found = await storage.read(systemCall(tool, { tenant, signal }), countKeys);
    const excess = Number(found?.count ?? 0) - limits.idempotencyKeysCount;
    await deleteInChunks(tool, tenant, excess, signal, (db, limit) =>
      deleteOldestKeys(db, Number.MAX_SAFE_INTEGER, limit),
    );
  }

  async function sweepTrash(tenant: TenantId, signal: AbortSignal): Promise<void> {
    const before = clock.now() - limits.trashDays * dayMs;
    await deleteInChunks('jobs/sweep-trash', tenant, Number.POSITIVE_INFINITY, signal, (db, limit) =>
      deleteOldestTrash(db, before, limit),
    );
  }

  return [
    { name: 'sweep-keys', everyMs: sweepLimits.sweepEveryMs, run: forEachTenant(tenants, sweepKeys) },
    { name: 'sweep-trash', everyMs: sweepLimits.sweepEveryMs, run: forEachTenant(tenants, sweepTrash) },
  ];
}
