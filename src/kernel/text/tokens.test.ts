import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanTokens, wordCharsMax } from './tokens.ts';

interface Token {
  readonly word: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
  readonly isWhole: boolean;
}

function tokensOf(text: string): { readonly tokens: readonly Token[]; readonly count: number } {
  const tokens: Token[] = [];
  const count = scanTokens(text, (word, position, start, end, isWhole) =>
    tokens.push({ word, position, start, end, isWhole }),
  );
  return { tokens, count };
}

/** `word@position`, with a star after a compound. */
const shown = (text: string): string =>
  tokensOf(text)
    .tokens.map(({ word, position, isWhole }) => `${word}@${position}${isWhole ? '*' : ''}`)
    .join(' ');

test.each([
  ['plain words', 'Use the hook', 'use@0 the@1 hook@2'],
  ['a dotted name', 'app.use(x)', 'app.use@0* app@0 use@1 x@2'],
  ['camel case', 'HookContext', 'hookcontext@0* hook@0 context@1'],
  ['capitals before a word', 'HTTPServer', 'httpserver@0* http@0 server@1'],
  ['a plural of capitals', 'URLs', 'urls@0'],
  ['digits inside camel case', 'oauth2Token', 'oauth2token@0* oauth2@0 token@1'],
  ['code with braces', 'before: { create }', 'before@0 create@1'],
  ['snake case', 'user_id __init__', 'user_id@0* user@0 id@1 init@2'],
  ['kebab case', 'first-class --flag', 'first-class@0* first@0 class@1 flag@2'],
  ['compounds in compounds', 'ctx.userId', 'ctx.userid@0* ctx@0 userid@1* user@1 id@2'],
  ['a version', 'v5.0.1', 'v5.0.1@0* v5@0 0@1 1@2'],
  ['the end of a sentence', 'End. Next...last', 'end@0 next@1 last@2'],
  ['apostrophes', "don't the user's user’s", 'dont@0 the@1 user@2 user@3'],
  ['apostrophes before and behind digits', "rock'5 don't5", 'rock@0 5@1 dont@2 5@3'],
  ['accents and widths', 'Café naïve ﬁle Ａｂｃ', 'cafe@0 naive@1 file@2 abc@3'],
  ['scripts with vowel signs', 'हिन्दी', 'हिन्दी@0'],
  ['scripts without blanks', '日本語 犬 abc日本', '日本@0 本語@1 犬@2 abc@3 日本@4'],
  ['no words', ' {}()*/ — … 🙂', ''],
])('%s', (_name, text, expected) => {
  expect(shown(text)).toBe(expected);
});

test('uses only the beginning of a very long word, without parts', () => {
  expect(tokensOf(`${'x'.repeat(wordCharsMax + 1)} y`).tokens.map(({ word }) => word.length)).toEqual([
    wordCharsMax,
    1,
  ]);
  const { tokens, count } = tokensOf('aB'.repeat(100));
  expect(tokens.map(({ word }) => word)).toEqual(['ab'.repeat(wordCharsMax / 2)]);
  expect(count).toBe(1);
  expect(tokensOf('𝒳𝟙'.repeat(100)).tokens[0]?.word.isWellFormed()).toBe(true);
});

test('scans five megabytes without a blank quickly', () => {
  expect(tokensOf('x'.repeat(5_000_000)).count).toBe(1);
  expect(tokensOf("a.b'".repeat(300_000)).count).toBeGreaterThan(0);
});

test.each([
  ['joined words', "a.b'", 2_000_000, 2_000_001],
  ['a script without blanks', '犬', 5_000_000, 4_999_999],
])('scans megabytes of %s quickly', (_what, unit, times, count) => {
  expect(scanTokens(unit.repeat(times), () => {})).toBe(count);
});

/** The definition of a compound as a regular expression, which fails on long words. */
const runs = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*(?:(?:[.-]|_+)[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*)*/gu;

test('joins exactly the words that are connected', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      ...['a', 'B', '1', '_', '__', '.', '-', "'", '’', ' ', 'é', '日', '𝒳', '\u0301', '\ud800', '\udc00', 's'],
    ),
    fc.string({ unit: 'binary', maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const joined = [...text.matchAll(runs)].map((match) => tokensOf(match[0]));
      const words = joined.flatMap(({ tokens }) => tokens.map(({ word, isWhole }) => [word, isWhole]));
      const { tokens, count } = tokensOf(text);
      expect(tokens.map(({ word, isWhole }) => [word, isWhole])).toEqual(words);
      expect(count).toBe(joined.reduce((sum, one) => sum + one.count, 0));
    }),
  );
});

test('tokens are in the text, in order, without blanks or capitals', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(fc.constantFrom(..."aBc1_.-'’ é日犬ß{"), fc.string({ unit: 'binary', maxLength: 1 })),
      }),
      (text) => {
        const { tokens, count } = tokensOf(text);
        let last = -1;
        for (const { word, position, start, end, isWhole } of tokens) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(word).not.toMatch(/[\s\0A-Z]/);
          expect(position).toBeLessThan(count);
          if (isWhole) expect(position).toBeGreaterThanOrEqual(last);
          else {
            expect(position).toBeGreaterThan(last);
            last = position;
          }
        }
      },
    ),
  );
});
