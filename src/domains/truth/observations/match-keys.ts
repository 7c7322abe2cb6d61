import { sha256Hex } from '#kernel/hash/hash.ts';
import { isCompanySuffix, keySeparator, normaliseName } from './entity-name.ts';

/** Shorter keys would match too much. */
const keyCharsMin = 4;
/** PostgreSQL indexes no key longer than about a third of a page. */
const keyBytesMax = 512;

export const boundKey = (text: string): string =>
  // A UTF-16 code unit takes at most three bytes.
  text.length * 3 <= keyBytesMax || Buffer.byteLength(text) <= keyBytesMax ? text : `sha256=${sha256Hex(text)}`;

/** The name without word order, punctuation and company suffixes; undefined if too short. */
export function matchKeyOfName(name: string): string | undefined {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(keySeparator, ' ')
    .split(' ')
    .filter((word) => !isCompanySuffix(word))
    .flatMap((word) => word.split(/[^\p{L}\p{M}\p{N}]+/u))
    .filter((word) => word !== '');
  const key = words.sort().join(' ');
  return key.replaceAll(' ', '').length < keyCharsMin ? undefined : boundKey(`name=${key}`);
}

/** Ignores the blanks and punctuation that group identifiers. */
export function matchKeyOfField(field: string, value: string | number): string | undefined {
  const bare = normaliseName(String(value), false).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
  return bare.length < keyCharsMin ? undefined : boundKey(`${field}=${bare}`);
}

/** The second form lets `get_entity_by_identifier` find companies without their suffix. */
export const identifierOf = (text: string): string => boundKey(normaliseName(text, false));
export const identifiersOf = (text: string): readonly string[] => [
  ...new Set([identifierOf(text), boundKey(normaliseName(text, true))]),
];
