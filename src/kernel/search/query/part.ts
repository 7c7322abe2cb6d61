import type { Collection } from '../collection.ts';
import { type Bits, countBits, createBits, hasBit, setBit } from '../segment/bits.ts';
import { idAt, type Segment } from '../segment/segment.ts';

/** A segment as one search sees it: without the documents that were changed or removed since. Never altered. */
export interface Part {
  readonly segment: Segment;
  readonly dead: Bits | undefined;
  readonly liveCount: number;
  /** Words of the living documents, by field of the collection. */
  readonly liveLengths: readonly number[];
  /** The collection's field for each of the segment's; -1 for one that no longer exists. */
  readonly fieldOf: readonly number[];
  /** Living documents by stem, remembered where they had to be counted. */
  readonly stemDocs: Map<number, number>;
  /** The ids of all its documents where they are held as texts anyhow. */
  readonly ids: readonly string[] | undefined;
}

export function createPart(
  collection: Collection,
  segment: Segment,
  dead: Bits | undefined,
  ids?: readonly string[],
): Part {
  const deadCount = dead === undefined ? 0 : countBits(dead);
  const fieldOf = segment.fields.map((field) => collection.fields.indexOf(field));
  const liveLengths = collection.fields.map((field) => {
    const lengths = segment.lengths[segment.fields.indexOf(field)];
    return lengths === undefined ? 0 : sumLiving(lengths, deadCount === 0 ? undefined : dead);
  });
  return {
    segment,
    dead: deadCount === 0 ? undefined : dead,
    liveCount: segment.docCount - deadCount,
    liveLengths,
    fieldOf,
    stemDocs: new Map(),
    ids,
  };
}

export const idIn = ({ ids, segment }: Part, doc: number): string => ids?.[doc] ?? idAt(segment, doc);

function sumLiving(lengths: Uint32Array, dead: Bits | undefined): number {
  let sum = 0;
  for (let doc = 0; doc < lengths.length; doc += 1) {
    if (dead === undefined || !hasBit(dead, doc)) sum += lengths[doc]!;
  }
  return sum;
}

/** The part without these documents too. */
export function withDead<P extends Part>(part: P, docs: readonly number[]): P {
  const { segment } = part;
  const dead = part.dead?.slice() ?? createBits(segment.docCount);
  const fresh = docs.filter((doc) => !hasBit(dead, doc));
  if (fresh.length === 0) return part;
  const liveLengths = [...part.liveLengths];
  for (const doc of fresh) {
    setBit(dead, doc);
    segment.lengths.forEach((lengths, own) => {
      const field = part.fieldOf[own]!;
      if (field >= 0) liveLengths[field]! -= lengths[doc]!;
    });
  }
  return { ...part, dead, liveCount: part.liveCount - fresh.length, liveLengths, stemDocs: new Map() };
}
