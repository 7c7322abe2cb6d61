import { durationBoundsMs } from '#kernel/tool/meter.ts';
import type { Aggregation, Labels, MetricPoint, MetricQuery } from './metric-query.ts';
import { quantileOf } from './metric-query.ts';
import type { MetricRow } from './metric-ring.ts';
import type { OwnMetric, OwnSeries } from './neotoma-metrics.ts';

const bucketsCount = durationBoundsMs.length + 1;

/** Linear within a bucket, as Prometheus does it; the highest bucket counts as its lower limit. */
function histogramQuantile(share: number, counts: Float64Array): number {
  const rank = share * counts.reduce((sum, count) => sum + count, 0);
  let below = 0;
  for (let at = 0; at < durationBoundsMs.length; at += 1) {
    const count = counts[at]!;
    if (count > 0 && below + count >= rank) {
      const from = durationBoundsMs[at - 1] ?? 0;
      return from + (durationBoundsMs[at]! - from) * ((rank - below) / count);
    }
    below += count;
  }
  return durationBoundsMs.at(-1)!;
}

function aggregateHistogram(aggregation: Aggregation, sum: number, counts: Float64Array): number | undefined {
  const total = counts.reduce((all, count) => all + count, 0);
  if (aggregation === 'count') return total;
  if (aggregation === 'sum') return sum;
  if (total === 0) return undefined;
  const share = quantileOf[aggregation];
  return share === undefined ? sum / total : histogramQuantile(share, counts);
}

/** Linear between the two nearest values. */
function quantile(share: number, numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  return low + (high - low) * (rank - Math.floor(rank));
}

function aggregate(aggregation: Aggregation, numbers: readonly number[]): number {
  const sum = numbers.reduce((all, one) => all + one, 0);
  switch (aggregation) {
    case 'avg':
      return sum / numbers.length;
    case 'sum':
    case 'count':
      return sum;
    case 'max':
      return Math.max(...numbers);
    case 'min':
      return Math.min(...numbers);
    default:
      return quantile(quantileOf[aggregation]!, numbers);
  }
}

const isChosen = (labels: Labels) => (series: OwnSeries) =>
  Object.entries(labels).every(([name, value]) => series.labels[name] === value);

/** The values of one step, of rows that lie in it; `before` is the last row before it. */
type StepRows = { readonly before: MetricRow | undefined; readonly rows: readonly MetricRow[] };

function aggregateStep(
  metric: OwnMetric,
  series: readonly OwnSeries[],
  aggregation: Aggregation,
  { before, rows }: StepRows,
): number | undefined {
  const last = rows.at(-1)!.values;
  // The first row of all only says where the counting begins.
  if (before === undefined && rows.length === 1 && metric.kind !== 'gauge') return undefined;
  const base = (before ?? rows[0]!).values;
  const growth = (place: number): number => last[place]! - base[place]!;
  if (metric.kind === 'counter') {
    return aggregate(
      aggregation,
      series.map(({ place }) => growth(place)),
    );
  }
  const { place } = series[0]!;
  if (metric.kind === 'histogram') {
    const counts = Float64Array.from({ length: bucketsCount }, (_, i) => growth(place + 1 + i));
    return aggregateHistogram(aggregation, growth(place), counts);
  }
  const present = rows.map(({ values }) => values[place]!).filter((value) => !Number.isNaN(value));
  if (present.length === 0) return undefined;
  if (aggregation === 'count') return present.length;
  // There is one series, and the sum is over series.
  return aggregate(aggregation === 'sum' ? 'avg' : aggregation, present);
}

/** A step without rows has no value. */
export function embeddedPoints(metric: OwnMetric, history: readonly MetricRow[], query: MetricQuery): MetricPoint[] {
  const { aggregation, labels, startMs, stepMs, pointsCount } = query;
  const series = metric.series.filter(isChosen(labels));
  if (series.length === 0) return [];
  const points: MetricPoint[] = [];
  let at = history.findIndex(({ atMs }) => atMs > startMs);
  for (let step = 0; step < pointsCount && at >= 0 && at < history.length; step += 1) {
    const atMs = startMs + step * stepMs;
    const first = at;
    while (at < history.length && history[at]!.atMs <= atMs + stepMs) at += 1;
    if (at === first) continue;
    const value = aggregateStep(metric, series, aggregation, {
      before: history[first - 1],
      rows: history.slice(first, at),
    });
    if (value !== undefined) points.push({ atMs, value });
  }
  return points;
}
