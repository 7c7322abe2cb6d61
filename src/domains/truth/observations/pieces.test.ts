import fc from 'fast-check';
import { expect, test } from 'vitest';
import { piecesOf } from './pieces.ts';

test('pieces hold every row once, in order, and come in few sizes', () => {
  const sizes = new Set<number>();
  fc.assert(
    fc.property(fc.nat(1_500), (count) => {
      const rows = Array.from({ length: count }, (_, i) => i);
      const pieces = [...piecesOf(rows)];
      expect(pieces.flat()).toEqual(rows);
      for (const piece of pieces) sizes.add(piece.length);
    }),
  );
  expect(sizes.has(0)).toBe(false);
  expect(sizes.size).toBeLessThanOrEqual(10);
});
