import type { Call } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { nearest } from '#kernel/text/edit-distance.ts';
import { type QueryRange, readRange, showRange } from '../query-range.ts';
import { embeddedPoints } from './embedded-values.ts';
import { metricFaults } from './metric-faults.ts';
import { metricLimits } from './metric-limits.ts';
import type { Aggregation, Labels, MetricAnswer, MetricQuery } from './metric-query.ts';
import { type NeotomaMetrics, ownMetrics } from './neotoma-metrics.ts';
import type { Prometheus } from './prometheus.ts';

export interface TechnicalMetricsDeps {
  readonly clock: Clock;
  readonly own: Pick<NeotomaMetrics, 'history'>;
  /** Resolves to undefined without the prometheusUrl setting. */
  readonly prometheus: () => Promise<Prometheus | undefined>;
}

export interface MetricInput {
  readonly metric_name: string;
  readonly time_range?: { readonly start: string; readonly end: string } | undefined;
  readonly aggregation: Aggregation;
  readonly labels?: Labels | undefined;
  readonly step?: string | undefined;
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** Steps that people use, for a range without a stated one. */
const usualSteps = ['1m', '5m', '15m', '1h', '6h', '1d', '1w'] as const;

const toMs = (step: string): number => Number(step.slice(0, -1)) * units[step.at(-1) as keyof typeof units];

const countPoints = ({ startMs, endMs }: QueryRange, stepMs: number): number => Math.ceil((endMs - startMs) / stepMs);

/** The shortest usual step with at most so many points. */
const fittingStep = (range: QueryRange, pointsMax: number): string =>
  usualSteps.find((step) => countPoints(range, toMs(step)) <= pointsMax) ??
  `${Math.ceil((range.endMs - range.startMs) / pointsMax / units.w)}w`;

function readStep(stated: string | undefined, range: QueryRange): number {
  if (stated === undefined) return toMs(fittingStep(range, metricLimits.defaultPointsCount));
  const stepMs = toMs(stated);
  const count = countPoints(range, stepMs);
  if (stepMs > 0 && count <= metricLimits.pointsCount) return stepMs;
  const step = fittingStep(range, metricLimits.pointsCount);
  const why =
    stepMs > 0
      ? `a step of ${stated} gives ${count} values, and the limit is ${metricLimits.pointsCount}`
      : 'a step of 0 is not possible';
  throw faults.VALIDATION_ERROR(
    { why: `${why}; use step ${step}, leave it out, or shorten time_range` },
    { field: 'step', step },
  );
}

const knownNames = ownMetrics.map(({ name }) => name);

const notFound = (name: string) =>
  metricFaults.METRIC_NOT_FOUND({ name, nearest: nearest(name, knownNames)! }, { known: knownNames });

/** What this program exports; every caller may read it at /metrics. */
const isOwn = (name: string): boolean => /^(?:neotoma|fourfold|scratch_notebook)_/.test(name);

/** By the suffixes that Prometheus recommends. */
const unitSuffixes: readonly (readonly [RegExp, string])[] = [
  [/_ms$/, 'ms'],
  [/_seconds(?:_total)?$/, 'seconds'],
  [/_bytes(?:_total)?$/, 'bytes'],
  [/_(?:rate|usage|ratio)$/, 'ratio'],
  [/_total$/, 'count'],
];

const unitOf = (name: string): string | undefined => unitSuffixes.find(([suffix]) => suffix.test(name))?.[1];

const noValues = 'No values in this time range; try a longer time_range, or fewer labels.';

export function createTechnicalMetrics({ clock, own, prometheus: open }: TechnicalMetricsDeps) {
  async function askEmbedded(query: MetricQuery, nowMs: number): Promise<MetricAnswer | undefined> {
    const metric = ownMetrics.find(({ name }) => name === query.name);
    if (metric === undefined) return undefined;
    return { points: embeddedPoints(metric, await own.history(nowMs), query), description: metric.help };
  }

  return async function getTechnicalMetrics(input: MetricInput, call: Call) {
    const { metric_name: name, aggregation, labels = {} } = input;
    const nowMs = clock.now();
    const range = readRange(input.time_range, nowMs, metricLimits.defaultRangeMs);
    const stepMs = readStep(input.step, range);
    const query = {
      name,
      aggregation,
      labels,
      startMs: range.startMs,
      stepMs,
      pointsCount: countPoints(range, stepMs),
    };
    // Prometheus also has the metrics of other programs; those are for admins.
    if (!isOwn(name) && !call.scopes.has('admin')) throw notFound(name);
    const kind = ownMetrics.find((metric) => metric.name === name)?.kind;
    const prometheus = await open();
    const answer = await (prometheus?.query(query, kind, call.signal) ?? askEmbedded(query, nowMs));
    if (answer === undefined) throw notFound(name);
    const { points, description } = answer;
    const unit = unitOf(name);
    return {
      metric_name: name,
      values: points.map(({ atMs, value }) => ({ timestamp: toIso(atMs), value })),
      aggregation,
      time_range: showRange(range),
      metadata: { ...(unit !== undefined && { unit }), ...(description !== undefined && { description }) },
      source: prometheus === undefined ? ('embedded' as const) : ('prometheus' as const),
      ...(points.length === 0 && { hint: noValues }),
    };
  };
}
