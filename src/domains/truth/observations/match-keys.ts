import { sha256Hex } from '#kernel/hash/hash.ts';
import { isCompanySuffix, keySeparator, normaliseName } from './entity-name.ts';

/** With fewer letters than this too much looks alike. */
const keyCharsMin = 4;
/** An index takes no key longer than about a third of a page. */
const keyBytesMax = 512;

/** Long texts stand for themselves by their hash. */
export const boundKey = (text: string): string =>
  // A character has at most three bytes for each of its code units.
  text.length * 3 <= keyBytesMax || Buffer.byteLength(text) <= keyBytesMax ? text : `sha256=${sha256Hex(text)}`;

/** What is left of a name when order, punctuation and the form of a company are not looked at; undefined: too little. */
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

/** Identifiers are compared without the blanks and signs that people group them with. */
export function matchKeyOfField(field: string, value: string | number): string | undefined {
  const bare = normaliseName(String(value), false).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
  return bare.length < keyCharsMin ? undefined : boundKey(`${field}=${bare}`);
}

/** What an entity is found by when somebody writes it; `get_entity_by_identifier` asks for both. */
export const identifierOf = (text: string): string => boundKey(normaliseName(text, false));
export const identifiersOf = (text: string): readonly string[] => [
  ...new Set([identifierOf(text), boundKey(normaliseName(text, true))]),
];
