import type { TenantId } from '../call.ts';
import type { Change, Storage } from './port.ts';

interface Place {
  /** Every change up to here has been told. */
  readonly seq: number;
  /** Of the store, when it was last asked for changes. */
  readonly stamp: number;
}

/**
 * Keeps what is in memory true without asking for each item: as long as the store's stamp stands still nothing was
 * committed by anyone, and when it has moved the change log says what.
 */
export interface ChangeTracker {
  /** Whether everything that was changed up to now has been told. */
  isCurrent(tenant: TenantId): boolean;
  /** Hears of what was changed. False: this store has no stamp, and each item must be asked for. */
  catchUp(tenant: TenantId): Promise<boolean>;
}

export interface ChangeListener {
  changed(tenant: TenantId, change: Pick<Change, 'topic' | 'id'>): void;
  /** Changes may have been missed: nothing that is remembered is sure. */
  lost(): void;
}

export interface ChangeTrackerLimits {
  /** Whose changes are followed at a time. */
  readonly followedTenantsCount: number;
  /** How many of them are asked for at once. */
  readonly followedChangesCount: number;
}

export function createChangeTracker(
  storage: Pick<Storage, 'stamp' | 'version' | 'changesSince'>,
  listener: ChangeListener,
  { followedTenantsCount, followedChangesCount }: ChangeTrackerLimits,
): ChangeTracker {
  const places = new Map<TenantId, Place>();

  /** The first time there is nothing to tell: what is remembered later is read later. */
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
      // Before the question: a commit after it moves the stamp once more.
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
