import { highlightField } from '#kernel/search/keyword/query/highlight.ts';
import { Marks } from '#kernel/search/keyword/query/marks.ts';
import type { ParsedQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { markPlaces, markWords, type ShownText, type StemNumbers, toPlain } from './shown-text.ts';

export type SnippetOf = (text: ShownText, how: 'words' | 'substring') => string;

/** In plain signs, as the line is. */
const ellipsis = '...';

const blank = 0x20;

/** The first place from here on where a word begins; at the latest there. */
function wordFrom(line: string, from: number, latest: number): number {
  let at = from;
  while (at < latest && line.charCodeAt(at - 1) !== blank) at += 1;
  return at;
}

/** The last blank up to here; at the earliest there. */
function blankBefore(line: string, from: number, earliest: number): number {
  let at = from;
  while (at > earliest && line.charCodeAt(at) !== blank) at -= 1;
  return Math.max(at, earliest);
}

/** The stretch with the best marks, from blank to blank. */
function cutLine(line: string, marks: Marks, chars: number): string {
  const [from, to] = marks.bestWindow(chars);
  const first = marks.starts[from]!;
  const reach = marks.endOf(from, to);
  const wanted = Math.max(0, first - Math.floor((chars - (reach - first)) / 3));
  const start = wanted === 0 ? 0 : wordFrom(line, wanted, first);
  const end = start + chars >= line.length ? line.length : blankBefore(line, start + chars, reach);
  return `${start > 0 ? ellipsis : ''}${line.slice(start, end)}${end < line.length ? ellipsis : ''}`;
}

/** Words that are looked for, by stem and by its number where texts have it. */
interface Wanted {
  readonly stems: string[];
  readonly numbers: number[];
}

function wantedOf({ terms }: ParsedQuery, isAsked: boolean, known: StemNumbers): Wanted {
  const wanted: Wanted = { stems: [], numbers: [] };
  for (const { weight, key } of terms) {
    if (weight >= 1 !== isAsked) continue;
    wanted.stems.push(key);
    const number = known.get(key);
    if (number !== undefined) wanted.numbers.push(number);
  }
  return wanted;
}

/**
 * The stretch of a section that answers the most of the query; its beginning when only its headings do. `numbers` knows the
 * stems of all texts with places that will be shown.
 */
export function createSnippets(parsed: ParsedQuery, stemOf: StemOf, numbers: StemNumbers): SnippetOf {
  const { snippetChars } = knowledgeLimits;
  const isPlain = parsed.terms.every(({ kind }) => kind === 'word');
  const asked = wantedOf(parsed, true, numbers);
  let guessed: Wanted | undefined;
  const marks = new Marks();

  function mark({ line, words }: ShownText, { stems, numbers: known }: Wanted): void {
    marks.clear();
    if (words === undefined) markWords(line, stems, stemOf, marks);
    else markPlaces(words, known, marks);
  }

  /** Phrases, beginnings and insides of words are looked for in the text itself. */
  const searched = (line: string, how: 'words' | 'substring'): string | undefined =>
    highlightField('text', line, { parsed, how, stemOf, snippetChars })?.snippet;

  return (text, how) => {
    if (!isPlain || how === 'substring') {
      const found = searched(text.line, how);
      return found === undefined ? text.beginning : toPlain(found);
    }
    mark(text, asked);
    if (marks.count === 0) {
      guessed ??= wantedOf(parsed, false, numbers);
      mark(text, guessed);
    }
    return marks.count === 0 ? text.beginning : cutLine(text.line, marks, snippetChars);
  };
}
