import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packSigns } from '../../../embed/token-signs.ts';
import { searchLimits } from '../../search-limits.ts';
import { createTokenComparison } from './late-interaction.ts';

const numbers = fc.float({ min: -1, max: 1, noNaN: true });
/** Widths that do not fill their last byte too. */
const rowsOf = (width: number, most: number) =>
  fc
    .integer({ min: 1, max: most })
    .chain((count) =>
      fc
        .array(numbers, { minLength: count * width, maxLength: count * width })
        .map((values) => Float32Array.from(values)),
    );

function comparePlainly(query: Float32Array, document: Float32Array, width: number): number {
  let sum = 0;
  for (let q = 0; q < query.length; q += width) {
    let most = Number.NEGATIVE_INFINITY;
    for (let d = 0; d < document.length; d += width) {
      let product = 0;
      for (let k = 0; k < width; k += 1) product += document[d + k]! >= 0 ? query[q + k]! : -query[q + k]!;
      most = Math.max(most, product);
    }
    sum += most;
  }
  return sum / Math.sqrt(width);
}

describe('late interaction', () => {
  test('packs one bit per number, the lowest first, and each row from a new byte', () => {
    const rows = Float32Array.from([1, -1, 0, -2, -1, -1, -1, -1, 3, -1, -1, -1, -1, -1, -1, -1, -1, 1]);
    expect([...packSigns(rows, 9)]).toEqual([0b101, 1, 0, 1]);
    expect(packSigns(new Float32Array(0), 9)).toHaveLength(0);
  });

  test('equals the plain computation', () => {
    const cases = fc
      .integer({ min: 1, max: 40 })
      .chain((width) => fc.tuple(fc.constant(width), rowsOf(width, 6), rowsOf(width, 6)));
    fc.assert(
      fc.property(cases, ([width, query, document]) => {
        const score = createTokenComparison(query, width)(packSigns(document, width));
        expect(score).toBeCloseTo(comparePlainly(query, document, width), 3);
      }),
    );
  });

  test('of a long query compares the tokens with the largest weights', () => {
    const count = searchLimits.queryTokensCount;
    const heavy = Array.from({ length: count }, () => [0.5, 0.5]).flat();
    const light = Array.from({ length: 10 }, () => [0.25, -0.25]).flat();
    const signs = packSigns(Float32Array.from([1, 1]), 2);
    const score = createTokenComparison(Float32Array.from(heavy), 2)(signs);
    expect(createTokenComparison(Float32Array.from([...light, ...heavy]), 2)(signs)).toBeCloseTo(score, 6);
    expect(createTokenComparison(Float32Array.from([...light, ...heavy.slice(2)]), 2)(signs)).toBeLessThan(score);
  });
});
