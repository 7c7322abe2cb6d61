import { createDistance } from '../../../text/edit-distance.ts';
import type { StemOf } from '../../stemmer.ts';
import { findPrefix, toKey, wordAt } from '../segment/dictionary.ts';
import type { Part } from './part.ts';
import type { BuffersFor } from './search-buffers.ts';
import { countStemDocs } from './term-rows.ts';

interface Candidate {
  readonly word: string;
  readonly distance: number;
  readonly docCount: number;
}

/** Short words have too many neighbours. */
const distanceFor = (word: string): number => (word.length < 3 ? 0 : word.length < 6 ? 1 : 2);

/** Known words similar to the unknown ones, by distance, then by frequency. */
export function nearestWords(
  parts: readonly Part[],
  words: readonly string[],
  stemOf: StemOf,
  count: number,
  buffersFor: BuffersFor,
): readonly string[] {
  const docCount = (word: string) =>
    parts.reduce((sum, part) => sum + countStemDocs(part, stemOf(word), buffersFor), 0);
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

/** Checks only words whose first letter matches or was swapped with the second: a small part of the dictionary. */
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
