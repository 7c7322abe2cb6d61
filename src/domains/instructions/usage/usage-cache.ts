import type { TenantId } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { UsageCount } from './usage.ts';

export type UsageCounts = ReadonlyMap<string, UsageCount>;

const none: UsageCounts = new Map();

/**
 * Counts that did not change since they were read: every `get` shows one, and few change.
 *
 * Every commit clears the cache: own commits immediately, those of other processes within a fifth of a second.
 * PostgreSQL reports only commits that change an item, so nothing is cached there.
 */
export function createUsageCache(storage: Pick<Storage, 'capabilities' | 'watch'>) {
  const tenants = new Map<TenantId, Map<string, UsageCount | undefined>>();
  const watchesEveryCommit = () => storage.capabilities.watchesEveryCommit;
  let isWatching = false;
  let idsCount = 0;
  /** Increases with every commit: a read that spans a commit may be stale. */
  let turn = 0;

  function clear(): void {
    turn += 1;
    idsCount = 0;
    tenants.clear();
  }

  return {
    /** Undefined when one of them is not cached. */
    find(tenant: TenantId, ids: readonly string[]): UsageCounts | undefined {
      const known = tenants.get(tenant);
      if (known === undefined) return undefined;
      let counts: Map<string, UsageCount> | undefined;
      for (const id of ids) {
        const count = known.get(id);
        if (count !== undefined) {
          counts ??= new Map();
          counts.set(id, count);
        } else if (!known.has(id)) return undefined;
      }
      return counts ?? none;
    },
    /** Call before reading from the store; pass what was read to the returned function. */
    beginRead(tenant: TenantId, ids: readonly string[]) {
      // Before the first read, so that no later commit is missed.
      if (!isWatching && watchesEveryCommit()) storage.watch(clear);
      isWatching = true;
      const before = turn;
      return (found: UsageCounts): void => {
        if (turn !== before || !watchesEveryCommit()) return;
        if (idsCount + ids.length > instructionLimits.cachedCountsCount) clear();
        const known = tenants.get(tenant) ?? new Map<string, UsageCount | undefined>();
        tenants.set(tenant, known);
        for (const id of ids) known.set(id, found.get(id));
        idsCount += ids.length;
      };
    },
    /** For writes of this process. */
    clear,
  };
}
