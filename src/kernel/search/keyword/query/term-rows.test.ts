import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasDoc, RowFinder } from './term-rows.ts';

test('finds the count of any document, in any order of lookups', () => {
  const counts = fc.dictionary(fc.nat(40).map(String), fc.integer({ min: 1, max: 255 }), { maxKeys: 30 });
  fc.assert(
    fc.property(counts, fc.array(fc.nat(42), { maxLength: 40 }), fc.nat(3), (countOf, docs, before) => {
      const rows = Object.entries(countOf).map(([doc, count]) => (Number(doc) << 8) | count);
      // Other lists of the segment surround this one.
      const all = Uint32Array.from([...Array(before).fill(7 << 8), ...rows.sort((a, b) => a - b), 0, 9 << 8]);
      const list = { field: 0, rows: all, from: before, to: before + rows.length };
      const finder = new RowFinder(list);
      for (const doc of docs) {
        expect(finder.countIn(doc)).toBe(countOf[doc] ?? 0);
        expect(hasDoc(list, doc)).toBe(countOf[doc] !== undefined);
      }
    }),
  );
});
