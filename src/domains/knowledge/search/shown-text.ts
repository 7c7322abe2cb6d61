import type { Marks } from '#kernel/search/keyword/query/marks.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import { isStopWord } from '#kernel/search/stop-words.ts';
import { cutBeginning } from '#kernel/text/budget.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import { toOneByte } from '#kernel/text/well-formed.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';

/** A text as snippets are cut out of it. */
export interface ShownText {
  /** In one line. */
  readonly line: string;
  /** What is shown of it where nothing of the query stands in it. */
  readonly beginning: string;
  /** Where its words stand; of a text that is shown again and again. */
  readonly words?: WordPlaces;
}

/**
 * How many stems a text has; their numbers, in order; for each where its places begin, and where the last one's end; the
 * places, start and end by turns. In one piece: an answer looks into ten texts that it has not seen for a while.
 */
export type WordPlaces = Uint32Array;

/** Stems by number, for all texts that are shown again and again. */
export type StemNumbers = Map<string, number>;

/** Signs that have a plain form: an answer of ASCII alone is printed and sent in half the time. */
const plainSigns: Readonly<Record<string, string>> = {
  '…': '...',
  '→': '->',
  '–': '-',
  '—': '-',
  '›': '>',
  '“': '"',
  '”': '"',
  '’': "'",
  '×': 'x',
};

export const toPlain = (text: string): string =>
  toOneByte(text.replaceAll(/[…→–—›“”’×]/g, (sign) => plainSigns[sign]!));

const toLine = (text: string): string => toPlain(text).replaceAll(/\s+/g, ' ').trim();

export function toShownText(text: string): ShownText {
  const line = toLine(text);
  return { line, beginning: toPlain(cutBeginning(line, knowledgeLimits.snippetChars)) };
}

/** Numbers the stems that are new. */
export function placeWords(line: string, stemOf: StemOf, numbers: StemNumbers): WordPlaces {
  const byStem = new Map<number, number[]>();
  scanTokens(line, (word, _position, start, end) => {
    if (isStopWord(word)) return;
    const stem = stemOf(word);
    const number = numbers.get(stem) ?? numbers.size;
    if (number === numbers.size) numbers.set(stem, number);
    const places = byStem.get(number);
    if (places === undefined) byStem.set(number, [start, end]);
    else places.push(start, end);
  });
  const stems = [...byStem.keys()].sort((a, b) => a - b);
  const heads = [stems.length, ...stems];
  let at = heads.length + stems.length + 1;
  for (const stem of stems) {
    heads.push(at);
    at += byStem.get(stem)!.length;
  }
  return Uint32Array.from([...heads, at, ...stems.flatMap((stem) => byStem.get(stem)!)]);
}

/** Marks the words with these stems; the unit of each is the place of its stem in the list. */
export function markPlaces(words: WordPlaces, stems: readonly number[], marks: Marks): void {
  const count = words[0]!;
  for (let unit = 0; unit < stems.length; unit += 1) {
    const at = findStem(words, stems[unit]!);
    if (at < 0) continue;
    const to = words[count + at + 1]!;
    for (let i = words[count + at]!; i < to; i += 2) marks.add(words[i]!, words[i + 1]!, unit);
  }
}

/** Where the number stands, or -1. */
function findStem(words: WordPlaces, stem: number): number {
  let low = 1;
  let high = words[0]! + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[middle]! < stem) low = middle + 1;
    else high = middle;
  }
  return low <= words[0]! && words[low] === stem ? low : -1;
}

/** The same in a text that is read for this alone. */
export function markWords(line: string, stems: readonly string[], stemOf: StemOf, marks: Marks): void {
  scanTokens(line, (word, _position, start, end) => {
    const unit = stems.indexOf(stemOf(word));
    if (unit >= 0) marks.add(start, end, unit);
  });
}
