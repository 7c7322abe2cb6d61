import { scanTokens } from '../../../text/tokens.ts';
import { searchLimits } from '../../search-limits.ts';
import type { StemOf } from '../../stemmer.ts';
import { Marks } from './marks.ts';
import type { ParsedQuery, QueryTerm } from './parse-query.ts';
import { cutSnippet } from './snippet.ts';

/** The best part of one field. Ranges are [start, end) in the snippet, in UTF-16 units. */
export interface Highlight {
  readonly field: string;
  readonly snippet: string;
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

export interface HighlightQuery {
  readonly parsed: ParsedQuery;
  readonly how: 'words' | 'substring';
  readonly stemOf: StemOf;
  readonly snippetChars?: number;
  /** Leaves space for text after the last mark, where an answer often follows its question. */
  readonly markedChars?: number;
}

/** Undefined if the text has nothing of the query. */
export function highlightField(field: string, text: string, query: HighlightQuery): Highlight | undefined {
  const looked = text.slice(0, searchLimits.highlightChars);
  const marks = query.how === 'words' ? findMarks(looked, query) : findInside(looked, query.parsed);
  if (marks.count === 0) return undefined;
  const { snippetChars = searchLimits.snippetChars, markedChars } = query;
  return { field, ...cutSnippet(text, marks, snippetChars, markedChars) };
}

interface Token {
  readonly word: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

function findMarks(text: string, { parsed, stemOf }: HighlightQuery): Marks {
  const marks = new Marks();
  const parts = new Map<number, Token>();
  const hasPhrase = parsed.terms.some(({ kind }) => kind === 'phrase');
  const byStem = new Map<string, number>();
  const prefixes: [prefix: string, term: number][] = [];
  parsed.terms.forEach(({ kind, key: term }, i) => {
    if (kind === 'word') byStem.set(term, i);
    if (kind === 'prefix') prefixes.push([term, i]);
  });
  scanTokens(text, (word, position, start, end, isWhole) => {
    if (hasPhrase && !isWhole) parts.set(position, { word, position, start, end });
    const term = byStem.get(stemOf(word)) ?? prefixes.find(([prefix]) => word.startsWith(prefix))?.[1];
    if (term !== undefined) marks.add(start, end, term);
  });
  if (hasPhrase) {
    parsed.terms.forEach((term, i) => {
      if (term.kind === 'phrase') markPhrase(term, i, parts, marks);
    });
  }
  return marks;
}

function markPhrase(term: QueryTerm, number: number, parts: ReadonlyMap<number, Token>, marks: Marks): void {
  for (const first of parts.values()) {
    const tokens = term.slots.map(({ word, offset }) => {
      const token = parts.get(first.position + offset);
      return token?.word === word ? token : undefined;
    });
    const last = tokens.at(-1);
    if (last !== undefined && !tokens.includes(undefined)) marks.add(first.start, last.end, number);
  }
}

/** Finds the query in a text where its first word may begin and its last word may end inside a word. */
function findInside(text: string, { words }: ParsedQuery): Marks {
  const [first] = words;
  const last = words.at(-1);
  const marks = new Marks();
  if (first === undefined || last === undefined) return marks;
  const parts = new Map<number, Token>();
  scanTokens(text, (word, position, start, end, isWhole) => {
    const token = { word, position, start, end };
    if (words.length === 1 && word.includes(first.word)) {
      const [from, to] = placeInside(token, first.word);
      marks.add(from, to, 0);
    }
    if (!isWhole) parts.set(position, token);
  });
  if (words.length === 1) return marks;
  for (const [position, token] of parts) {
    if (!token.word.endsWith(first.word)) continue;
    const rest = words.slice(1).map(({ word, offset }, i) => {
      const found = parts.get(position + offset - first.offset);
      const isRight = i === words.length - 2 ? found?.word.startsWith(word) : found?.word === word;
      return isRight === true ? found : undefined;
    });
    const end = rest.at(-1);
    if (end === undefined || rest.includes(undefined)) continue;
    marks.add(token.end - first.word.length, placeInside(end, last.word)[1], 0);
  }
  return marks;
}

/** Folding can change a word's length; then the whole word is marked. */
function placeInside({ word, start, end }: Token, part: string): readonly [start: number, end: number] {
  if (word.length !== end - start) return [start, end];
  const at = start + word.indexOf(part);
  return [at, at + part.length];
}
