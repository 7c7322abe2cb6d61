import type { StemOf } from '../../stemmer.ts';
import { findPrefix, toKey, wordAt } from '../segment/dictionary.ts';
import type { Part } from './part.ts';
import type { ScratchFor } from './scratch.ts';
import { countStemDocs } from './unit-rows.ts';

/** How far a word (bytes [from, to)) is from the one asked for; `max + 1` for all that is further than `max`. */
type DistanceTo = (bytes: Uint8Array, from: number, to: number) => number;

/**
 * Bytes to change, add, drop or swap with their neighbour. Looks only at the diagonal band in which a distance up to `max`
 * can lie, and allocates nothing a word: a dictionary has a hundred thousand.
 */
export function createDistance(asked: Uint8Array, max: number): DistanceTo {
  const length = asked.length;
  let beforeLast = new Int32Array(length + 1);
  let last = new Int32Array(length + 1);
  let row = new Int32Array(length + 1);

  return (bytes, from, to) => {
    const otherLength = to - from;
    if (Math.abs(otherLength - length) > max) return max + 1;
    for (let j = 0; j <= length; j += 1) last[j] = j;
    for (let i = 1; i <= otherLength; i += 1) {
      const low = Math.max(1, i - max);
      const high = Math.min(length, i + max);
      row.fill(max + 1);
      if (low === 1) row[0] = i;
      let least = row[0]!;
      const byte = bytes[from + i - 1]!;
      for (let j = low; j <= high; j += 1) {
        const own = asked[j - 1]!;
        let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (byte === own ? 0 : 1));
        if (i > 1 && j > 1 && byte === asked[j - 2] && bytes[from + i - 2] === own) {
          distance = Math.min(distance, beforeLast[j - 2]! + 1);
        }
        row[j] = distance;
        if (distance < least) least = distance;
      }
      if (least > max) return max + 1;
      [beforeLast, last, row] = [last, row, beforeLast];
    }
    return Math.min(last[length]!, max + 1);
  };
}

interface Candidate {
  readonly word: string;
  readonly distance: number;
  readonly docCount: number;
}

/** Short words have too many neighbours to be a help. */
const distanceFor = (word: string): number => (word.length < 3 ? 0 : word.length < 6 ? 1 : 2);

/** Known words that the unknown ones were perhaps meant to be: the nearest first, then the more frequent. */
export function nearestWords(
  parts: readonly Part[],
  words: readonly string[],
  stemOf: StemOf,
  count: number,
  scratchFor: ScratchFor,
): readonly string[] {
  const docCount = (word: string) =>
    parts.reduce((sum, part) => sum + countStemDocs(part, stemOf(word), scratchFor), 0);
  const candidates: Candidate[] = [];
  for (const asked of new Set(words)) {
    if (docCount(asked) > 0) continue;
    for (const [word, distance] of neighbours(parts, asked))
      candidates.push({ word, distance, docCount: docCount(word) });
  }
  return [
    ...new Set(
      candidates
        .filter((candidate) => candidate.docCount > 0)
        .sort((a, b) => a.distance - b.distance || b.docCount - a.docCount || (a.word < b.word ? -1 : 1))
        .map(({ word }) => word),
    ),
  ].slice(0, count);
}

/** Looks where the first letter is right, or was swapped with the second: a small share of the dictionary. */
function neighbours(parts: readonly Part[], asked: string): ReadonlyMap<string, number> {
  const max = distanceFor(asked);
  const found = new Map<string, number>();
  if (max === 0) return found;
  const [first = '', second = first] = [...asked];
  const distanceTo = createDistance(toKey(asked), max);
  for (const { segment } of parts) {
    const { bytes, at } = segment.words;
    for (const letter of new Set([first, second])) {
      const [from, to] = findPrefix(segment.words, toKey(letter));
      for (let i = from; i < to; i += 1) {
        const distance = distanceTo(bytes, at[i]!, at[i + 1]! - 1);
        if (distance <= max) found.set(wordAt(segment.words, i), distance);
      }
    }
  }
  return found;
}
