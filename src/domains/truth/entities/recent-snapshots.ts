import type { TenantId } from '#kernel/call.ts';
import { truthLimits } from '../truth-limits.ts';
import type { EntitySnapshot } from './entity-model.ts';

interface CachedSnapshot {
  readonly snapshot: EntitySnapshot;
  /** It holds until then; null: until something is written. */
  readonly nextChangeAt: number | null;
  readonly rootKey: string;
  readonly bytes: number;
}

type NewSnapshot = Pick<CachedSnapshot, 'snapshot' | 'nextChangeAt'>;

const keyOf = (tenant: TenantId, entityId: string): string => `${tenant}\n${entityId}`;

/** An object takes about two bytes per character of its JSON. */
const bytesOf = (snapshot: EntitySnapshot): number => JSON.stringify(snapshot).length * 2;

/** A cache of snapshots, by requested id. */
export function createRecentSnapshots(bytesMax: number = truthLimits.recentSnapshotsBytes) {
  /** Oldest first. */
  const kept = new Map<string, CachedSnapshot>();
  /** Root key → keys of the snapshots that redirect to it. */
  const redirected = new Map<string, Set<string>>();
  let heldBytes = 0;
  let marked = 0;

  function drop(key: string): void {
    const recent = kept.get(key);
    if (recent === undefined) return;
    kept.delete(key);
    heldBytes -= recent.bytes;
    const others = redirected.get(recent.rootKey);
    if (others?.delete(key) && others.size === 0) redirected.delete(recent.rootKey);
  }

  return {
    peek(tenant: TenantId, entityId: string, now: number): EntitySnapshot | undefined {
      const cached = kept.get(keyOf(tenant, entityId));
      if (cached === undefined) return undefined;
      return cached.nextChangeAt === null || cached.nextChangeAt > now ? cached.snapshot : undefined;
    },
    /** Increases with every invalidation: a snapshot read before it may be outdated. */
    mark: () => marked,
    /** Ignored if the mark has changed since the snapshot was read. */
    keep(tenant: TenantId, askedId: string, { snapshot, nextChangeAt }: NewSnapshot, mark: number) {
      if (mark !== marked) return;
      const key = keyOf(tenant, askedId);
      drop(key);
      const bytes = bytesOf(snapshot);
      if (bytes > truthLimits.recentSnapshotBytes) return;
      const rootKey = keyOf(tenant, snapshot.entity_id);
      kept.set(key, { snapshot, nextChangeAt, rootKey, bytes });
      heldBytes += bytes;
      if (rootKey !== key) redirected.set(rootKey, (redirected.get(rootKey) ?? new Set()).add(key));
      for (const oldest of kept.keys()) {
        if (heldBytes <= bytesMax) return;
        drop(oldest);
      }
    },
    /** Drops the snapshots of this entity and those redirected to it. */
    forget(tenant: TenantId, entityId: string) {
      marked += 1;
      const key = keyOf(tenant, entityId);
      drop(key);
      for (const other of [...(redirected.get(key) ?? [])]) drop(other);
    },
    clear() {
      marked += 1;
      kept.clear();
      redirected.clear();
      heldBytes = 0;
    },
  };
}
