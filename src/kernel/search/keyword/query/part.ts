import type { Collection } from '../../collection.ts';
import { wordAt } from '../segment/dictionary.ts';
import { type Bits, countBits, createBits, findDoc, hasBit, idAt, type Segment, setBit } from '../segment/segment.ts';
import type { FacetFilter } from './filter.ts';
import type { TermMatch } from './term-rows.ts';

/** Caches what searches compute about a part that never changes. */
export class PartCache {
  /** By document number. */
  readonly ids: readonly string[];
  readonly docs: ReadonlyMap<string, number>;
  /** By stem number. */
  readonly matches: (TermMatch | undefined)[] = [];
  /** By identity: frequent callers pass the same filters. */
  readonly allowed = new WeakMap<readonly FacetFilter[], Bits>();
  #stems: ReadonlyMap<string, number> | undefined;

  constructor(ids: readonly string[]) {
    this.ids = ids;
    this.docs = new Map(ids.map((id, doc) => [id, doc]));
  }

  /** The number of a stem, or -1. */
  stemOf({ stems }: Segment, term: string): number {
    this.#stems ??= new Map(Array.from({ length: stems.count }, (_, stem) => [wordAt(stems, stem), stem]));
    return this.#stems.get(term) ?? -1;
  }
}

export interface DocumentSet {
  readonly docCount: number;
  /** Words, by field of the collection. */
  readonly lengths: readonly number[];
}

/** A segment without the documents that were changed or removed since. Immutable. */
export interface Part {
  readonly segment: Segment;
  readonly dead: Bits | undefined;
  readonly liveCount: number;
  /** Words of the live documents, by field of the collection. */
  readonly liveLengths: readonly number[];
  /** The collection's field for each of the segment's fields; -1 if it no longer exists. */
  readonly fieldOf: readonly number[];
  /** Live documents by stem, cached where they had to be counted. */
  readonly stemDocs: Map<number, number>;
  /** Documents and words of filtered sets, the last used last: a namespace is searched more than once. */
  readonly sets: Map<string, DocumentSet>;
  /** Only for a part that never changes. */
  readonly cache: PartCache | undefined;
}

export function createPart(collection: Collection, segment: Segment, dead: Bits | undefined, memory?: PartCache): Part {
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
    sets: new Map(),
    cache: memory,
  };
}

export const idIn = ({ cache: memory, segment }: Part, doc: number): string => memory?.ids[doc] ?? idAt(segment, doc);

/** The number of a document, or -1. */
export const docIn = ({ cache: memory, segment }: Part, id: string): number =>
  memory === undefined ? findDoc(segment, id) : (memory.docs.get(id) ?? -1);

function sumLiving(lengths: Uint32Array, dead: Bits | undefined): number {
  let sum = 0;
  for (let doc = 0; doc < lengths.length; doc += 1) {
    if (dead === undefined || !hasBit(dead, doc)) sum += lengths[doc]!;
  }
  return sum;
}

/** The part without these documents. */
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
  const memory = part.cache === undefined ? undefined : new PartCache(part.cache.ids);
  const liveCount = part.liveCount - fresh.length;
  return { ...part, dead, liveCount, liveLengths, stemDocs: new Map(), sets: new Map(), cache: memory };
}
