import type { Call, TenantId } from '../../../call.ts';
import type { Storage } from '../../../storage/port.ts';
import { searchLimits } from '../../search-limits.ts';
import { type Arena, createArena } from './arena.ts';
import { createVectorShelf, type VectorShelf } from './vector-shelf.ts';
import type { VectorTable } from './vector-table.ts';

export interface VectorPlace {
  readonly tenant: TenantId;
  readonly collection: string;
  readonly model: string;
  readonly dimension: number;
}

export interface VectorShelves {
  /** Asks the vectors of one place, as they are now. Then those that were not asked for the longest leave the memory. */
  ask<T>(place: VectorPlace, question: (table: VectorTable) => T): Promise<T>;
  byteCount(): number;
}

export interface VectorShelvesDeps {
  readonly storage: Storage;
  readonly cacheBytes?: number;
  toCall(tenant: TenantId): Call;
}

interface Kept {
  readonly shelf: VectorShelf;
  /** Questions under way: what is in use is not given back. */
  askedCount: number;
}

export function createVectorShelves(deps: VectorShelvesDeps): VectorShelves {
  const { storage, toCall, cacheBytes = searchLimits.vectorCacheBytes } = deps;
  /** The one used last is the last. */
  const shelves = new Map<string, Kept>();
  let arena: Arena | undefined;

  function of({ tenant, collection, model, dimension }: VectorPlace): Kept {
    const key = [tenant, collection, model, dimension].join('\0');
    arena ??= createArena();
    const kept = shelves.get(key) ?? {
      shelf: createVectorShelf({ storage, arena, collection, model, dimension, toCall: () => toCall(tenant) }),
      askedCount: 0,
    };
    shelves.delete(key);
    shelves.set(key, kept);
    return kept;
  }

  const byteCount = () => {
    let sum = 0;
    for (const { shelf } of shelves.values()) sum += shelf.byteCount();
    return sum;
  };

  /** The last one stays in any case: to read a large one again for each search would cost far more than its memory. */
  function evict(): void {
    let sum = byteCount();
    for (const [key, { shelf, askedCount }] of shelves) {
      if (sum <= cacheBytes || shelves.size === 1) return;
      if (askedCount > 0) continue;
      sum -= shelf.byteCount();
      shelf.clear();
      shelves.delete(key);
    }
  }

  return {
    async ask(place, question) {
      const kept = of(place);
      kept.askedCount += 1;
      try {
        return question(await kept.shelf.refresh());
      } finally {
        kept.askedCount -= 1;
        evict();
      }
    },
    byteCount,
  };
}
