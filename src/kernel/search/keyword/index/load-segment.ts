import type { Call } from '../../../call.ts';
import { createPacer } from '../../../clock/yield-to-event-loop.ts';
import { sha256Hex } from '../../../hash/hash.ts';
import type { Storage } from '../../../storage/port.ts';
import { searchLimits } from '../../search-limits.ts';
import type { Segment } from '../segment/segment.ts';
import { decodeSegment } from '../segment/segment-bytes.ts';
import { findChunk, type SegmentRow } from './segment-store.ts';

/** What is stored of the index cannot be used: damaged, of another version, or outdated. Its documents have to be indexed again. */
export class UnreadableSegment extends Error {
  override readonly name = 'UnreadableSegment';
}

/** Undefined when a merge has replaced the segment and its chunks are gone: the list of segments has to be read again. */
export async function loadSegment(storage: Storage, call: Call, row: SegmentRow): Promise<Segment | undefined> {
  const bytes = new Uint8Array(row.bytes);
  let at = 0;
  const rest = createPacer(searchLimits.sliceMs);
  for (let i = 0; i < row.chunks; i += 1) {
    const chunk = await storage.read(call, function* (db) {
      return yield* findChunk(db, row.id, i);
    });
    if (chunk === undefined) return undefined;
    if (sha256Hex(chunk.bytes) !== chunk.hash || at + chunk.bytes.length > bytes.length) {
      throw new UnreadableSegment(`chunk ${i} of the search segment ${row.id} is damaged`);
    }
    bytes.set(chunk.bytes, at);
    at += chunk.bytes.length;
    await rest();
  }
  const segment = at === bytes.length ? decodeSegment(bytes) : undefined;
  if (segment === undefined) throw new UnreadableSegment(`the search segment ${row.id} is not of this version`);
  return segment;
}
