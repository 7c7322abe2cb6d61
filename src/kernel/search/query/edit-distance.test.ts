import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';

test.each([
  ['hook', 'hook', 0],
  ['hoook', 'hook', 1],
  ['hok', 'hook', 1],
  ['hoko', 'hook', 1],
  ['bool', 'hook', 2],
  ['hook', 'service', 3],
])('from %s to %s it is %i', (a, b, expected) => {
  expect(editDistance(a, b, 2)).toBe(expected);
});

test('it is the same both ways, zero only for the same word, and one edit away is at most one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
  fc.assert(
    fc.property(word, word, fc.nat(6), (a, b, at) => {
      const distance = editDistance(a, b, 9);
      expect(editDistance(b, a, 9)).toBe(distance);
      expect(distance === 0).toBe(a === b);
      expect(editDistance(a, b, 2)).toBe(Math.min(distance, 3));
      expect(editDistance(a, a.slice(0, at) + a.slice(at + 1), 9)).toBeLessThanOrEqual(1);
    }),
  );
});
