import type { Collection } from '../../collection.ts';
import { createPart, type Part, withDead } from '../query/part.ts';
import { type Bits, findDoc, type Segment } from '../segment/segment.ts';

export interface StoredPart extends Part {
  readonly id: string;
  /** Dead documents that the store already knows. */
  readonly savedDeadCount: number;
}

/** A collection at one moment: its segments, and the tail of newer rows indexed in memory. */
export interface View {
  readonly generation: number;
  readonly seq: number;
  readonly merged: number;
  readonly stored: readonly StoredPart[];
  /** Oldest first. */
  readonly tail: readonly Part[];
  readonly tailCount: number;
  readonly tailChars: number;
}

export const emptyView: View = { generation: 0, seq: 0, merged: 0, stored: [], tail: [], tailCount: 0, tailChars: 0 };

export const partsOf = ({ stored, tail }: View): readonly Part[] => [...stored, ...tail];

export const byteCountOf = (view: View): number =>
  partsOf(view).reduce((sum, { segment }) => sum + segment.byteCount, 0);

export function createStoredPart(
  collection: Collection,
  id: string,
  segment: Segment,
  dead: Bits | undefined,
): StoredPart {
  const part = createPart(collection, segment, dead);
  return { ...part, id, savedDeadCount: segment.docCount - part.liveCount };
}

/** Hides documents that were changed or deleted later. */
export function hide<P extends Part>(part: P, ids: Iterable<string>): P {
  const docs: number[] = [];
  for (const id of ids) {
    const doc = findDoc(part.segment, id);
    if (doc >= 0) docs.push(doc);
  }
  return withDead(part, docs);
}
