import { scanTokens } from '../../../text/tokens.ts';
import { searchLimits } from '../../search-limits.ts';
import type { StemOf } from '../../stemmer.ts';
import { findInside } from './find-inside.ts';
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
}

/** Undefined if the text has nothing of the query. */
export function highlightField(field: string, text: string, query: HighlightQuery): Highlight | undefined {
  const looked = text.slice(0, searchLimits.highlightChars);
  const marks = query.how === 'words' ? findMarks(looked, query) : findInside(looked, query.parsed);
  if (marks.count === 0) return undefined;
  return { field, ...cutSnippet(text, marks, query.snippetChars ?? searchLimits.snippetChars) };
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
