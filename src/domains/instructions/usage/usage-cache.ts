import type { TenantId } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { UsageCount } from './usage.ts';

export type UsageCounts = ReadonlyMap<string, UsageCount>;

/** Counts that were read and that nobody has changed since: every `get` shows one, and few of them move. */
export interface UsageCache {
  /** Undefined: one of them at least is not known here. */
  find(tenant: TenantId, ids: readonly string[]): UsageCounts | undefined;
  /** To be asked before the store is, and called with what the store said. */
  beginRead(tenant: TenantId, ids: readonly string[]): (found: UsageCounts) => void;
  /** This process has counted: what was read before does not hold. */
  clear(): void;
}

const none: UsageCounts = new Map();

/**
 * All of them are forgotten when anybody commits anything. This process knows that at once; of another process the store
 * hears within a fifth of a second. PostgreSQL tells only of commits that change an item, so nothing is kept there.
 */
export function createUsageCache(storage: Pick<Storage, 'capabilities' | 'watch'>): UsageCache {
  const tenants = new Map<TenantId, Map<string, UsageCount | undefined>>();
  const { watchesEveryCommit } = storage.capabilities;
  let isWatching = false;
  let idsCount = 0;
  /** Moves with every commit: what was read across one may be from before it. */
  let turn = 0;

  function clear(): void {
    turn += 1;
    idsCount = 0;
    tenants.clear();
  }

  return {
    find(tenant, ids) {
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
    beginRead(tenant, ids) {
      // Before the first question: a commit after it is told of.
      if (!isWatching && watchesEveryCommit) storage.watch(clear);
      isWatching = true;
      const before = turn;
      return (found) => {
        if (turn !== before || !watchesEveryCommit) return;
        if (idsCount + ids.length > instructionLimits.cachedCountsCount) clear();
        const known = tenants.get(tenant) ?? new Map<string, UsageCount | undefined>();
        tenants.set(tenant, known);
        for (const id of ids) known.set(id, found.get(id));
        idsCount += ids.length;
      };
    },
    clear,
  };
}
