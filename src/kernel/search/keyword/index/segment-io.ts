import type { Call } from '../../../call.ts';
import { createPacer } from '../../../clock/yield-to-event-loop.ts';
import { sha256Hex } from '../../../hash/hash.ts';
import type { Ids } from '../../../ids/ids.ts';
import type { Storage, Work, Writer } from '../../../storage/port.ts';
import { searchLimits } from '../../search-limits.ts';
import type { Segment } from '../segment/segment.ts';
import { decodeSegment, encodedBytes, encodeSegment } from '../segment/segment-bytes.ts';
import {
  findChunk,
  insertBuilding,
  insertChunk,
  makeDropped,
  makeLive,
  moveHead,
  type SegmentRow,
  saveDead,
} from './segment-store.ts';

/** The stored index is damaged, of another version or outdated: its documents have to be indexed again. */
export class UnreadableSegment extends Error {
  override readonly name = 'UnreadableSegment';
}

/** Undefined if a merge has replaced the segment and its chunks are gone: read the list of segments again. */
export async function loadSegment(storage: Storage, call: Call, row: SegmentRow): Promise<Segment | undefined> {
  const bytes = new Uint8Array(row.bytes);
  let at = 0;
  const rest = createPacer(searchLimits.sliceMs);
  for (let i = 0; i < row.chunks; i += 1) {
    const chunk = await storage.read(call, (db) => findChunk(db, row.id, i));
    if (chunk === undefined) return undefined;
    if (sha256Hex(chunk.bytes) !== chunk.hash || at + chunk.bytes.length > bytes.length) {
      throw new UnreadableSegment(`chunk ${i} of the search segment ${row.id} is damaged`);
    }
    bytes.set(chunk.bytes, at);
    at += chunk.bytes.length;
    await rest();
  }
  const segment = at === bytes.length ? decodeSegment(bytes) : undefined;
  if (segment === undefined) throw new UnreadableSegment(`the search segment ${row.id} has another version`);
  return segment;
}

export interface SegmentWriteDeps {
  readonly storage: Storage;
  readonly ids: Ids;
  readonly collection: string;
  readonly chunkBytes: number;
  toCall(): Call;
}

/** Stores a segment in chunks, so that no write holds the lock for long. It becomes visible with its commit. */
export async function writeSegment(deps: SegmentWriteDeps, segment: Segment): Promise<string> {
  const { storage, collection, chunkBytes, toCall } = deps;
  const id = deps.ids.uuid();
  const bytes = encodedBytes(segment);
  await storage.write(toCall(), function* (db) {
    yield* insertBuilding(db, collection, { id, docs: segment.docCount, bytes, chunks: Math.ceil(bytes / chunkBytes) });
  });
  let number = 0;
  for (const chunk of encodeSegment(segment, chunkBytes)) {
    const at = number;
    const hash = sha256Hex(chunk);
    await storage.write(toCall(), function* (db) {
      yield* insertChunk(db, id, at, hash, chunk);
    });
    number += 1;
  }
  return id;
}

export interface SegmentChange {
  /** The generation that the change is based on; the commit fails if it is no longer current. */
  readonly generation: number;
  readonly merged: number;
  readonly added: readonly string[];
  readonly dropped: readonly string[];
  readonly dead: readonly { readonly id: string; readonly bits: Uint8Array }[];
}

/** Thrown to roll back: another process has merged, so this segment no longer fits. */
export class MergeConflict extends Error {
  override readonly name = 'MergeConflict';
}

export function* commitSegments(db: Writer, collection: string, commit: SegmentChange): Work<void> {
  if ((yield* moveHead(db, collection, commit.generation, commit.merged)) === 0) throw new MergeConflict();
  if (commit.added.length > 0 && (yield* makeLive(db, collection, commit.added)) < commit.added.length)
    throw new MergeConflict();
  if (commit.dropped.length > 0) yield* makeDropped(db, collection, commit.dropped);
  for (const { id, bits } of commit.dead) yield* saveDead(db, collection, id, bits);
}
