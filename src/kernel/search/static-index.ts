import type { Collection, SearchDocument } from './collection.ts';
import { createPart, type Part, PartCache } from './keyword/query/part.ts';
import { buildSegment } from './keyword/segment/build-segment.ts';
import { runInSlices } from './keyword/segment/run-in-slices.ts';
import { idAt } from './keyword/segment/segment.ts';
import { decodeSegment, encodedBytes, encodeSegment } from './keyword/segment/segment-bytes.ts';
import { createStemmer } from './stemmer.ts';

/**
 * Documents that ship with the program and are in no store: searched together with those of every tenant. Immutable.
 */
export type StaticIndex = Part;

/** The order in which a segment numbers documents. */
const inOrder = (ids: readonly string[]): readonly string[] => ids.toSorted((a, b) => (a < b ? -1 : 1));

export async function buildStaticIndex(
  collection: Collection,
  documents: readonly SearchDocument[],
): Promise<StaticIndex> {
  const segment = await runInSlices(buildSegment(collection.fields, documents, createStemmer()));
  return createPart(collection, segment, undefined, new PartCache(inOrder(documents.map(({ id }) => id))));
}

export function encodeStaticIndex({ segment }: StaticIndex): Uint8Array {
  const [bytes = new Uint8Array()] = encodeSegment(segment, encodedBytes(segment));
  return bytes;
}

/** Undefined if the bytes have another format or index other documents: build it again. */
export function decodeStaticIndex(
  collection: Collection,
  bytes: Uint8Array,
  ids: readonly string[],
): StaticIndex | undefined {
  // A copy begins at a multiple of four; bytes from a file need not.
  const segment = decodeSegment(Uint8Array.from(bytes));
  if (segment?.docCount !== ids.length || segment.fields.join() !== collection.fields.join()) return undefined;
  const ordered = inOrder(ids);
  const isTheirs = ordered.every((id, doc) => idAt(segment, doc) === id);
  return isTheirs ? createPart(collection, segment, undefined, new PartCache(ordered)) : undefined;
}
