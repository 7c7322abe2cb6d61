import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

const count = (text: string): number => Math.max(countCl100k(text), countO200k(text));

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8').slice(0, 20_000);

describe('the estimate of tokens', () => {
  it.each([
    'README.md',
    'docs/explanation/truth.md',
    'src/kernel/tool/invoke.ts',
    'tests/snapshots/tools/store_fact.json',
  ])('is above the real number for %s, and at most 60 percent above', (path) => {
    const text = read(path);
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(count(text));
    expect(estimateTokens(text)).toBeLessThanOrEqual(count(text) * 1.6);
  });

  const alphabets = {
    letters: 'abcdefghijklmnopqrstuvwxyz',
    'letters of both cases': 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
    words: 'abcdefghijklmnopqrstuvwxyz   ',
    hexadecimal: '0123456789abcdef',
    marks: '!"#$%&()*+,-./:;<=>?@[]^_{|}~ ',
    cyrillic: 'абвгдежзиклмнопрстуфхцчшщыэюя ',
    greek: 'αβγδεζηθικλμνξοπρστυφχψω ',
    japanese: '日本語東京会議資料検索記憶事実規則かなカナひらがな',
    'rare signs': '龘靐齉爩鱻麤龗灪吁龖厵滟爨癵籱饢驫',
    emoji: '😀🎉🚀🧪🔥👩‍🚀',
    blanks: ' \n\t',
  };
  it.each(Object.entries(alphabets))('is above the real number for random %s', (_name, signs) => {
    const sign = fc.constantFrom(...signs);
    fc.assert(
      fc.property(fc.array(sign, { minLength: 200, maxLength: 600 }), (some) => {
        const text = some.join('');
        return estimateTokens(text) >= count(text);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it('counts nothing for an empty text', () => expect(estimateTokens('')).toBe(0));

  it('negative control: a quarter of the characters is below the real number for hexadecimal text', () => {
    const text = '9f3ab27c'.repeat(50);
    expect(text.length / 4).toBeLessThan(count(text));
  });
});
