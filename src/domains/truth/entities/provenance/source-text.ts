import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';

/** Characters shown on each side of the value. */
const contextChars = 40;

const wholeDay = /^\d{4}-\d\d-\d\d$/;

/** A day as documents write it, where day and month cannot be confused. */
function formsOfDay(day: string): readonly string[] {
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return [];
  const [year, month, dayOfMonth] = day.split('-').map(Number) as [number, number, number];
  const names = (['long', 'short'] as const).flatMap((style) => {
    const nameIn = (locale: string) => date.toLocaleDateString(locale, { month: style, timeZone: 'UTC' });
    const [english, german] = [nameIn('en-GB'), nameIn('de-DE')];
    return [
      `${dayOfMonth} ${english} ${year}`,
      `${english} ${dayOfMonth}, ${year}`,
      `${dayOfMonth}. ${german} ${year}`,
    ];
  });
  const [mm, dd] = [month, dayOfMonth].map((part) => String(part).padStart(2, '0'));
  return [...names, `${dd}.${mm}.${year}`, `${dayOfMonth}.${month}.${year}`];
}

/** A number or a day as documents write it. */
function formsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return wholeDay.test(value) ? [value, ...formsOfDay(value)] : [value];
  if (typeof value !== 'number') return [];
  const english = value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const german = value.toLocaleString('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return [english, german, value.toFixed(2), value.toLocaleString('en-US'), String(value)];
}

/** Where the context before a place begins: at the beginning of a word, if one is near. */
function wordStart(text: string, place: number): number {
  const from = place - contextChars;
  if (from <= 0) return 0;
  const space = text.slice(from, place).search(/\s\S/);
  return space === -1 ? from : from + space + 1;
}

/** Where the value is in the text that was extracted from a file; undefined if it is written in another way. */
export function findInText(properties: string, value: Json) {
  const parsed = JSON.parse(properties) as unknown;
  const text = isObject(parsed) ? parsed['text'] : undefined;
  if (typeof text !== 'string') return undefined;
  for (const form of formsOf(value)) {
    const start = form === '' ? -1 : text.indexOf(form);
    if (start === -1) continue;
    const end = start + form.length;
    const from = wordStart(text, start);
    return { text: text.slice(from, end + contextChars).toWellFormed(), offset: start - from, start, end };
  }
  return undefined;
}
