import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toShift } from './replace-cell.ts';

const moveItem = <T>(items: readonly T[], index: number, newIndex: number): readonly T[] =>
  items.toSpliced(index, 1).toSpliced(newIndex, 0, items[index]!);

const move = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    index: fc.nat({ max: count - 1 }),
    newIndex: fc.nat({ max: count - 1 }),
  }),
);

test('[NB10] shifting the other cells gives the same order as moving the cell in a list', () => {
  fc.assert(
    fc.property(move, ({ count, index, newIndex }) => {
      const shift = toShift(index, newIndex);
      const positions = Array.from({ length: count }, (_, at) => {
        if (at === index) return newIndex;
        return shift !== undefined && at >= shift.from && at <= shift.to ? at + shift.by : at;
      });
      const byPosition = [...positions.keys()].sort((a, b) => positions[a]! - positions[b]!);
      expect(positions.toSorted((a, b) => a - b)).toEqual([...positions.keys()]);
      expect(moveItem([...positions.keys()], index, newIndex)).toEqual(byPosition);
    }),
  );
});

test('[NB10] a cell that keeps its index shifts no other', () => {
  expect(toShift(3, 3)).toBeUndefined();
});
