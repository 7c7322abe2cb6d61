import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';

/** Characters shown on each side of the value. */
const contextChars = 40;

/** A number as documents write it. */
function formsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'number') return [];
  const english = value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const german = value.toLocaleString('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return [english, german, value.toFixed(2), value.toLocaleString('en-US'), String(value)];
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
    const from = Math.max(0, start - contextChars);
    return { text: text.slice(from, end + contextChars).toWellFormed(), offset: start - from, start, end };
  }
  return undefined;
}
