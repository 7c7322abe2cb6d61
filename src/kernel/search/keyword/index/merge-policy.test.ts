import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planMerge, type SegmentSize } from './merge.ts';

const tuning = { mergeWidthCount: 4, smallestSegmentBytes: 100, largestSegmentBytes: 5_000 };
const segment = (id: number, bytes: number, deadDocs = 0): SegmentSize => ({
  id: `s${id}`,
  bytes,
  docs: bytes,
  deadDocs,
});

test('merges a full level and leaves others alone', () => {
  const level = [segment(1, 90), segment(2, 100), segment(3, 80)];
  expect(planMerge(level, tuning)).toBeUndefined();
  expect(planMerge([...level, segment(4, 50)], tuning)).toEqual(['s4', 's3', 's1', 's2']);
});

test('rewrites a segment with many dead documents alone', () => {
  expect(planMerge([segment(1, 90), segment(2, 90, 31)], tuning)).toEqual(['s2']);
  expect(planMerge([segment(1, 90, 30)], tuning)).toBeUndefined();
});

test('never plans a segment above the maximum', () => {
  const large = [1, 2, 3, 4, 5].map((id) => segment(id, 2_000));
  expect(planMerge(large, tuning)).toEqual(['s1', 's2']);
  expect(
    planMerge(
      [1, 2, 3, 4, 5].map((id) => segment(id, 4_000)),
      tuning,
    ),
  ).toBeUndefined();
});

/** Adds segments of one size and runs every due merge after each. */
function grow(arrivals: readonly number[]): { segments: SegmentSize[]; mergedBytes: number; largestMerge: number } {
  let segments: SegmentSize[] = [];
  let mergedBytes = 0;
  let largestMerge = 0;
  let number = 0;
  for (const bytes of arrivals) {
    number += 1;
    segments.push(segment(number, bytes));
    for (let chosen = planMerge(segments, tuning); chosen !== undefined; chosen = planMerge(segments, tuning)) {
      const ids = chosen;
      const sum = segments.filter(({ id }) => ids.includes(id)).reduce((all, one) => all + one.bytes, 0);
      number += 1;
      segments = [...segments.filter(({ id }) => !ids.includes(id)), segment(number, sum)];
      mergedBytes += sum;
      largestMerge = Math.max(largestMerge, sum);
    }
  }
  return { segments, mergedBytes, largestMerge };
}

test('merging ends, stays bounded and leaves few segments, however much is added', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 300 }), (arrivals) => {
      const { segments, mergedBytes, largestMerge } = grow(arrivals);
      const total = arrivals.reduce((sum, bytes) => sum + bytes, 0);
      expect(segments.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(total);
      expect(largestMerge).toBeLessThanOrEqual(tuning.largestSegmentBytes);
      // A document is rewritten at most once per level between the smallest and the largest segment.
      expect(mergedBytes).toBeLessThanOrEqual(total * 5);
      expect(segments.length).toBeLessThanOrEqual(12 + total / (tuning.largestSegmentBytes / 4));
    }),
  );
});
