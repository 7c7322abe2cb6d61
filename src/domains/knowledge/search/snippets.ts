import { highlightField, type Mark } from '#kernel/search/query/highlight.ts';
import type { ParsedQuery } from '#kernel/search/query/parse-query.ts';
import { bestWindow } from '#kernel/search/query/snippet.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import { findMarks, type MarkedText, toPlain } from './marked-text.ts';
import { docSearchLimits } from './search-limits.ts';

export type SnippetOf = (text: MarkedText, how: 'words' | 'substring') => string;

/** In plain signs, as the line is. */
const ellipsis = '...';

/** The stretch with the best marks, from blank to blank. */
function cutLine(line: string, marks: readonly Mark[], chars: number): string {
  const [from, to] = bestWindow(marks, chars);
  const first = marks[from]!.start;
  let reach = first;
  for (let i = from; i < to; i += 1) reach = Math.max(reach, marks[i]!.end);
  const wanted = Math.max(0, first - Math.floor((chars - (reach - first)) / 3));
  const start = wanted === 0 ? 0 : Math.min(first, line.indexOf(' ', wanted - 1) + 1);
  const room = start + chars;
  const end = room >= line.length ? line.length : Math.max(reach, line.lastIndexOf(' ', room));
  return `${start > 0 ? ellipsis : ''}${line.slice(start, end)}${end < line.length ? ellipsis : ''}`;
}

/** The stretch of a section that answers the most of the query; its beginning when only its headings do. */
export function createSnippets(parsed: ParsedQuery, stemOf: StemOf): SnippetOf {
  const { snippetChars } = docSearchLimits;
  const asked = parsed.units.filter(({ weight }) => weight >= 1).map(({ term }) => term);
  const guessed = parsed.units.filter(({ weight }) => weight < 1).map(({ term }) => term);
  const isPlain = parsed.units.every(({ kind }) => kind === 'word');

  /** Phrases, beginnings and insides of words are looked for in the text itself. */
  const searched = (line: string, how: 'words' | 'substring'): string | undefined =>
    highlightField('text', line, { parsed, how, stemOf, snippetChars })?.snippet;

  return (text, how) => {
    const { line } = text;
    const isMarked = isPlain && how === 'words';
    let marks = isMarked ? findMarks(text, asked) : [];
    if (isMarked && marks.length === 0) marks = findMarks(text, guessed);
    if (marks.length > 0) return cutLine(line, marks, snippetChars);
    const found = isMarked ? undefined : searched(line, how);
    return found === undefined ? text.beginning : toPlain(found);
  };
}
