import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSimilarityScale } from './similarity-scale.ts';

const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const threshold = fc.double({ min: 0.05, max: 0.95, noNaN: true });

test('maps 0 to 0, the threshold of the model to 0.7 and 1 to 1', () => {
  const { isCalibrated, toShown } = createSimilarityScale(0.323);
  expect(isCalibrated).toBe(true);
  expect([0, 0.323, 1].map(toShown)).toEqual([0, 0.7, 1]);
});

test('keeps the order of similarities and can be reversed', () => {
  fc.assert(
    fc.property(threshold, cosine, cosine, (relevantFrom, a, b) => {
      const { toShown, toCosine } = createSimilarityScale(relevantFrom);
      expect(toCosine(toShown(a))).toBeCloseTo(a, 9);
      if (a < b) expect(toShown(a)).toBeLessThanOrEqual(toShown(b));
      expect(Math.abs(toShown(a))).toBeLessThanOrEqual(1);
    }),
  );
});

test('shows the raw cosine of a model without a calibration', () => {
  const { isCalibrated, toShown, toCosine } = createSimilarityScale(undefined);
  expect(isCalibrated).toBe(false);
  expect([toShown(0.4), toCosine(0.4)]).toEqual([0.4, 0.4]);
});
