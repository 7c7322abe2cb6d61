import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerptOf, splitText, toParts } from './split-text.ts';

describe('parts of a text', () => {
  test('joined, they are the text; none is too long, and no character is split', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }).map((text) => text.toWellFormed()),
        fc.integer({ min: 4, max: 80 }),
        (text, partChars) => {
          const parts = splitText(text, partChars, Number.POSITIVE_INFINITY);
          expect(parts.join('')).toBe(text);
          for (const part of parts) {
            expect(part.length).toBeGreaterThan(0);
            expect(part.length).toBeLessThanOrEqual(partChars + 1);
            expect(part.isWellFormed()).toBe(true);
          }
        },
      ),
    );
  });

  test('cuts between paragraphs, else sentences, else words', () => {
    expect(splitText('one two\n\nthree four', 12, 9)).toEqual(['one two\n\n', 'three four']);
    expect(splitText('One two. Three four', 12, 9)).toEqual(['One two. ', 'Three four']);
    expect(splitText('one two three four', 12, 9)).toEqual(['one two ', 'three four']);
    expect(splitText('onetwothreefour', 12, 9)).toEqual(['onetwothreef', 'our']);
  });

  test('limits the number of parts and drops those without a word', () => {
    expect(splitText('a b c d e f', 2, 3)).toEqual(['a ', 'b ', 'c ']);
    expect(toParts(`a word here\n\n${'-'.repeat(20)}`, 20)).toEqual(['a word here\n\n']);
    expect(toParts('x '.repeat(10_000), 100)).toHaveLength(16);
    expect(toParts(' --- ', 20)).toEqual([]);
  });

  test('scripts without spaces fill a part sooner', () => {
    expect(splitText('語'.repeat(10), 20, 9)).toEqual(['語語語語語', '語語語語語']);
  });

  test('an excerpt is the beginning of its part on one line', () => {
    expect(excerptOf('one two\n\nthree\n  four', 12, 1)).toBe('three four');
    expect(excerptOf('short', 100, 7)).toBe('short');
    expect(excerptOf('x'.repeat(900), 800, 0)).toHaveLength(160);
  });
});
