import { type Dictionary, wordAt } from './dictionary.ts';

/** A set of document numbers, one bit each, stored as it is. */
export type Bits = Uint8Array;

export const createBits = (count: number): Bits => new Uint8Array((count + 7) >>> 3);
export const hasBit = (bits: Bits, at: number): boolean => (bits[at >>> 3]! & (1 << (at & 7))) !== 0;
export const setBit = (bits: Bits, at: number): void => {
  bits[at >>> 3]! |= 1 << (at & 7);
};
export const clearBit = (bits: Bits, at: number): void => {
  bits[at >>> 3]! &= ~(1 << (at & 7));
};

/** How many bits each byte has. */
const bitCounts = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

export function countBits(bits: Bits): number {
  let count = 0;
  for (let i = 0; i < bits.length; i += 1) count += bitCounts[bits[i]!]!;
  return count;
}

/**
 * An immutable index of some documents: numbers in typed arrays only. Documents are numbered in the order of their ids,
 * so that comparing two numbers breaks a tie.
 * A stem owns one list per field in which it occurs, and its forms: the words as written. A list owns rows (document <<
 * 8 | count, count at most 255) and occurrences (per row the positions, and which form is there).
 */
export interface Segment {
  readonly docCount: number;
  readonly fields: readonly string[];
  readonly ids: IdTable;
  /** Number of words per document, by field. */
  readonly lengths: readonly Uint32Array[];
  readonly stems: Dictionary;
  /** Documents that have the stem in any field. */
  readonly stemDocs: Uint32Array;
  /** Where the lists of stem i begin; one entry more than there are stems. */
  readonly stemLists: Uint32Array;
  /** Where the forms of stem i begin in `forms`; one entry more than there are stems. */
  readonly stemForms: Uint32Array;
  readonly words: Dictionary;
  readonly wordStems: Uint32Array;
  /** Word numbers grouped by stem; the position in the group is the form number in the occurrences. */
  readonly forms: Uint32Array;
  readonly listFields: Uint32Array;
  readonly listRows: Uint32Array;
  readonly listOccurrences: Uint32Array;
  readonly rows: Uint32Array;
  readonly occurrences: Uint8Array;
  /** `key U+0001 value` */
  readonly facets: Dictionary;
  readonly facetRows: Uint32Array;
  readonly facetDocs: Uint32Array;
  readonly byteCount: number;
}

export interface IdTable {
  readonly bytes: Buffer;
  readonly at: Uint32Array;
}

export const countMax = 255;
/** The bits of a row that are left for the document. */
export const docCountMax = 2 ** 24;

export const idAt = ({ ids }: Segment, doc: number): string => ids.bytes.toString('utf8', ids.at[doc], ids.at[doc + 1]);

/** The first document whose id is not less than this one, in code-unit order. */
export function lowerDoc(segment: Segment, id: string): number {
  let low = 0;
  let high = segment.docCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (idAt(segment, middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function findDoc(segment: Segment, id: string): number {
  const found = lowerDoc(segment, id);
  return found < segment.docCount && idAt(segment, found) === id ? found : -1;
}

/** How many bits of an occurrence hold the form. */
export const formBits = (formCount: number): number => (formCount > 1 ? 32 - Math.clz32(formCount - 1) : 0);

export const formCountOf = ({ stemForms }: Segment, stem: number): number => stemForms[stem + 1]! - stemForms[stem]!;

export const facetKey = (key: string, value: string): string => `${key}\u0001${value}`;

export const wordsOf = (segment: Segment, stem: number): readonly string[] => {
  const words: string[] = [];
  for (let i = segment.stemForms[stem]!; i < segment.stemForms[stem + 1]!; i += 1) {
    words.push(wordAt(segment.words, segment.forms[i]!));
  }
  return words;
};
