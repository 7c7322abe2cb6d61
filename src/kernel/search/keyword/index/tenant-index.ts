import type { Call, TenantId } from '../../../call.ts';
import type { Reader, Storage, Work } from '../../../storage/port.ts';
import type { Collection } from '../../collection.ts';
import type { Tuning } from '../../search-limits.ts';
import { searchLimits } from '../../search-limits.ts';
import type { StemOf } from '../../stemmer.ts';
import type { Segment } from '../segment/segment.ts';
import { coalesce } from './coalesce.ts';
import { loadSegment, UnreadableSegment } from './segment-io.ts';
import { type EntriesRow, findHead, type HeadRow, listRows, listSegments, type SegmentRow } from './segment-store.ts';
import { addToTail } from './tail.ts';
import { byteCountOf, createStoredPart, emptyView, type StoredPart, type View } from './view.ts';

export interface TenantIndexDeps {
  readonly storage: Storage;
  readonly collection: Collection;
  readonly stemOf: StemOf;
  readonly tuning: Tuning;
  /** The index reads under its own call, because many callers share the result. */
  toCall(): Call;
}

/** One collection of one tenant, as this process knows it. */
export interface TenantIndex {
  /** Sees everything acknowledged before the call. Reads only what is new. */
  refresh(): Promise<View>;
  /** The current view if the store has not changed since; undefined if it has or cannot tell. */
  asOf(stamp: number | undefined): View | undefined;
  /** Hands over a segment that this process has just written, to save reading it back. */
  adopt(id: string, segment: Segment): void;
  byteCount(): number;
}

interface Delta {
  /** Its `seq` is that of the last row read. */
  readonly head: HeadRow;
  /** Undefined if the segments have not changed. */
  readonly segments: readonly SegmentRow[] | undefined;
  readonly rows: readonly EntriesRow[];
  /** A long tail takes several reads. */
  readonly hasMore: boolean;
}

const noHead: HeadRow = { seq: 0, merged: 0, generation: 0 };

function createTenantIndex({ storage, collection, stemOf, tuning, toCall }: TenantIndexDeps): TenantIndex {
  let view: View = emptyView;
  /** The store's stamp when the view was last complete. */
  let stampOfView: number | undefined;
  const adopted = new Map<string, Segment>();

  /** Undefined if nothing has changed. */
  function* readDelta(db: Reader): Work<Delta | undefined> {
    const head = (yield* findHead(db, collection.name)) ?? noHead;
    // A lower number means that the store was emptied or restored: the view is void.
    const isSameGeneration = head.generation === view.generation && head.seq >= view.seq;
    if (isSameGeneration && head.seq === view.seq) return undefined;
    if (head.merged < 0) throw new UnreadableSegment('documents were changed without the search index');
    const segments = isSameGeneration ? undefined : yield* listSegments(db, collection.name);
    const rows: EntriesRow[] = [];
    let seq = isSameGeneration ? view.seq : head.merged;
    for (let page = 0; page < searchLimits.tailPagesCount && seq < head.seq; page += 1) {
      rows.push(...(yield* listRows(db, collection.name, seq, searchLimits.tailPageCount)));
      // Skip missing rows, or they would be requested again and again.
      seq = rows.length === (page + 1) * searchLimits.tailPageCount ? rows.at(-1)!.seq : head.seq;
    }
    return { head: { ...head, seq }, segments, rows, hasMore: seq < head.seq };
  }

  /** Undefined if one of them was replaced in the meantime. */
  async function toStoredParts(call: Call, rows: readonly SegmentRow[]): Promise<readonly StoredPart[] | undefined> {
    const known = new Map(view.stored.map((part) => [part.id, part.segment]));
    const parts: StoredPart[] = [];
    for (const row of rows) {
      const segment = known.get(row.id) ?? adopted.get(row.id) ?? (await loadSegment(storage, call, row));
      if (segment === undefined) return undefined;
      parts.push(
        createStoredPart(collection, row.id, segment, row.dead === null ? undefined : new Uint8Array(row.dead)),
      );
    }
    adopted.clear();
    return parts;
  }

  async function refresh(): Promise<View> {
    // Taken before reading: a later commit changes the stamp again.
    const stamp = storage.stamp();
    await readOn();
    stampOfView = stamp;
    return view;
  }

  async function readOn(): Promise<void> {
    for (let failedGeneration = -1; ; ) {
      const call = toCall();
      const delta = await storage.read(call, readDelta);
      if (delta === undefined) return;
      const { head, segments, rows } = delta;
      const stored = segments === undefined ? view.stored : await toStoredParts(call, segments);
      if (stored === undefined) {
        if (failedGeneration === head.generation) throw new UnreadableSegment('a search segment has a missing chunk');
        failedGeneration = head.generation;
        continue;
      }
      const base = segments === undefined ? view : emptyView;
      view = await addToTail({ ...base, ...head, stored }, rows, { collection, stemOf, tuning });
      if (!delta.hasMore) return;
    }
  }

  return {
    refresh: coalesce(refresh),
    asOf: (stamp) => (stamp !== undefined && stamp === stampOfView ? view : undefined),
    adopt: (id, segment) => void adopted.set(id, segment),
    byteCount: () => searchLimits.emptyIndexBytes + byteCountOf(view),
  };
}

export const keyOf = (tenant: TenantId, collection: Collection): string => `${tenant}\0${collection.name}`;

export type TenantIndexes = ReturnType<typeof createTenantIndexes>;

export interface TenantIndexesDeps {
  readonly storage: Storage;
  readonly stemOf: StemOf;
  readonly tuning: Tuning;
  toCall(tenant: TenantId): Call;
}

export function createTenantIndexes({ storage, stemOf, tuning, toCall }: TenantIndexesDeps) {
  /** Least recently used first. */
  const indexes = new Map<string, TenantIndex>();
  let last: { readonly tenant: TenantId; readonly collection: Collection; readonly index: TenantIndex } | undefined;

  const byteCount = () => {
    let sum = 0;
    for (const index of indexes.values()) sum += index.byteCount();
    return sum;
  };

  return {
    of(tenant: TenantId, collection: Collection): TenantIndex {
      if (last?.tenant === tenant && last.collection === collection) return last.index;
      const key = keyOf(tenant, collection);
      const index =
        indexes.get(key) ?? createTenantIndex({ storage, collection, stemOf, tuning, toCall: () => toCall(tenant) });
      indexes.delete(key);
      indexes.set(key, index);
      last = { tenant, collection, index };
      return index;
    },
    /**
     * Drops the least recently used collections until the rest fits into memory. Keeps the last one: reading a large
     * index for each search would cost far more than its memory.
     */
    evict() {
      let sum = byteCount();
      for (const [key, index] of indexes) {
        if (sum <= tuning.cacheBytes || indexes.size === 1) return;
        sum -= index.byteCount();
        indexes.delete(key);
      }
    },
    byteCount,
  };
}
