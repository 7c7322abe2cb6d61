import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance, nearest } from '#kernel/text/edit-distance.ts';

it.each([
  ['port', 'port', 0],
  ['prot', 'port', 1],
  ['prt', 'port', 1],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
])('counts the edits from %s to %s', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
});

it('is symmetric, and zero only for the same word', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
});

it('prefers a word that begins with the given one', () => {
  expect(nearest('dash', ['host', 'dashboard'])).toBe('dashboard');
  expect(nearest('x', [])).toBeUndefined();
});
