import type { TenantId } from '../call.ts';
import type { Change, Storage } from './port.ts';

interface TrackedPosition {
  /** Every change up to this one was reported. */
  readonly seq: number;
  /** The store's stamp before the last read of the change log. */
  readonly stamp: number;
}

/**
 * Keeps in-memory caches correct without a query per item. While the store's stamp stays the same, nothing was
 * committed. When it moves, the change log shows what changed.
 */
export interface ChangeTracker {
  /** True if every change so far was reported. */
  isCurrent(tenant: TenantId): boolean;
  /**
   * Reports the changes since the last call. False: the store has no stamp, so the caller must read each item from it.
   */
  catchUp(tenant: TenantId): Promise<boolean>;
}

export interface ChangeListener {
  changed(tenant: TenantId, change: Pick<Change, 'topic' | 'id'>): void;
  /** Changes may have been missed: every cached item is stale. */
  lost(): void;
}

export interface ChangeTrackerLimits {
  readonly followedTenantsCount: number;
  /** Changes per read of the change log. */
  readonly followedChangesCount: number;
}

export function createChangeTracker(
  storage: Pick<Storage, 'stamp' | 'version' | 'changesSince'>,
  listener: ChangeListener,
  { followedTenantsCount, followedChangesCount }: ChangeTrackerLimits,
): ChangeTracker {
  const places = new Map<TenantId, TrackedPosition>();

  /** Nothing to report at first: items cached from now on are read after this point. */
  async function begin(tenant: TenantId, stamp: number): Promise<void> {
    const seq = await storage.version(tenant, undefined);
    if (places.size >= followedTenantsCount) {
      places.clear();
      listener.lost();
    }
    places.set(tenant, { seq, stamp });
  }

  return {
    isCurrent(tenant) {
      const place = places.get(tenant);
      return place !== undefined && place.stamp === storage.stamp();
    },
    async catchUp(tenant) {
      // Read before the log: a commit during the read moves the stamp again.
      const stamp = storage.stamp();
      if (stamp === undefined) return false;
      const place = places.get(tenant);
      if (place === undefined) {
        await begin(tenant, stamp);
        return true;
      }
      let { seq } = place;
      for (;;) {
        const changes = await storage.changesSince(tenant, undefined, seq, followedChangesCount);
        for (const change of changes) listener.changed(tenant, change);
        seq = changes.at(-1)?.seq ?? seq;
        if (changes.length < followedChangesCount) break;
      }
      places.set(tenant, { seq, stamp });
      return true;
    },
  };
}
