import type { Json } from '#kernel/json/canonical.ts';
import { truthLimits } from '../../truth-limits.ts';
import { type DateOrder, dateOrderOf, findDates } from './dates.ts';
import type { ParseValue } from './labels.ts';

export type DocumentKind = 'invoice' | 'receipt' | 'statement' | 'contract' | 'document';

/** What the rules found, under the names that the capabilities use. */
export type DocumentFields = Readonly<Record<string, Json>>;

export interface Analysis {
  readonly kind: DocumentKind;
  readonly fields: DocumentFields;
  readonly title: string;
  /** The beginning of the text. */
  readonly excerpt: string;
  readonly textChars: number;
  /** The file holds more text than was read. */
  readonly isCut: boolean;
}

/** Leaves out what was not found. */
export const presentFields = (fields: Readonly<Record<string, Json | undefined>>): DocumentFields =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));

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
function toLines(text: string): readonly string[] {
  const part =
    text.length <= analysedChars
      ? text
      : `${text.slice(0, analysedChars / 2)}\n${text.slice(text.length - analysedChars / 2)}`;
  return part
    .split('\n')
    .map(toLine)
    .filter((line) => line !== '');
}

/** A text as the rules see it. */
export interface DocumentText {
  readonly text: string;
  readonly lines: readonly string[];
  readonly order: DateOrder;
  readonly toDate: ParseValue<string>;
}

export function toDocumentText(text: string): DocumentText {
  const lines = toLines(text);
  const order = dateOrderOf(lines.join('\n'));
  return { text, lines, order, toDate: (value) => findDates(value, order)[0] };
}

/** The first date of the paper, wherever it stands. */
export function firstDate({ lines, order }: DocumentText): string | undefined {
  for (const line of lines) {
    const [date] = findDates(line, order);
    if (date !== undefined) return date;
  }
  return undefined;
}
