import { searchLimits } from '../search-limits.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { Part } from './part.ts';
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

/** Where the query stands as a stretch of text: its first word may begin, its last word may end inside a word. */
export function substringRows(part: Part, { words }: ParsedQuery, scratchFor: ScratchFor): readonly FieldRows[] {
  const { segment } = part;
  const [first] = words;
  if (first === undefined) return [];
  const slots = words.map(({ word, offset }, i) => ({
    offset: offset - first.offset,
    choices:
      words.length === 1
        ? chooseInfix(segment, word)
        : i === 0
          ? chooseSuffix(segment, word)
          : i === words.length - 1
            ? choosePrefix(segment, word)
            : chooseWord(segment, word),
  }));
  return slotRows(part, slots, scratchFor);
}
