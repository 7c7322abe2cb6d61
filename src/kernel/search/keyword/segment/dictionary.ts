/** Sorted words as UTF-8 bytes in byte order, each followed by a NUL. Lookups create no strings. */
export interface Dictionary {
  readonly count: number;
  readonly bytes: Buffer;
  /** Where word i begins; one entry more than there are words. */
  readonly at: Uint32Array;
}

export const toKey = (text: string): Buffer => Buffer.from(text, 'utf8');

export const openDictionary = (bytes: Uint8Array, at: Uint32Array): Dictionary => ({
  count: at.length - 1,
  bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  at,
});

export const wordAt = ({ bytes, at }: Dictionary, index: number): string =>
  bytes.toString('utf8', at[index], at[index + 1]! - 1);

/** Compares a key with word `index`, cut to the length of the key: 0 means that the word begins with the key. */
function comparePrefix({ bytes, at }: Dictionary, key: Uint8Array, index: number): number {
  const start = at[index]!;
  const length = key.length;
  for (let i = 0; i < length; i += 1) {
    // The NUL after a shorter word is less than any byte of a key, so a shorter word compares as smaller.
    const difference = key[i]! - bytes[start + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The first word that is not less than the key. */
function lowerBound(dictionary: Dictionary, key: Uint8Array): number {
  let low = 0;
  let high = dictionary.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePrefix(dictionary, key, middle) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of the word, or -1. */
export function findWord(dictionary: Dictionary, key: Uint8Array): number {
  const found = lowerBound(dictionary, key);
  if (found === dictionary.count || comparePrefix(dictionary, key, found) !== 0) return -1;
  const length = dictionary.at[found + 1]! - 1 - dictionary.at[found]!;
  return length === key.length ? found : -1;
}

/** The words that begin with the key: [from, to). */
export function findPrefix(dictionary: Dictionary, key: Uint8Array): readonly [from: number, to: number] {
  const from = lowerBound(dictionary, key);
  let low = from;
  let high = dictionary.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePrefix(dictionary, key, middle) >= 0) low = middle + 1;
    else high = middle;
  }
  return [from, low];
}

/** The words that contain the key, in order; with `atEnd` those that end with it. */
export function findInfix(dictionary: Dictionary, key: Uint8Array, atEnd: boolean): readonly number[] {
  const { bytes, at } = dictionary;
  // A key has no NUL, so a match never spans two words. With a NUL appended, it matches at the end only.
  const needle = atEnd ? Buffer.concat([key, Buffer.from([0])]) : Buffer.from(key);
  const found: number[] = [];
  let from = 0;
  for (;;) {
    const offset = bytes.indexOf(needle, from);
    if (offset < 0) return found;
    const word = indexOfOffset(at, offset);
    found.push(word);
    from = at[word + 1]!;
  }
}

function indexOfOffset(at: Uint32Array, offset: number): number {
  let low = 0;
  let high = at.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (at[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low;
}

export function compareWords(one: Dictionary, a: number, other: Dictionary, b: number): number {
  let i = one.at[a]!;
  let j = other.at[b]!;
  for (;;) {
    const x = one.bytes[i]!;
    const difference = x - other.bytes[j]!;
    if (difference !== 0 || x === 0) return difference;
    i += 1;
    j += 1;
  }
}

/** Orders strings like their UTF-8 bytes: surrogate pairs after everything else. */
export function compareByBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return byteRank(x) - byteRank(y);
  }
  return a.length - b.length;
}

const byteRank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);
