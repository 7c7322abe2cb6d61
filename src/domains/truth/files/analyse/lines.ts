import { truthLimits } from '../../truth-limits.ts';

const { analysedChars, analysedLineChars } = truthLimits;

/** Columns are parted by tabs or by wide gaps; here by one tab. */
const toLine = (line: string): string =>
  line
    .slice(0, analysedLineChars)
    .replaceAll(/[\u00a0\u2007\u202f]/g, ' ')
    .replaceAll(/ {3,}/g, '\t')
    .replaceAll(/ {2}/g, ' ')
    .split('\t')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join('\t');

/** The lines that hold something: of a long text its beginning and its end. */
export function toLines(text: string): readonly string[] {
  const part =
    text.length <= analysedChars
      ? text
      : `${text.slice(0, analysedChars / 2)}\n${text.slice(text.length - analysedChars / 2)}`;
  return part
    .split('\n')
    .map(toLine)
    .filter((line) => line !== '');
}
