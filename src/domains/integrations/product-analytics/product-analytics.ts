import type { Call } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { nearest } from '#kernel/text/edit-distance.ts';
import { type QueryRange, readRange, showRange } from '../query-range.ts';
import { metricFaults } from '../technical-metrics/metric-faults.ts';
import { analyticsLimits, dayMs } from './analytics-limits.ts';
import { type AnalyticsMetric, analyticsMetrics, type MetricType } from './analytics-metrics.ts';
import type { AnalyticsSource, Filters, StepValue } from './analytics-source.ts';
import { computeMetric } from './compute-metric.ts';

export interface ProductAnalyticsDeps {
  readonly clock: Clock;
  readonly source: () => Promise<AnalyticsSource>;
  /** Stores the events that wait; undefined if none are captured. */
  readonly flush: (() => Promise<void>) | undefined;
}

export interface AnalyticsInput {
  readonly metric_type: MetricType;
  readonly metric_name?: string | undefined;
  readonly time_range?: { readonly start: string; readonly end: string } | undefined;
  readonly cohort?: string | undefined;
  readonly filters?: Filters | undefined;
}

function findMetric(type: MetricType, name: string | undefined): AnalyticsMetric {
  const ofType = analyticsMetrics.filter((metric) => metric.type === type);
  const found = name === undefined ? ofType[0] : ofType.find((metric) => metric.name === name);
  if (found !== undefined) return found;
  const other = analyticsMetrics.find((metric) => metric.name === name);
  if (other !== undefined)
    throw faults.VALIDATION_ERROR(
      { why: `${name} is a metric of the type ${other.type}, not ${type}` },
      { field: 'metric_type' },
    );
  const known = ofType.map((metric) => metric.name);
  throw metricFaults.METRIC_NOT_FOUND({ name: name!, nearest: nearest(name!, known)! }, { known });
}

const monthLength = 'YYYY-MM'.length;

/** The period of a sign-up: a month or a day, in UTC. */
function readCohort(cohort: string): QueryRange {
  const startMs = Date.parse(cohort.length === monthLength ? `${cohort}-01T00:00:00Z` : `${cohort}T00:00:00Z`);
  if (Number.isNaN(startMs) || !toIso(startMs).startsWith(cohort)) {
    throw faults.VALIDATION_ERROR({ why: `${cohort} is not an existing month or day` }, { field: 'cohort' });
  }
  if (cohort.length > monthLength) return { startMs, endMs: startMs + dayMs };
  const next = new Date(startMs);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return { startMs, endMs: next.getTime() };
}

function chooseRange({ metric_type, cohort, time_range }: AnalyticsInput, nowMs: number): QueryRange {
  const range = readRange(time_range, nowMs, analyticsLimits.defaultRangeDays * dayMs);
  if (range.endMs - range.startMs > analyticsLimits.rangeDays * dayMs) {
    throw faults.VALIDATION_ERROR(
      { why: `time_range is longer than ${analyticsLimits.rangeDays} days; ask for a shorter one` },
      { field: 'time_range' },
    );
  }
  if (cohort === undefined) return range;
  if (metric_type === 'usage')
    throw faults.VALIDATION_ERROR({ why: 'usage counts all users; leave out cohort' }, { field: 'cohort' });
  if (time_range !== undefined)
    throw faults.VALIDATION_ERROR(
      { why: 'cohort is the time of the sign-up; leave out time_range' },
      { field: 'cohort' },
    );
  return readCohort(cohort);
}

const isEmpty = (value: number | readonly StepValue[]): boolean =>
  typeof value === 'number' ? value === 0 : value.length === 0;

const notCaptured =
  'Events are not captured. Set analyticsEvents to true (FOURFOLD_ANALYTICS_EVENTS=1) and restart; then use is counted from that time on, with hashed users and without contents.';
const noUsers = 'No such events in this time range yet.';

export function createProductAnalytics({ clock, source: open, flush }: ProductAnalyticsDeps) {
  function findHint(source: AnalyticsSource, value: number | readonly StepValue[]): string | undefined {
    if (source.name === 'embedded' && flush === undefined) return notCaptured;
    return isEmpty(value) ? noUsers : undefined;
  }

  return async function getProductAnalytics(input: AnalyticsInput, call: Call) {
    const metric = findMetric(input.metric_type, input.metric_name);
    const nowMs = clock.now();
    const range = chooseRange(input, nowMs);
    const source = await open();
    if (source.name !== 'embedded' && !call.scopes.has('admin')) {
      throw faults.PERMISSION_DENIED(
        { why: `${source.name} covers the users of all tenants and requires the scope admin` },
        {
          scope: 'admin',
          fix: 'Use a key with the scope admin; an administrator creates one with fourfold keys create <name> --scopes admin.',
        },
      );
    }
    await flush?.();
    const query = { range, filters: input.filters ?? {}, call };
    const { value, steps } = await computeMetric(metric, source, query, nowMs);
    const hint = findHint(source, value);
    return {
      metric_type: metric.type,
      metric_name: metric.name,
      value:
        typeof value === 'number'
          ? value
          : value.map((step) => ({ date: toIso(step.day * dayMs).slice(0, 10), value: step.value })),
      ...(steps !== undefined && { steps }),
      time_range: showRange(range),
      metadata: {
        description: metric.description,
        ...(metric.threshold !== undefined && { threshold: metric.threshold }),
      },
      source: source.name,
      ...(hint !== undefined && { hint }),
    };
  };
}
