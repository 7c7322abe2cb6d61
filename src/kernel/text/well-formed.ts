import { pointerStep } from '../json/is-object.ts';

/**
 * The same text with one byte per character, if it is ASCII. Node keeps a text that was derived from wider characters
 * in two bytes per character, together with everything that it is joined to.
 */
export const toOneByte = (text: string): string =>
  Buffer.byteLength(text) === text.length ? Buffer.from(text, 'latin1').toString('latin1') : text;

/**
 * Finds text that a store does not keep as it is: a lone surrogate becomes U+FFFD on both engines, and NUL is rejected
 * by one and kept by the other. Returns the JSON Pointer of the first such string (for a key, of its object), or
 * undefined. The pointer is built on the way back, so that valid values cost nothing.
 */
export function findIllFormedText(value: unknown): string | undefined {
  if (typeof value === 'string') return isKeepable(value) ? undefined : '';
  if (value === null || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const found = findIllFormedText(value[i]);
      if (found !== undefined) return `/${i}${found}`;
    }
    return undefined;
  }
  for (const key in value) {
    if (!isKeepable(key)) return '';
    const found = findIllFormedText((value as Record<string, unknown>)[key]);
    if (found !== undefined) return `${pointerStep(key)}${found}`;
  }
  return undefined;
}

const isKeepable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The first character that a store does not keep; -1 if it keeps all. */
export const findIllFormedChar = (text: string): number =>
  text.search(/\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);

/** The text at a JSON Pointer; undefined if something else is there. */
export function textAt(value: unknown, pointer: string): string | undefined {
  const steps = pointer.split('/').slice(1);
  const found = steps.reduce<unknown>(
    (at, step) =>
      (at as Readonly<Record<string, unknown>> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    value,
  );
  return typeof found === 'string' ? found : undefined;
}

/** The same value without NULs in its texts. */
export function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '');
  if (Array.isArray(value)) return value.map(withoutNul);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNul(item)]));
}
