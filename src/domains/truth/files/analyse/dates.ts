import { readDateText } from '../../texts/date-text.ts';

/** The order of day and month in numeric dates with the year last. */
export type DateOrder = 'day-first' | 'month-first';

const yearLast = /\b(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4}|\d{2})\b/g;

/** Where a text may contain a date; `readDateText` decides. */
const candidates: readonly RegExp[] = [
  /\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b/g,
  yearLast,
  /\b\d{1,2}(?:st|nd|rd|th|er|\.)?[ -](?:de |of )?\p{L}{3,10}\.?,?[ -](?:de |of )?\d{4}\b/gu,
  /(?<!\p{L})\p{L}{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b/gu,
];

interface DateMatch {
  readonly at: number;
  readonly date: string;
}

function* matchDates(text: string, order: DateOrder): Generator<DateMatch> {
  for (const candidate of candidates) {
    for (const { index: at, 0: written } of text.matchAll(candidate)) {
      const read = readDateText(written);
      const date = order === 'day-first' ? (read?.dayFirst ?? read?.monthFirst) : (read?.monthFirst ?? read?.dayFirst);
      if (date !== undefined) yield { at, date };
    }
  }
}

/** All existing dates of a text in order of occurrence, as `2026-05-31`. */
export const findDates = (text: string, order: DateOrder): readonly string[] =>
  [...matchDates(text, order)].sort((a, b) => a.at - b.at).map(({ date }) => date);

/** `03/04/2026` is ambiguous. Other dates decide by a number over twelve, otherwise the currency decides. */
export function dateOrderOf(text: string): DateOrder {
  for (const { 1: a, 2: mark, 3: b } of text.matchAll(yearLast)) {
    if (mark === '.') continue;
    if (Number(a) > 12) return 'day-first';
    if (Number(b) > 12) return 'month-first';
  }
  return /\$|\bUSD\b/.test(text) && !/[€£]|\b(?:EUR|GBP|CHF)\b/.test(text) ? 'month-first' : 'day-first';
}
