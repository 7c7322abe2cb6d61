import type { TenantId } from '#kernel/call.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { FullPad } from '../notebook-model.ts';
import type { PadRow } from './pad-store.ts';

interface Recent {
  readonly pad: FullPad;
  readonly padKey: string;
  readonly bytes: number;
}

/**
 * Whole pads as they were last shown. The row of a pad is read each time and says whether it still is what is here: every
 * change of what is in a pad moves its revision, and only the name of its namespace can change beside it.
 */
export interface RecentPads {
  /** As it is here, for whoever knows that nothing was changed since. */
  peek(tenant: TenantId, scratchId: string): FullPad | undefined;
  find(tenant: TenantId, row: PadRow): FullPad | undefined;
  /** `bytes`: about what it takes. */
  keep(tenant: TenantId, row: PadRow, pad: FullPad, bytes: number): void;
  forget(tenant: TenantId, scratchId: string): void;
  clear(): void;
}

const keyOf = (tenant: TenantId, scratchId: string): string => `${tenant}\n${scratchId}`;

export function createRecentPads(bytesMax: number = notebookLimits.recentPadsBytes): RecentPads {
  /** The oldest first. */
  const kept = new Map<string, Recent>();
  let heldBytes = 0;

  function drop(key: string): void {
    heldBytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  return {
    peek: (tenant, scratchId) => kept.get(keyOf(tenant, scratchId))?.pad,
    find(tenant, row) {
      const recent = kept.get(keyOf(tenant, row.scratch_id));
      if (recent === undefined || recent.padKey !== row.pad_key) return undefined;
      const { pad } = recent;
      return pad.revision === row.revision && pad.namespace === row.namespace ? pad : undefined;
    },
    keep(tenant, row, pad, bytes) {
      const key = keyOf(tenant, row.scratch_id);
      drop(key);
      if (bytes > notebookLimits.recentPadBytes) return;
      kept.set(key, { pad, padKey: row.pad_key, bytes });
      heldBytes += bytes;
      for (const oldest of kept.keys()) {
        if (heldBytes <= bytesMax) return;
        drop(oldest);
      }
    },
    forget: (tenant, scratchId) => drop(keyOf(tenant, scratchId)),
    clear() {
      kept.clear();
      heldBytes = 0;
    },
  };
}
