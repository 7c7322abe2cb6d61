import { searchLimits } from '../../search-limits.ts';
import { findWord, toKey } from '../segment/dictionary.ts';
import type { Segment } from '../segment/segment.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { Part } from './part.ts';
import type { PhraseSlot } from './phrase-rows.ts';
import type { ScratchFor } from './scratch.ts';
import { type FieldRows, slotRows } from './unit-rows.ts';
import { chooseInfix, choosePrefix, chooseSuffix, chooseWord } from './word-choice.ts';

/**
 * Whether a query can have matches inside words that its words do not find themselves. Of three or more words the middle
 * ones must stand there as they are, so when any word is enough, such a document is found anyway.
 */
export function canMatchInside({ words }: ParsedQuery, match: 'any' | 'all'): boolean {
  const first = words[0];
  const last = words.at(-1);
  if (first === undefined || last === undefined || (match === 'any' && words.length > 2)) return false;
  return isLongEnough(first.word) && isLongEnough(last.word);
}

/** One letter of ours is in nearly every document; one character of other scripts can be a word. */
const isLongEnough = (word: string): boolean => word.length >= searchLimits.substringChars || word.charCodeAt(0) > 127;

/** Stems that a document cannot have without being found by its words: none when all of the words are needed. */
function stemsFoundAnyway(segment: Segment, { units, groupCount }: ParsedQuery): ReadonlySet<number> {
  const words = groupCount > 0 ? [] : units.filter(({ kind }) => kind === 'word');
  return new Set(words.map(({ term }) => findWord(segment.stems, toKey(term))));
}

/**
 * Where the query stands as a stretch of text: its first word may begin, its last word may end inside a word. Documents
 * that are found by words need not be among them, and most of those that hold the query would be.
 */
export function substringRows(part: Part, parsed: ParsedQuery, scratchFor: ScratchFor): readonly FieldRows[] {
  const { segment } = part;
  const { words } = parsed;
  const [first] = words;
  if (first === undefined) return [];
  const foundAnyway = stemsFoundAnyway(segment, parsed);
  const slots: PhraseSlot[] = [];
  for (const [i, { word, offset }] of words.entries()) {
    const all =
      words.length === 1
        ? chooseInfix(segment, word)
        : i === 0
          ? chooseSuffix(segment, word)
          : i === words.length - 1
            ? choosePrefix(segment, word)
            : chooseWord(segment, word);
    const choices = all.filter(({ stem }) => !foundAnyway.has(stem));
    if (choices.length === 0) return [];
    slots.push({ offset: offset - first.offset, choices });
  }
  return slotRows(part, slots, scratchFor);
}
