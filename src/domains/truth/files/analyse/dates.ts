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

export interface DateMatch {
  readonly at: number;
  readonly date: string;
  /** Why it may mean another day: day and month could be swapped, or two digits could be the day and not the year. */
  readonly doubt?: 'order' | 'year';
}

function* matchDates(text: string, order: DateOrder): Generator<DateMatch> {
  for (const candidate of candidates) {
    for (const { index: at, 0: written } of text.matchAll(candidate)) {
      const { dayFirst, monthFirst, isShortYear } = readDateText(written) ?? {};
      const date = order === 'day-first' ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
      if (date === undefined) continue;
      const hasOneOrder = (dayFirst ?? date) === (monthFirst ?? date);
      if (isShortYear === true) yield { at, date, doubt: 'year' };
      else yield hasOneOrder ? { at, date } : { at, date, doubt: 'order' };
    }
  }
}

/** All existing dates of a text in order of occurrence. */
export const findDateMatches = (text: string, order: DateOrder): readonly DateMatch[] =>
  [...matchDates(text, order)].sort((a, b) => a.at - b.at);

/** The same as `2026-05-31`. */
export const findDates = (text: string, order: DateOrder): readonly string[] =>
  findDateMatches(text, order).map(({ date }) => date);

function* statedOrders(text: string, yearDigits = 0): Generator<DateOrder> {
  for (const { 1: a, 2: mark, 3: b, 4: y } of text.matchAll(yearLast)) {
    if (mark === '.' || y!.length < yearDigits) continue;
    if (Number(a) > 12) yield 'day-first';
    else if (Number(b) > 12) yield 'month-first';
  }
}

/** Whether the dates of the text show one order, so that `03/04/2026` has one meaning in it. */
export const hasStatedOrder = (text: string): boolean => new Set(statedOrders(text, 4)).size === 1;

/** `03/04/2026` is ambiguous. Other dates decide by a number over twelve, otherwise the currency decides. */
export function dateOrderOf(text: string): DateOrder {
  for (const order of statedOrders(text)) return order;
  return /\$|\bUSD\b/.test(text) && !/[€£]|\b(?:EUR|GBP|CHF)\b/.test(text) ? 'month-first' : 'day-first';
}
