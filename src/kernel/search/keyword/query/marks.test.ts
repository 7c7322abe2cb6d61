import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Marks } from './marks.ts';

type Mark = readonly [start: number, end: number, term: number];

const mark: fc.Arbitrary<Mark> = fc
  .tuple(fc.nat(400), fc.integer({ min: 1, max: 30 }), fc.nat(4))
  .map(([start, chars, term]) => [start, start + chars, term]);

/** The definition: each window begins with a mark and has all marks that end within the limit, at least that one. */
function plainWindow(marks: readonly Mark[], chars: number): readonly [number, number] {
  let best: readonly [number, number] = [0, 1];
  let bestWorth = 0;
  marks.forEach(([start], from) => {
    let to = from + 1;
    while (to < marks.length && marks[to]![1] - start <= chars) to += 1;
    const worth = new Set(marks.slice(from, to).map(([, , term]) => term)).size * marks.length + to - from;
    if (worth > bestWorth) [best, bestWorth] = [[from, to], worth];
  });
  return best;
}

test('keeps marks in text order, the longer first, and finds the best window', () => {
  const marks = new Marks();
  fc.assert(
    fc.property(fc.array(mark, { minLength: 1, maxLength: 150 }), fc.integer({ min: 1, max: 200 }), (given, chars) => {
      marks.clear();
      for (const one of given) marks.add(...one);
      const ordered = given.toSorted((a, b) => a[0] - b[0] || b[1] - a[1]);
      const [from, to] = marks.bestWindow(chars);
      const found = given.map((_, i): Mark => [marks.starts[i]!, marks.ends[i]!, marks.terms[i]!]);
      expect(found).toEqual(ordered);
      expect(marks.endOf(from, to)).toBe(Math.max(...ordered.slice(from, to).map(([, end]) => end)));
      // Otherwise equal marks keep the order of insertion.
      expect([from, to]).toEqual(plainWindow(ordered, chars));
    }),
    { numRuns: 500 },
  );
});

test('sorts a hundred thousand unordered marks in sort time', () => {
  const marks = new Marks();
  for (let i = 100_000; i > 0; i -= 1) marks.add(i, i + 1, 0);
  expect(marks.bestWindow(10)).toEqual([0, 10]);
  expect(marks.starts.slice(0, 3)).toEqual([1, 2, 3]);
});
