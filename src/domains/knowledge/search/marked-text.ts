import type { Mark } from '#kernel/search/query/highlight.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import { isStopWord } from '#kernel/search/stop-words.ts';
import { cutBeginning } from '#kernel/text/cut-beginning.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import { docSearchLimits } from './search-limits.ts';

/** A text in one line with the places of its words: what a snippet is cut out of without reading it again. */
export interface MarkedText {
  readonly line: string;
  /** By stem: start and end of each word, one after the other. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** What is shown of it where nothing of the query stands in it. */
  readonly beginning: string;
}

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

export const toPlain = (text: string): string => text.replaceAll(/[…→–—›“”’×]/g, (sign) => plainSigns[sign]!);

const toLine = (text: string): string => toPlain(text).replaceAll(/\s+/g, ' ').trim();

export function markText(text: string, stemOf: StemOf): MarkedText {
  const line = toLine(text);
  const places = new Map<string, number[]>();
  scanTokens(line, (word, _position, start, end) => {
    if (isStopWord(word)) return;
    const stem = stemOf(word);
    const known = places.get(stem);
    if (known === undefined) places.set(stem, [start, end]);
    else known.push(start, end);
  });
  return { line, places, beginning: toPlain(cutBeginning(line, docSearchLimits.snippetChars)) };
}

/** Where the words with these stems stand, in their order; the number of each is that of its stem. */
export function findMarks({ places }: MarkedText, stems: readonly string[]): readonly Mark[] {
  const marks: Mark[] = [];
  for (let unit = 0; unit < stems.length; unit += 1) {
    const found = places.get(stems[unit]!);
    if (found === undefined) continue;
    for (let i = 0; i < found.length; i += 2) insert(marks, { start: found[i]!, end: found[i + 1]!, unit });
  }
  return marks;
}

/** A few at a time, each stem's in order already: cheaper than to sort them. Of a compound and its first part the longer first. */
function insert(marks: Mark[], mark: Mark): void {
  let at = marks.length;
  for (; at > 0; at -= 1) {
    const before = marks[at - 1]!;
    if (before.start < mark.start || (before.start === mark.start && before.end >= mark.end)) break;
    marks[at] = before;
  }
  marks[at] = mark;
}
