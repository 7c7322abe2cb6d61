export const aggregations = ['avg', 'p50', 'p95', 'p99', 'sum', 'count', 'max', 'min'] as const;
export type Aggregation = (typeof aggregations)[number];

export type MetricKind = 'counter' | 'gauge' | 'histogram';

export type Labels = Readonly<Record<string, string>>;

/** Values of one metric. Each covers the step that begins at its time. */
export interface MetricQuery {
  readonly name: string;
  readonly aggregation: Aggregation;
  readonly labels: Labels;
  readonly startMs: number;
  readonly stepMs: number;
  readonly pointsCount: number;
}

export interface MetricPoint {
  readonly atMs: number;
  readonly value: number;
}

export interface MetricAnswer {
  readonly points: readonly MetricPoint[];
  readonly description: string | undefined;
}

/** The lowest bucket with a value counts as the minimum; the share 0 would be the lower limit of an empty one. */
const least = 1e-6;

/** The share of values below the wanted one; undefined for an aggregation that is not a quantile of a histogram. */
export const quantileOf: Readonly<Record<Aggregation, number | undefined>> = {
  p50: 0.5,
  p95: 0.95,
  p99: 0.99,
  max: 1,
  min: least,
  avg: undefined,
  sum: undefined,
  count: undefined,
};
