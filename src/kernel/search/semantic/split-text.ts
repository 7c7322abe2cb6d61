import { searchLimits } from '../search-limits.ts';

/** A letter of a script without spaces is a token of its own; others share one by four or five. */
const weightOf = (code: number): number => (code < 0x2e80 ? 1 : 4);

const isSecondHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** The position after the last of these marks in the second half of what fits; 0 if there is none. */
function breakBehind(text: string, from: number, end: number, marks: readonly string[]): number {
  const half = from + Math.floor((end - from) / 2);
  let best = 0;
  for (const mark of marks) {
    const at = text.lastIndexOf(mark, end - mark.length);
    if (at >= half) best = Math.max(best, at + mark.length);
  }
  return best;
}

function endOfPart(text: string, from: number, partChars: number): number {
  let end = from;
  for (let weight = 0; end < text.length; end += 1) {
    weight += weightOf(text.charCodeAt(end));
    if (weight > partChars) break;
  }
  if (end >= text.length) return text.length;
  const kinds = [['\n\n'], ['\n', '. ', '! ', '? ', '。'], [' ', '\t']];
  for (const marks of kinds) {
    const place = breakBehind(text, from, end, marks);
    if (place > from) return place;
  }
  if (end === from) end = from + 1;
  // Not inside a surrogate pair.
  if (!isSecondHalf(text.charCodeAt(end))) return end;
  return end > from + 1 ? end - 1 : end + 1;
}

/** Cuts a text between paragraphs, else sentences, else words. The parts together are the text. */
export function splitText(text: string, partChars: number, countMax: number): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length && parts.length < countMax; ) {
    const end = endOfPart(text, from, partChars);
    parts.push(text.slice(from, end));
    from = end;
  }
  return parts;
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** The parts of a text that get a vector each; none if it has no word. */
export const toParts = (text: string, partChars: number): readonly string[] =>
  splitText(text, partChars, searchLimits.partsCount).filter(hasWord);

/** The shown part of a hit, as long as a snippet of the keyword index. */
export const excerptOf = (text: string, partChars: number, part: number): string =>
  (toParts(text, partChars)[part] ?? text)
    .slice(0, searchLimits.snippetChars * 2)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, searchLimits.snippetChars)
    .toWellFormed();
