import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './line-diff.ts';

test('shows changed lines with their neighbours', () => {
  const before = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].join('\n');
  const after = before.replace('five', '5').concat('\nten');
  expect(diffLines(before, after).split('\n')).toEqual([
    ...['…', ' two', ' three', ' four', '-five', '+5', ' six', ' seven', ' eight', ' nine', '+ten'],
  ]);
  expect(diffLines(before, before)).toBe('');
  expect(diffLines('a', 'b')).toBe('-a\n+b');
});

test('the marked lines are the lines of both texts, in order', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after).split('\n');
      fc.pre(before !== after && !lines.includes('…'));
      const side = (mark: string) => lines.filter((line) => line[0] !== mark).map((line) => line.slice(1));
      expect([side('+').join('\n'), side('-').join('\n')]).toEqual([before, after]);
    }),
  );
});

test('long texts without common lines are replaced as a whole', () => {
  const lines = (word: string) => Array.from({ length: 3_000 }, (_, i) => `${word} ${i}`).join('\n');
  expect(diffLines(lines('old'), lines('new')).split('\n')).toHaveLength(6_000);
});
