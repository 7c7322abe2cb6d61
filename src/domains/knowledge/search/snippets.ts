import { highlightField } from '#kernel/search/keyword/query/highlight.ts';
import { Marks } from '#kernel/search/keyword/query/marks.ts';
import type { ParsedQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import { isStopWord } from '#kernel/search/stop-words.ts';
import { cutBeginning } from '#kernel/text/budget.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import { toOneByte } from '#kernel/text/well-formed.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';

export interface SnippetText {
  readonly line: string;
  /** Shown if the text does not contain any word of the query. */
  readonly beginning: string;
  /** Cached for texts that are shown often. */
  readonly words?: WordPositions;
}

/**
 * The number of stems; the stem numbers, sorted; for each stem the offset of its positions, and the final offset; the
 * positions as start and end. One array, because an answer touches ten texts that are not in the CPU cache.
 */
type WordPositions = Uint32Array;

/** Stem numbers, shared by all cached texts. */
export type StemNumbers = Map<string, number>;

/** ASCII-only answers are serialised and sent in half the time. */
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

const toPlain = (text: string): string => toOneByte(text.replaceAll(/[…→–—›“”’×]/g, (sign) => plainSigns[sign]!));

const toLine = (text: string): string => toPlain(text).replaceAll(/\s+/g, ' ').trim();

export function toSnippetText(text: string): SnippetText {
  const line = toLine(text);
  return { line, beginning: toPlain(cutBeginning(line, knowledgeLimits.snippetChars)) };
}

/** Adds new stems to `numbers`. */
export function indexWords(line: string, stemOf: StemOf, numbers: StemNumbers): WordPositions {
  const byStem = new Map<number, number[]>();
  scanTokens(line, (word, _position, start, end) => {
    if (isStopWord(word)) return;
    const stem = stemOf(word);
    const number = numbers.get(stem) ?? numbers.size;
    if (number === numbers.size) numbers.set(stem, number);
    const positions = byStem.get(number);
    if (positions === undefined) byStem.set(number, [start, end]);
    else positions.push(start, end);
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

/** Marks the words with these stems; a mark's unit is the index of its stem in the list. */
export function markIndexed(words: WordPositions, stems: readonly number[], marks: Marks): void {
  const count = words[0]!;
  for (let unit = 0; unit < stems.length; unit += 1) {
    const at = findStem(words, stems[unit]!);
    if (at < 0) continue;
    const to = words[count + at + 1]!;
    for (let i = words[count + at]!; i < to; i += 2) marks.add(words[i]!, words[i + 1]!, unit);
  }
}

/** The index of the stem number, or -1. */
function findStem(words: WordPositions, stem: number): number {
  let low = 1;
  let high = words[0]! + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[middle]! < stem) low = middle + 1;
    else high = middle;
  }
  return low <= words[0]! && words[low] === stem ? low : -1;
}

/** Does the same for a text without cached positions. */
export function markWords(line: string, stems: readonly string[], stemOf: StemOf, marks: Marks): void {
  scanTokens(line, (word, _position, start, end) => {
    const unit = stems.indexOf(stemOf(word));
    if (unit >= 0) marks.add(start, end, unit);
  });
}

export type SnippetOf = (text: SnippetText, how: 'words' | 'substring') => string;

const ellipsis = '...';

const blank = 0x20;

/** The start of the first word at or after `from`, but at most `latest`. */
function wordStartFrom(line: string, from: number, latest: number): number {
  let at = from;
  while (at < latest && line.charCodeAt(at - 1) !== blank) at += 1;
  return at;
}

/** The last blank at or before `from`, but at least `earliest`. */
function blankBefore(line: string, from: number, earliest: number): number {
  let at = from;
  while (at > earliest && line.charCodeAt(at) !== blank) at -= 1;
  return Math.max(at, earliest);
}

/** The window with the best marks, extended to word boundaries. */
function cutLine(line: string, marks: Marks, chars: number): string {
  const [from, to] = marks.bestWindow(chars);
  const first = marks.starts[from]!;
  const reach = marks.endOf(from, to);
  const wanted = Math.max(0, first - Math.floor((chars - (reach - first)) / 3));
  const start = wanted === 0 ? 0 : wordStartFrom(line, wanted, first);
  const end = start + chars >= line.length ? line.length : blankBefore(line, start + chars, reach);
  return `${start > 0 ? ellipsis : ''}${line.slice(start, end)}${end < line.length ? ellipsis : ''}`;
}

/** Stems of the query, with their numbers if cached texts contain them. */
interface QueryStems {
  readonly stems: string[];
  readonly numbers: number[];
}

function queryStems({ terms }: ParsedQuery, isFromQuery: boolean, known: StemNumbers): QueryStems {
  const wanted: QueryStems = { stems: [], numbers: [] };
  for (const { weight, key } of terms) {
    if (weight >= 1 !== isFromQuery) continue;
    wanted.stems.push(key);
    const number = known.get(key);
    if (number !== undefined) wanted.numbers.push(number);
  }
  return wanted;
}

/**
 * Cuts the part of a text that matches most of the query, or its beginning if nothing matches. `numbers` must contain
 * the stems of all cached texts.
 */
export function createSnippets(parsed: ParsedQuery, stemOf: StemOf, numbers: StemNumbers): SnippetOf {
  const { snippetChars } = knowledgeLimits;
  const isPlain = parsed.terms.every(({ kind }) => kind === 'word');
  const wordStems = queryStems(parsed, true, numbers);
  let synonymStems: QueryStems | undefined;
  const marks = new Marks();

  function mark({ line, words }: SnippetText, { stems, numbers: known }: QueryStems): void {
    marks.clear();
    if (words === undefined) markWords(line, stems, stemOf, marks);
    else markIndexed(words, known, marks);
  }

  /** Phrases, prefixes and substrings need a search in the text itself. */
  const searched = (line: string, how: 'words' | 'substring'): string | undefined =>
    highlightField('text', line, { parsed, how, stemOf, snippetChars })?.snippet;

  return (text, how) => {
    if (!isPlain || how === 'substring') {
      const found = searched(text.line, how);
      return found === undefined ? text.beginning : toPlain(found);
    }
    mark(text, wordStems);
    if (marks.count === 0) {
      synonymStems ??= queryStems(parsed, false, numbers);
      mark(text, synonymStems);
    }
    return marks.count === 0 ? text.beginning : cutLine(text.line, marks, snippetChars);
  };
}
