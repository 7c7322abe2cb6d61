import type { Call } from '../../../call.ts';
import type { Storage } from '../../../storage/port.ts';
import { searchLimits } from '../../search-limits.ts';
import { deleteChunk, deleteRows, deleteSegment, findHead, findOldestRow, listSweepable } from './segment-store.ts';

export interface SweepDeps {
  readonly storage: Storage;
  readonly collection: string;
  toCall(): Call;
}

/** Removes rows that are in segments, and segments that were replaced or never finished. Small writes, one after the other. */
export async function sweep(deps: SweepDeps): Promise<void> {
  await sweepRows(deps);
  await sweepSegments(deps);
}

async function sweepRows({ storage, collection, toCall }: SweepDeps): Promise<void> {
  const { merged, oldest } = await storage.read(toCall(), function* (db) {
    const head = yield* findHead(db, collection);
    const row = yield* findOldestRow(db, collection);
    return { merged: head?.merged ?? 0, oldest: row?.seq ?? Number.POSITIVE_INFINITY };
  });
  for (let from = oldest; from <= merged; from += searchLimits.tailPageCount) {
    const upTo = Math.min(merged, from + searchLimits.tailPageCount - 1);
    await storage.write(toCall(), function* (db) {
      yield* deleteRows(db, collection, upTo);
    });
  }
}

async function sweepSegments({ storage, collection, toCall }: SweepDeps): Promise<void> {
  // A write, because only a write knows the time by which the segments were marked.
  const old = await storage.write(toCall(), function* (db) {
    return yield* listSweepable(db, collection, db.now - searchLimits.droppedMs, db.now - searchLimits.buildingMs);
  });
  for (const { id, chunks } of old) {
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      await storage.write(toCall(), function* (db) {
        yield* deleteChunk(db, id, chunk);
      });
    }
    await storage.write(toCall(), function* (db) {
      yield* deleteSegment(db, collection, id);
    });
  }
}
