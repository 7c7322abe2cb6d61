import { findInfix, findPrefix, findWord, toKey } from '../segment/dictionary.ts';
import type { Segment } from '../segment/segment.ts';

/** Words of a segment chosen by spelling, grouped by their stem, under which rows are stored. */
export interface Choice {
  readonly stem: number;
  /** The chosen forms of the stem; undefined for all. */
  readonly forms: Uint8Array | undefined;
}

export const chooseWord = (segment: Segment, word: string): readonly Choice[] => {
  const found = findWord(segment.words, toKey(word));
  return found < 0 ? [] : choose(segment, [found]);
};

export function choosePrefix(segment: Segment, prefix: string): readonly Choice[] {
  const [from, to] = findPrefix(segment.words, toKey(prefix));
  return choose(
    segment,
    Array.from({ length: to - from }, (_, i) => from + i),
  );
}

export const chooseInfix = (segment: Segment, infix: string): readonly Choice[] =>
  choose(segment, findInfix(segment.words, toKey(infix), false));

export const chooseSuffix = (segment: Segment, suffix: string): readonly Choice[] =>
  choose(segment, findInfix(segment.words, toKey(suffix), true));

function choose(segment: Segment, words: readonly number[]): readonly Choice[] {
  const byStem = new Map<number, Uint8Array>();
  for (const word of words) {
    const stem = segment.wordStems[word]!;
    const from = segment.stemForms[stem]!;
    const count = segment.stemForms[stem + 1]! - from;
    let forms = byStem.get(stem);
    if (forms === undefined) {
      forms = new Uint8Array(count);
      byStem.set(stem, forms);
    }
    for (let form = 0; form < count; form += 1) if (segment.forms[from + form] === word) forms[form] = 1;
  }
  return [...byStem].map(([stem, forms]) => ({ stem, forms: forms.includes(0) ? forms : undefined }));
}
