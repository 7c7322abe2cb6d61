import type { Json } from '#kernel/json/canonical.ts';
import { truthLimits } from '../../truth-limits.ts';
import { type DateOrder, dateOrderOf, findDates, hasStatedOrder } from './dates.ts';
import type { ParseValue } from './labels.ts';

export type DocumentKind = 'invoice' | 'receipt' | 'statement' | 'contract' | 'document';

/** Named as the capabilities name them. */
export type DocumentFields = Readonly<Record<string, Json>>;

export interface Analysis {
  readonly kind: DocumentKind;
  readonly fields: DocumentFields;
  readonly title: string;
  readonly excerpt: string;
  readonly textChars: number;
  /** The file holds more text than was extracted. */
  readonly isCut: boolean;
  /** The document's own date where the text states it clearly. It may be in the future. */
  readonly documentDate?: DocumentDate;
  /** False if the kind is only the best guess. */
  readonly isKindClear: boolean;
}

export interface DocumentDate {
  readonly ms: number;
  /** Characters of its ISO 8601 form that the document states: 10 for a day, 24 for a moment. */
  readonly chars: number;
}

/** Omits missing fields. */
export const presentFields = (fields: Readonly<Record<string, Json | undefined>>): DocumentFields =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));

const { analysedChars, analysedLineChars } = truthLimits;

/** Columns are separated by tabs or wide gaps; normalises both to one tab. */
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

/** Non-empty lines; of a long text its beginning and end. */
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

/** A text prepared for the extraction rules. */
export interface DocumentText {
  readonly text: string;
  readonly lines: readonly string[];
  readonly order: DateOrder;
  /** Whether other dates of the text show the order. */
  readonly isOrderStated: boolean;
  readonly toDate: ParseValue<string>;
}

export function toDocumentText(text: string): DocumentText {
  const lines = toLines(text);
  const joined = lines.join('\n');
  const order = dateOrderOf(joined);
  return { text, lines, order, isOrderStated: hasStatedOrder(joined), toDate: (value) => findDates(value, order)[0] };
}

export function firstDate({ lines, order }: DocumentText): string | undefined {
  for (const line of lines) {
    const [date] = findDates(line, order);
    if (date !== undefined) return date;
  }
  return undefined;
}
