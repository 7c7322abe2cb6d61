import { scanTokens } from '../../../text/tokens.ts';
import { Marks } from './marks.ts';
import type { ParsedQuery } from './parse-query.ts';

interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly isWhole: boolean;
}

/** Finds the query in a text where its first word may begin and its last word may end inside a word. */
export function findInside(text: string, { words }: ParsedQuery): Marks {
  const [first] = words;
  const last = words.at(-1);
  const marks = new Marks();
  if (first === undefined || last === undefined) return marks;
  const parts = new Map<number, Token>();
  scanTokens(text, (word, position, start, end, isWhole) => {
    const token = { word, start, end, isWhole };
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
