import type { TenantId } from '#kernel/call.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { forEachTenant } from '#kernel/jobs/tenants.ts';
import { limits } from '#kernel/limits.ts';
import { dropChangesOfPad, dropChangesUpTo, findHistoryBytes, findOldDeletion } from '../history/history-store.ts';
import { countDropped, dropOldest } from '../history/record-change.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { PadContext } from './pad-context.ts';
import { deleteRemoval, deleteSchemas, deleteSomeCells, oldRemovals } from './pad-trash-store.ts';

const dayMs = 86_400_000;

type JobDeps = Pick<PadContext, 'storage' | 'eviction' | 'evictionPolicy' | 'preemptIntervalMs'>;

/** `tenants`: all that may have pads. */
export function createPadJobs(
  { storage, eviction, evictionPolicy, preemptIntervalMs }: JobDeps,
  tenants: () => Promise<readonly TenantId[]>,
): readonly PeriodicJob[] {
  /** Deletes one batch of expired contents; false when nothing is left. */
  const purgeSome = (tenant: TenantId, signal: AbortSignal): Promise<boolean> =>
    storage.write(systemCall('jobs/notebook-purge', { tenant, signal }), function* (db) {
      const [oldest] = yield* oldRemovals(db, db.now - limits.trashDays * dayMs, 1);
      if (oldest === undefined) return false;
      const count = yield* deleteSomeCells(db, oldest.pad_key, notebookLimits.purgeCellsCount);
      if (count === notebookLimits.purgeCellsCount) return true;
      const changes = yield* dropChangesOfPad(db, oldest.pad_key, notebookLimits.purgeCellsCount);
      yield* countDropped(db, changes);
      if (changes.length === notebookLimits.purgeCellsCount) return true;
      yield* deleteSchemas(db, oldest.pad_key);
      yield* deleteRemoval(db, oldest.pad_key);
      return true;
    });

  /** Forgets one deleted cell that can no longer be restored, or else reduces a history that is too long. */
  const forgetSome = (tenant: TenantId, signal: AbortSignal): Promise<boolean> =>
    storage.write(systemCall('jobs/notebook-purge', { tenant, signal }), function* (db) {
      const deletion = yield* findOldDeletion(db, db.now - limits.trashDays * dayMs);
      if (deletion !== undefined) {
        const { pad_key, cell_id, number } = deletion;
        yield* countDropped(db, yield* dropChangesUpTo(db, pad_key, cell_id, number));
        return true;
      }
      const bytes = (yield* findHistoryBytes(db))?.history_bytes ?? 0;
      if (bytes <= notebookLimits.historyBytes) return false;
      yield* dropOldest(db);
      return true;
    });

  const purge: PeriodicJob = {
    name: 'notebook-purge',
    everyMs: notebookLimits.purgeEveryMs,
    run: forEachTenant(tenants, async (tenant, signal) => {
      while (!signal.aborted && (await purgeSome(tenant, signal)));
      while (!signal.aborted && (await forgetSome(tenant, signal)));
    }),
  };
  if (evictionPolicy !== 'preempt') return [purge];
  const preempt: PeriodicJob = {
    name: 'notebook-preempt',
    everyMs: preemptIntervalMs,
    run: forEachTenant(tenants, async (tenant, signal) => {
      await eviction.preempt(systemCall('jobs/notebook-preempt', { tenant, signal }));
    }),
  };
  return [purge, preempt];
}
