import { expect, it } from 'vitest';
import { createManualClock, toIso } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { metricLimits } from './metric-limits.ts';
import { createMetricRing } from './metric-ring.ts';
import { createNeotomaMetrics } from './neotoma-metrics.ts';
import { createTechnicalMetrics, type MetricInput } from './technical-metrics.ts';

const minuteMs = 60_000;

function openMetrics(orphans?: () => number | undefined) {
  const clock = createManualClock();
  const meter = createToolMeter();
  const own = createNeotomaMetrics({
    meter,
    clock,
    forwarding: new Set(['tools_call']),
    orphanNodes: async () => orphans?.(),
    poolUsage: async () => 0.5,
  });
  const ask = createTechnicalMetrics({ clock, own, prometheus: async () => undefined });
  return {
    clock,
    meter,
    own,
    ask: (metric_name: string, more: Partial<MetricInput> = {}) =>
      ask({ metric_name, aggregation: 'avg', ...more }, systemCall('test')),
    async values(metric_name: string, more: Partial<MetricInput> = {}) {
      return (await this.ask(metric_name, more)).values.map(({ value }) => value);
    },
    async nextMinute() {
      clock.advance(minuteMs);
      await own.record();
    },
  };
}

it('[IG30] gives each minute its own increase, and the present minute without waiting for it', async () => {
  const { clock, meter, values, nextMinute, ...rest } = openMetrics();
  const counted = (more: Partial<MetricInput>) => values.call(rest, 'neotoma_record_upload_total', more);
  meter.record('store_record', 3, undefined);
  meter.record('upload_file', 3, undefined);
  await nextMinute();
  meter.record('submit_payload', 3, 'VALIDATION_ERROR');
  meter.record('retrieve_records', 3, undefined);
  await nextMinute();
  meter.record('store_record', 3, undefined);
  clock.advance(minuteMs / 2);
  const range = { start: '2026-01-01T00:00:00Z', end: '2026-01-01T00:03:00Z' };
  expect(await counted({ time_range: range, aggregation: 'sum' })).toEqual([2, 1, 1]);
  expect(await counted({ time_range: range, aggregation: 'sum', labels: { status: 'error' } })).toEqual([0, 1, 0]);
  expect(await counted({ time_range: range, aggregation: 'max' })).toEqual([2, 1, 1]);
  expect(await counted({ time_range: range, aggregation: 'min' })).toEqual([0, 0, 0]);
  expect(await counted({ time_range: range, aggregation: 'sum', labels: { status: 'none' } })).toEqual([]);
});

it('[IG31] computes averages and quantiles of durations, and leaves out a step without calls', async () => {
  const metrics = openMetrics();
  for (let i = 0; i < 90; i += 1) metrics.meter.record('retrieve_records', 8, undefined);
  for (let i = 0; i < 10; i += 1) metrics.meter.record('retrieve_entities', 90, 'SEARCH_FAILED');
  await metrics.nextMinute();
  await metrics.nextMinute();
  const search = (aggregation: MetricInput['aggregation']) =>
    metrics.values('neotoma_search_duration_ms', { aggregation });
  expect(await search('avg')).toEqual([16.2]);
  expect(await search('p50')).toEqual([5 + 5 * (50 / 90)]);
  expect(await search('p95')).toEqual([75]);
  expect(await search('max')).toEqual([100]);
  expect((await search('min'))[0]).toBeCloseTo(5);
  expect(await search('sum')).toEqual([1620, 0]);
  expect(await search('count')).toEqual([100, 0]);
});

it('[IG30] forgets the oldest rows, and does not count what was before them', async () => {
  const metrics = openMetrics();
  for (let i = 0; i < 7; i += 1) metrics.meter.record('store_record', 1, undefined);
  for (let i = 0; i <= metricLimits.ringRowsCount; i += 1) await metrics.nextMinute();
  metrics.meter.record('store_record', 1, undefined);
  const time_range = { start: '2025-12-01T00:00:00Z', end: '2026-02-01T00:00:00Z' };
  const counts = await metrics.values('neotoma_record_upload_total', { time_range, aggregation: 'sum', step: '1w' });
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
});

it('keeps a ring of fixed size', () => {
  const ring = createMetricRing(1, 2);
  expect(ring.rows()).toEqual([]);
  for (const value of [1, 2, 3]) ring.add(value, (row) => row.fill(value));
  expect(ring.rows().map(({ atMs, values }) => [atMs, values[0]])).toEqual([
    [2, 2],
    [3, 3],
  ]);
  expect(ring.lastBefore(1)).toBeUndefined();
  expect(ring.lastBefore(2.5)?.atMs).toBe(2);
});

it('[IG30] reports the error rate of the last five minutes, without calls that were only passed on', async () => {
  const metrics = openMetrics();
  const rate = async () => (await metrics.values('neotoma_mcp_error_rate')).at(-1);
  expect(await rate()).toBe(0);
  for (const code of ['TIMEOUT', undefined, undefined, undefined]) metrics.meter.record('store_fact', 1, code);
  metrics.meter.record('tools_call', 1, undefined);
  expect(await rate()).toBe(0.25);
  for (let i = 0; i < 6; i += 1) await metrics.nextMinute();
  expect(await rate()).toBe(0);
});

it('[IG30] leaves out a gauge whose value is unknown', async () => {
  let orphans: number | undefined;
  const metrics = openMetrics(() => orphans);
  const name = 'neotoma_graph_orphan_nodes_total';
  expect(await metrics.ask(name)).toMatchObject({ values: [], hint: expect.stringContaining('No values') });
  await metrics.nextMinute();
  orphans = 4;
  await metrics.nextMinute();
  orphans = 8;
  expect(await metrics.values(name, { aggregation: 'max', step: '1h' })).toEqual([8]);
  expect(await metrics.values(name, { aggregation: 'p50', step: '1h' })).toEqual([6]);
  expect(await metrics.values(name, { aggregation: 'count', step: '1h' })).toEqual([2]);
  expect(await metrics.values('neotoma_db_connection_pool_usage', { aggregation: 'sum', step: '1h' })).toEqual([0.5]);
});

it('[IG32] refuses too many values and names a step that fits', async () => {
  const { ask } = openMetrics();
  const time_range = { start: '2025-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z' };
  await expect(ask('neotoma_mcp_error_rate', { time_range, step: '1s' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message:
      'a step of 1s gives 31536000 values, and the limit is 2000; use step 6h, leave it out, or shorten time_range',
  });
  await expect(ask('neotoma_mcp_error_rate', { time_range, step: '6h' })).resolves.toBeDefined();
  await expect(ask('neotoma_mcp_error_rate', { step: '0m' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  const ages = { start: '1000-01-01T00:00:00Z', end: '9000-01-01T00:00:00Z' };
  await expect(ask('neotoma_mcp_error_rate', { time_range: ages })).resolves.toMatchObject({ source: 'embedded' });
});

it('[IG32] uses the last hour by default, in values that begin at their times', async () => {
  const { ask, clock } = openMetrics();
  clock.advance(10 * minuteMs);
  const answer = await ask('neotoma_db_connection_pool_usage');
  const nowMs = clock.now();
  expect(answer.time_range).toEqual({ start: toIso(nowMs - 60 * minuteMs), end: toIso(nowMs) });
  expect(answer.values).toEqual([{ timestamp: toIso(nowMs - minuteMs), value: 0.5 }]);
});
