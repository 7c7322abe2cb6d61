import { searchLimits } from '../search-limits.ts';

/** Letters of scripts without spaces make a piece each where others make four or five. */
const weightOf = (code: number): number => (code < 0x2e80 ? 1 : 4);

const isSecondHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** The place behind the last of these marks, in the second half of what fits; 0 when there is none. */
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
  // Not through the middle of a surrogate pair.
  if (!isSecondHalf(text.charCodeAt(end))) return end;
  return end > from + 1 ? end - 1 : end + 1;
}

/** Cuts a text where it pauses: between paragraphs, else sentences, else words. The parts together are the text. */
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

/** The parts of a text that get a vector each; none when there is no word in it. */
export const toParts = (text: string, partChars: number): readonly string[] =>
  splitText(text, partChars, searchLimits.partsCount).filter(hasWord);

/** What a reader is shown of a part: as long as a snippet of the keyword index. */
export const excerptOf = (text: string, partChars: number, part: number): string =>
  (toParts(text, partChars)[part] ?? text)
    .slice(0, searchLimits.snippetChars * 2)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, searchLimits.snippetChars)
    .toWellFormed();
