import { analyticsLimits, dayMs, toDay } from './analytics-limits.ts';
import { type AnalyticsMetric, funnelSteps } from './analytics-metrics.ts';
import type { AnalyticsSource, EventKind, SignupDay, SourceQuery, StepValue } from './analytics-source.ts';

export interface FunnelStep {
  readonly step: string;
  readonly users: number;
  readonly rate: number;
}

export interface MetricValue {
  readonly value: number | readonly StepValue[];
  readonly steps?: readonly FunnelStep[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Rounded, so that the same shares are the same numbers from every source. */
const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1e6) / 1e6);

/** Only of days whose window is over: the users of other days may still return. */
function shareReturned(
  days: readonly SignupDay[],
  window: number,
  widthDays: number,
  nowMs: number,
): number | undefined {
  const over = days.filter(({ day }) => (day + widthDays * (window + 1)) * dayMs <= nowMs);
  if (over.length === 0) return undefined;
  return share(sum(over.map(({ returned }) => returned[window] ?? 0)), sum(over.map(({ users }) => users)));
}

/** One value per seven days of sign-ups, from the start of the range. */
function weeklyReturns(days: readonly SignupDay[], startMs: number, widthDays: number, nowMs: number): StepValue[] {
  const weeks = Map.groupBy(days, ({ day }) => Math.floor((day - toDay(startMs)) / 7));
  return [...weeks]
    .sort(([a], [b]) => a - b)
    .flatMap(([week, some]) => {
      const value = shareReturned(some, 1, widthDays, nowMs);
      return value === undefined ? [] : [{ day: toDay(startMs) + 7 * week, value }];
    });
}

function curve(days: readonly SignupDay[], startMs: number, nowMs: number): StepValue[] {
  return Array.from({ length: analyticsLimits.cohortWeeksCount }, (_, week) => week).flatMap((week) => {
    const value = shareReturned(days, week, 7, nowMs);
    return value === undefined ? [] : [{ day: toDay(startMs) + 7 * week, value }];
  });
}

const usersOf = (days: readonly SignupDay[]): number => sum(days.map(({ users }) => users));

async function countReached(source: AnalyticsSource, query: SourceQuery, kind: EventKind, withinDays: number) {
  const days = await source.retention(query, withinDays, 1, kind);
  return { users: usersOf(days), reached: sum(days.map(({ returned }) => returned[0] ?? 0)) };
}

async function readFunnel(source: AnalyticsSource, query: SourceQuery, last: EventKind): Promise<MetricValue> {
  const steps: FunnelStep[] = [];
  for (const step of funnelSteps.slice(0, funnelSteps.indexOf(last) + 1)) {
    const { users, reached } = await countReached(source, query, step, analyticsLimits.funnelDays);
    if (steps.length === 0) steps.push({ step: 'signup', users, rate: share(users, users) });
    steps.push({ step, users: reached, rate: share(reached, users) });
  }
  return { value: steps.at(-1)!.rate, steps };
}

export async function computeMetric(
  { computation }: AnalyticsMetric,
  source: AnalyticsSource,
  query: SourceQuery,
  nowMs: number,
): Promise<MetricValue> {
  const { startMs } = query.range;
  switch (computation.how) {
    case 'reach': {
      const { users, reached } = await countReached(source, query, computation.kind, computation.withinDays);
      return { value: share(reached, users) };
    }
    case 'return': {
      const { widthDays } = computation;
      return { value: weeklyReturns(await source.retention(query, widthDays, 2), startMs, widthDays, nowMs) };
    }
    case 'active':
      return { value: await source.activeUsers(query, computation.stepDays) };
    case 'per-user':
      return { value: await source.perUserAndWeek(query, computation.kind) };
    case 'funnel':
      return readFunnel(source, query, computation.step);
    case 'curve':
      return { value: curve(await source.retention(query, 7, analyticsLimits.cohortWeeksCount), startMs, nowMs) };
    case 'size':
      return { value: usersOf(await source.retention(query, 1, 1)) };
  }
}
