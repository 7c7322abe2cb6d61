import type { Call, TenantId } from '../../../call.ts';
import type { Storage } from '../../../storage/port.ts';
import type { Collection } from '../../collection.ts';
import type { StemOf } from '../../stemmer.ts';
import { createShelf, type Shelf } from './shelf.ts';
import type { Tuning } from './tuning.ts';

export const keyOf = (tenant: TenantId, collection: Collection): string => `${tenant}\0${collection.name}`;

export interface Shelves {
  of(tenant: TenantId, collection: Collection): Shelf;
  /**
   * Forgets the collections that were not asked for the longest, until the rest fits into memory. The last one stays in
   * any case: to read a large one again for each search would cost far more than its memory.
   */
  evict(): void;
  byteCount(): number;
}

export interface ShelvesDeps {
  readonly storage: Storage;
  readonly stemOf: StemOf;
  readonly tuning: Tuning;
  toCall(tenant: TenantId): Call;
}

export function createShelves({ storage, stemOf, tuning, toCall }: ShelvesDeps): Shelves {
  /** The one used last is the last. */
  const shelves = new Map<string, Shelf>();
  let last: { readonly tenant: TenantId; readonly collection: Collection; readonly shelf: Shelf } | undefined;

  const byteCount = () => {
    let sum = 0;
    for (const shelf of shelves.values()) sum += shelf.byteCount();
    return sum;
  };

  return {
    of(tenant, collection) {
      if (last?.tenant === tenant && last.collection === collection) return last.shelf;
      const key = keyOf(tenant, collection);
      const shelf =
        shelves.get(key) ?? createShelf({ storage, collection, stemOf, tuning, toCall: () => toCall(tenant) });
      shelves.delete(key);
      shelves.set(key, shelf);
      last = { tenant, collection, shelf };
      return shelf;
    },
    evict() {
      let sum = byteCount();
      for (const [key, shelf] of shelves) {
        if (sum <= tuning.cacheBytes || shelves.size === 1) return;
        sum -= shelf.byteCount();
        shelves.delete(key);
      }
    },
    byteCount,
  };
}
