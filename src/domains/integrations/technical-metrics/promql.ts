import { metricLimits } from './metric-limits.ts';
import { type Aggregation, type Labels, type MetricKind, type MetricQuery, quantileOf } from './metric-query.ts';

const quoted = (text: string): string => `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`;

function selector(name: string, labels: Labels, windowMs: number): string {
  const matchers = Object.entries(labels).map(([label, value]) => `${label}=${quoted(value)}`);
  return `${name}{${matchers.join(',')}}[${windowMs}ms]`;
}

/** The functions of PromQL over time, except for quantiles. */
const overTime: Readonly<Partial<Record<Aggregation, string>>> = {
  avg: 'avg(avg_over_time(%))',
  // Of several servers, for example.
  sum: 'sum(avg_over_time(%))',
  count: 'sum(count_over_time(%))',
  max: 'max(max_over_time(%))',
  min: 'min(min_over_time(%))',
};

/** Of the increase of each series. */
const overSeries: Readonly<Partial<Record<Aggregation, string>>> = {
  avg: 'avg(%)',
  sum: 'sum(%)',
  count: 'sum(%)',
  max: 'max(%)',
  min: 'min(%)',
};

function histogramQuery(aggregation: Aggregation, increaseOf: (suffix: string) => string): string {
  const share = quantileOf[aggregation];
  if (share !== undefined) return `histogram_quantile(${share}, sum by (le) (${increaseOf('_bucket')}))`;
  const [sum, count] = [`sum(${increaseOf('_sum')})`, `sum(${increaseOf('_count')})`];
  return { avg: `${sum} / ${count}`, sum, count }[aggregation as 'avg' | 'sum' | 'count'];
}

/** Names were checked against the rules of Prometheus; values of labels may be any text. */
export function toPromQl(kind: MetricKind, { name, aggregation, labels, stepMs }: MetricQuery): string {
  const windowMs = Math.max(stepMs, metricLimits.windowMinMs);
  const series = (suffix = ''): string => selector(`${name}${suffix}`, labels, windowMs);
  const share = quantileOf[aggregation];
  if (kind === 'histogram') return histogramQuery(aggregation, (suffix) => `increase(${series(suffix)})`);
  if (kind === 'counter') {
    const increase = `increase(${series()})`;
    return overSeries[aggregation]?.replace('%', () => increase) ?? `quantile(${share}, ${increase})`;
  }
  const values = series();
  return (
    overTime[aggregation]?.replace('%', () => values) ?? `quantile(${share}, quantile_over_time(${share}, ${values}))`
  );
}
