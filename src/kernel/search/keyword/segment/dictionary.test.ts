import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareByBytes,
  type Dictionary,
  findInfix,
  findPrefix,
  findWord,
  openDictionary,
  toKey,
  wordAt,
} from './dictionary.ts';

const wordArbitrary = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', '犬', '\ue000', '𝒳'),
  minLength: 1,
  maxLength: 5,
});
const wordsArbitrary = fc.uniqueArray(wordArbitrary, { maxLength: 40 });

function toDictionary(words: readonly string[]): Dictionary {
  const keys = words.map((word) => Buffer.from(`${word}\0`));
  const at = new Uint32Array(keys.length + 1);
  keys.forEach((key, i) => {
    at[i + 1] = at[i]! + key.length;
  });
  return openDictionary(Buffer.concat(keys), at);
}

const sorted = (words: readonly string[]) => words.toSorted(compareByBytes);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

test('orders strings by their bytes', () => {
  fc.assert(
    fc.property(wordArbitrary, wordArbitrary, (a, b) => {
      expect(Math.sign(compareByBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test('finds words, prefixes, infixes and suffixes like a plain list', () => {
  fc.assert(
    fc.property(wordsArbitrary, wordArbitrary, (unordered, asked) => {
      const words = sorted(unordered);
      const dictionary = toDictionary(words);
      const places = (matches: (word: string) => boolean) => words.flatMap((word, i) => (matches(word) ? [i] : []));
      const key = toKey(asked);
      expect(words.map((_, i) => wordAt(dictionary, i))).toEqual(words);
      expect(findWord(dictionary, key)).toBe(words.indexOf(asked));
      expect(range(...findPrefix(dictionary, key))).toEqual(places((word) => word.startsWith(asked)));
      expect(findInfix(dictionary, key, false)).toEqual(places((word) => word.includes(asked)));
      expect(findInfix(dictionary, key, true)).toEqual(places((word) => word.endsWith(asked)));
    }),
  );
});
