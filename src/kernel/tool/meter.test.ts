import { expect, it } from 'vitest';
import { createToolMeter, durationBoundsMs } from './meter.ts';

it('counts and times each method, and counts faults by code', () => {
  const meter = createToolMeter();
  expect([meter.snapshot(), meter.faultCounts().size]).toEqual([[], 0]);
  meter.record('b', 10, undefined);
  meter.record('a', 1, undefined);
  meter.record('a', 3, 'TIMEOUT');
  meter.record('b', 2, 'TIMEOUT');
  meter.record('b', 3, 'CONFLICT');
  expect(meter.snapshot()).toEqual([
    { method: 'a', count: 2, errors: 1, avgMs: 2, maxMs: 3 },
    { method: 'b', count: 3, errors: 2, avgMs: 5, maxMs: 10 },
  ]);
  expect([...meter.faultCounts()]).toEqual([
    ['TIMEOUT', 2],
    ['CONFLICT', 1],
  ]);
  expect([...meter.faultCounts('a')]).toEqual([['TIMEOUT', 1]]);
});

it('sorts durations into buckets, several methods together', () => {
  const meter = createToolMeter();
  meter.record('a', 1, undefined);
  meter.record('a', 1.5, undefined);
  meter.record('b', 2, 'TIMEOUT');
  meter.record('b', 1e9, undefined);
  meter.record('c', 1, undefined);
  const { counts, sumMs } = meter.durations(['a', 'b', 'unknown']);
  expect(counts).toHaveLength(durationBoundsMs.length + 1);
  expect([counts[0], counts[1], counts.at(-1)]).toEqual([1, 2, 1]);
  expect(sumMs).toBe(1e9 + 4.5);
});
