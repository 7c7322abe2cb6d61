import type { TenantId } from '#kernel/call.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { FullPad } from '../notebook-model.ts';
import type { PadRow } from './pad-store.ts';

interface RecentPad {
  readonly pad: FullPad;
  readonly padKey: string;
  readonly bytes: number;
}

/** A cache of whole pads as they were last read. A cached pad is current if its revision and namespace are those of its row. */
export interface RecentPads {
  /** Does not check whether the pad is current. */
  peek(tenant: TenantId, scratchId: string): FullPad | undefined;
  find(tenant: TenantId, row: PadRow): FullPad | undefined;
  /** `bytes` is an estimate. */
  keep(tenant: TenantId, row: PadRow, pad: FullPad, bytes: number): void;
  forget(tenant: TenantId, scratchId: string): void;
  clear(): void;
}

const keyOf = (tenant: TenantId, scratchId: string): string => `${tenant}\n${scratchId}`;

export function createRecentPads(bytesMax: number = notebookLimits.recentPadsBytes): RecentPads {
  /** Oldest first. */
  const pads = new Map<string, RecentPad>();
  let usedBytes = 0;

  function drop(key: string): void {
    usedBytes -= pads.get(key)?.bytes ?? 0;
    pads.delete(key);
  }

  return {
    peek: (tenant, scratchId) => pads.get(keyOf(tenant, scratchId))?.pad,
    find(tenant, row) {
      const recent = pads.get(keyOf(tenant, row.scratch_id));
      if (recent === undefined || recent.padKey !== row.pad_key) return undefined;
      const { pad } = recent;
      return pad.revision === row.revision && pad.namespace === row.namespace ? pad : undefined;
    },
    keep(tenant, row, pad, bytes) {
      const key = keyOf(tenant, row.scratch_id);
      drop(key);
      if (bytes > notebookLimits.recentPadBytes) return;
      pads.set(key, { pad, padKey: row.pad_key, bytes });
      usedBytes += bytes;
      for (const oldest of pads.keys()) {
        if (usedBytes <= bytesMax) return;
        drop(oldest);
      }
    },
    forget: (tenant, scratchId) => drop(keyOf(tenant, scratchId)),
    clear() {
      pads.clear();
      usedBytes = 0;
    },
  };
}
