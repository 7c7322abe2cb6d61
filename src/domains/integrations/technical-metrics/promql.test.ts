import { expect, it } from 'vitest';
import type { Aggregation, MetricKind } from './metric-query.ts';
import { toPromQl } from './promql.ts';

const query = { name: 'm', labels: {}, startMs: 0, stepMs: 300_000, pointsCount: 1 };

it.each<readonly [MetricKind, Aggregation, string]>([
  ['histogram', 'p95', 'histogram_quantile(0.95, sum by (le) (increase(m_bucket{}[300000ms])))'],
  ['histogram', 'avg', 'sum(increase(m_sum{}[300000ms])) / sum(increase(m_count{}[300000ms]))'],
  ['histogram', 'count', 'sum(increase(m_count{}[300000ms]))'],
  ['counter', 'sum', 'sum(increase(m{}[300000ms]))'],
  ['counter', 'p50', 'quantile(0.5, increase(m{}[300000ms]))'],
  ['gauge', 'max', 'max(max_over_time(m{}[300000ms]))'],
  ['gauge', 'p99', 'quantile(0.99, quantile_over_time(0.99, m{}[300000ms]))'],
])('[IG31] %s %s is %s', (kind, aggregation, expected) => {
  expect(toPromQl(kind, { ...query, aggregation })).toBe(expected);
});

it('[IG32] escapes the values of labels', () => {
  const labels = { status: 'a"} or vector(1) #', path: 'C:\\x\n$&' };
  expect(toPromQl('counter', { ...query, aggregation: 'sum', labels })).toBe(
    String.raw`sum(increase(m{status="a\"} or vector(1) #",path="C:\\x\n$&"}[300000ms]))`,
  );
});

it('[IG31] uses a window of at least a minute', () => {
  expect(toPromQl('gauge', { ...query, aggregation: 'avg', stepMs: 5_000 })).toBe('avg(avg_over_time(m{}[60000ms]))');
});
