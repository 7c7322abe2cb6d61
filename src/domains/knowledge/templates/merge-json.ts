import { isObject } from '#kernel/json/is-object.ts';

type Json = Readonly<Record<string, unknown>>;

/** Objects are merged, everything else is replaced by what comes later. */
export function mergeJson(before: Json, after: Json): Json {
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(after)) {
    const old = merged[key];
    merged[key] = isObject(old) && isObject(value) ? mergeJson(old, value) : value;
  }
  return merged;
}

export function parseJsonObject(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error('a JSON file of a fragment is an object');
  return value;
}

/** As people write it: a list of words stands on one line. */
function print(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  const enclose = (open: string, items: readonly string[], close: string) =>
    `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
  if (Array.isArray(value)) {
    const isFlat = value.every((item) => typeof item !== 'object' || item === null);
    const items = value.map((item) => print(item, inner));
    return isFlat ? `[${items.join(', ')}]` : enclose('[', items, ']');
  }
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${print(item, inner)}`);
  return entries.length === 0 ? '{}' : enclose('{', entries, '}');
}

export const printJson = (value: Json): string => `${print(value, '')}\n`;
