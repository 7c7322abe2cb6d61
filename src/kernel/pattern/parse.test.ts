import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intersect, negate, oneOf, propertySet, toCharSet, withBothCases } from './char-set.ts';
import { parsePattern } from './parse.ts';
import { PatternSyntaxError } from './syntax.ts';

const pieces =
  'a b é \u{1f600} 1 2 , - ! = ( ) [ ] { } * + ? | ^ $ . \\ (?: (?= (?! (?<! (?<n> (?i: [^ {2} {1,3} \\k<n> \\1 \\d \\W \\b \\c \\cA \\0 \\- \\u{1f} \\u0041 \\x41 \\ud83d\\ude00';
const patternLike = fc
  .array(fc.constantFrom(...pieces.split(' ')), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''));

const accepts = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof PatternSyntaxError) return false;
    throw error;
  }
};

describe('reading a pattern', () => {
  it('refuses nothing that the engine takes', () => {
    let taken = 0;
    fc.assert(
      fc.property(patternLike, fc.constantFrom('', 'u', 'v', 'i'), (source, flags) => {
        if (!accepts(() => new RegExp(source, flags))) return;
        taken += 1;
        expect(
          accepts(() => parsePattern(source, flags)),
          `/${source}/${flags}`,
        ).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it('refuses what the engine refuses, but for rare rules of the flag v and of look-behinds', () => {
    fc.assert(
      fc.property(patternLike, fc.constantFrom('', 'u'), (source, flags) => {
        fc.pre(!source.includes('(?<') && !accepts(() => new RegExp(source, flags)));
        expect(
          accepts(() => parsePattern(source, flags)),
          `/${source}/${flags}`,
        ).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('sets of characters', () => {
  const set = fc
    .array(fc.tuple(fc.nat(40), fc.nat(10)), { maxLength: 4 })
    .map((ranges) => toCharSet(ranges.map(([low, size]) => [low, low + size] as const)));
  const has = (of: readonly (readonly [number, number])[], code: number) =>
    of.some(([low, high]) => low <= code && code <= high);

  it('know their complement and their intersection, character by character', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        for (let code = 0; code <= 60; code += 1) {
          expect(has(negate(a), code)).toBe(!has(a, code));
          expect(has(intersect(a, b), code)).toBe(has(a, code) && has(b, code));
        }
        expect(negate(negate(a))).toEqual(a);
      }),
    );
  });

  it('know both cases and the properties of Unicode', () => {
    expect(withBothCases(oneOf('aÉ'))).toEqual(oneOf('aAéÉ'));
    const letters = propertySet('\\p{L}');
    for (const char of ['a', 'é', '日', '\u{1d400}'])
      expect(intersect(letters, oneOf(char)), char).toEqual(oneOf(char));
    for (const char of ['1', ' ', '\u{1f600}']) expect(intersect(letters, oneOf(char)), char).toEqual([]);
  });
});
