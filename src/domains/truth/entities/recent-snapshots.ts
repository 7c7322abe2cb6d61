import type { TenantId } from '#kernel/call.ts';
import { truthLimits } from '../truth-limits.ts';
import type { EntitySnapshot } from './entity-model.ts';

interface Recent {
  readonly snapshot: EntitySnapshot;
  readonly rootKey: string;
  readonly bytes: number;
}

/** Snapshots as they were last shown, by the id they were asked for with. */
export interface RecentSnapshots {
  peek(tenant: TenantId, entityId: string): EntitySnapshot | undefined;
  /** Moves whenever something is forgotten: what was read before that may be old already. */
  mark(): number;
  /** Nothing happens when the mark has moved since the snapshot was read. */
  keep(tenant: TenantId, askedId: string, snapshot: EntitySnapshot, mark: number): void;
  /** What was asked for with this id, and everything that counts for it. */
  forget(tenant: TenantId, entityId: string): void;
  clear(): void;
}

const keyOf = (tenant: TenantId, entityId: string): string => `${tenant}\n${entityId}`;

/** Characters of its JSON; objects take about twice as many bytes. */
const bytesOf = (snapshot: EntitySnapshot): number => JSON.stringify(snapshot).length * 2;

export function createRecentSnapshots(bytesMax: number = truthLimits.recentSnapshotsBytes): RecentSnapshots {
  /** The oldest first. */
  const kept = new Map<string, Recent>();
  /** Of a root: the keys of what was asked for with the ids of entities that are merged into it. */
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
    peek: (tenant, entityId) => kept.get(keyOf(tenant, entityId))?.snapshot,
    mark: () => marked,
    keep(tenant, askedId, snapshot, mark) {
      if (mark !== marked) return;
      const key = keyOf(tenant, askedId);
      drop(key);
      const bytes = bytesOf(snapshot);
      if (bytes > truthLimits.recentSnapshotBytes) return;
      const rootKey = keyOf(tenant, snapshot.entity_id);
      kept.set(key, { snapshot, rootKey, bytes });
      heldBytes += bytes;
      if (rootKey !== key) redirected.set(rootKey, (redirected.get(rootKey) ?? new Set()).add(key));
      for (const oldest of kept.keys()) {
        if (heldBytes <= bytesMax) return;
        drop(oldest);
      }
    },
    forget(tenant, entityId) {
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
