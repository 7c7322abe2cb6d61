/** The order of day and month in numeric dates with the year last. */
export type DateOrder = 'day-first' | 'month-first';

const months: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'jänner', 'janvier', 'enero'],
  ['february', 'feb', 'februar', 'février', 'febrero'],
  ['march', 'mar', 'märz', 'mars', 'marzo'],
  ['april', 'apr', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'jun', 'juni', 'juin', 'junio'],
  ['july', 'jul', 'juli', 'juillet', 'julio'],
  ['august', 'aug', 'août', 'agosto'],
  ['september', 'sep', 'sept', 'septembre', 'septiembre'],
  ['october', 'oct', 'oktober', 'okt', 'octobre', 'octubre'],
  ['november', 'nov', 'novembre', 'noviembre'],
  ['december', 'dec', 'dezember', 'dez', 'décembre', 'diciembre'],
];

const monthNumbers: ReadonlyMap<string, number> = new Map(
  months.flatMap((names, i) => names.map((name) => [name, i + 1] as const)),
);

const yearFirst = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/g;
const yearLast = /\b(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4}|\d{2})\b/g;
const dayMonthYear = /\b(\d{1,2})(?:st|nd|rd|th|\.)?[ -](?:de |of )?(\p{L}{3,10})\.?,?[ -](?:de |of )?(\d{4})\b/gu;
const monthDayYear = /(?<!\p{L})(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/gu;

/** Two digits mean this century, as on receipts. */
const fullYear = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number(text));

function toIsoDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = year >= 1900 && year <= 2199 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : undefined;
}

export interface DateMatch {
  readonly at: number;
  readonly date: string;
  /** Why it may mean another day: day and month could be swapped, or two digits could be the day and not the year. */
  readonly doubt?: 'order' | 'year';
}

type MaybeDate = Omit<DateMatch, 'date'> & { readonly date: string | undefined };

function* matchDates(text: string, order: DateOrder): Generator<MaybeDate> {
  for (const { index: at, 1: y, 2: m, 3: d } of text.matchAll(yearFirst))
    yield { at, date: toIsoDate(Number(y), Number(m), Number(d)) };
  for (const { index: at, 1: a, 2: mark, 3: b, 4: y } of text.matchAll(yearLast)) {
    // Dates with dots have the day first.
    const isDayFirst = mark === '.' || order === 'day-first' ? Number(b) <= 12 : Number(a) > 12;
    const [day, month] = isDayFirst ? [a, b] : [b, a];
    const hasOneOrder = mark === '.' || Number(a) > 12 || Number(b) > 12 || Number(a) === Number(b);
    const date = toIsoDate(fullYear(y!), Number(month), Number(day));
    if (y!.length === 2) yield { at, date, doubt: 'year' };
    else yield hasOneOrder ? { at, date } : { at, date, doubt: 'order' };
  }
  for (const { index: at, 1: d, 2: name, 3: y } of text.matchAll(dayMonthYear))
    yield { at, date: toIsoDate(Number(y), monthNumbers.get(name!.toLowerCase()) ?? 0, Number(d)) };
  for (const { index: at, 1: name, 2: d, 3: y } of text.matchAll(monthDayYear))
    yield { at, date: toIsoDate(Number(y), monthNumbers.get(name!.toLowerCase()) ?? 0, Number(d)) };
}

/** All existing dates of a text in order of occurrence. */
export const findDateMatches = (text: string, order: DateOrder): readonly DateMatch[] =>
  [...matchDates(text, order)]
    .filter((match): match is DateMatch => match.date !== undefined)
    .sort((a, b) => a.at - b.at);

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
