import type { Call } from '../../../call.ts';
import { sha256Hex } from '../../../hash/hash.ts';
import type { Ids } from '../../../ids/ids.ts';
import type { Storage, Work, Writer } from '../../../storage/port.ts';
import type { Segment } from '../segment/segment.ts';
import { encodedBytes, encodeSegment } from '../segment/segment-bytes.ts';
import { insertBuilding, insertChunk, makeDropped, makeLive, moveHead, saveDead } from './segment-store.ts';

export interface SegmentWriting {
  readonly storage: Storage;
  readonly ids: Ids;
  readonly collection: string;
  readonly chunkBytes: number;
  toCall(): Call;
}

/** Puts a segment into the store, chunk by chunk, so that no write holds the lock for long. Nobody sees it before its commit. */
export async function writeSegment(deps: SegmentWriting, segment: Segment): Promise<string> {
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

/** One step from a set of segments to the next. */
export interface Commit {
  /** The generation from which it starts; the commit fails when that is no longer the present one. */
  readonly generation: number;
  readonly merged: number;
  readonly added: readonly string[];
  readonly dropped: readonly string[];
  readonly dead: readonly { readonly id: string; readonly bits: Uint8Array }[];
}

/** Thrown to roll back: someone else has merged, so that what was made here no longer fits. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

export function* commitSegments(db: Writer, collection: string, commit: Commit): Work<void> {
  if ((yield* moveHead(db, collection, commit.generation, commit.merged)) === 0) throw new Overtaken();
  if (commit.added.length > 0 && (yield* makeLive(db, collection, commit.added)) < commit.added.length)
    throw new Overtaken();
  if (commit.dropped.length > 0) yield* makeDropped(db, collection, commit.dropped);
  for (const { id, bits } of commit.dead) yield* saveDead(db, collection, id, bits);
}
