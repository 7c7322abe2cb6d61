import { scanTokens } from '../../text/tokens.ts';
import type { Mark } from './highlight.ts';
import type { ParsedQuery } from './parse-query.ts';

interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly isWhole: boolean;
}

/** Where a query stands in a text though its words begin or end inside of others. */
export function findInside(text: string, { words }: ParsedQuery): readonly Mark[] {
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return [];
  const parts = new Map<number, Token>();
  const marks: Mark[] = [];
  scanTokens(text, (word, position, start, end, isWhole) => {
    const token = { word, start, end, isWhole };
    if (words.length === 1 && word.includes(first.word)) marks.push(markInside(token, first.word));
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
    marks.push({ start: token.end - first.word.length, end: markInside(end, last.word).end, unit: 0 });
  }
  return marks;
}

/** Folding can change a word's length; then the whole of it is marked. */
function markInside({ word, start, end }: Token, part: string): Mark {
  if (word.length !== end - start) return { start, end, unit: 0 };
  const at = start + word.indexOf(part);
  return { start: at, end: at + part.length, unit: 0 };
}
