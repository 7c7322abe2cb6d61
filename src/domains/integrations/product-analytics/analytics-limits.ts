export const analyticsLimits = {
  defaultRangeDays: 30,
  rangeDays: 1_100,
  /** Users have so long to reach a step of the funnel. */
  funnelDays: 90,
  cohortWeeksCount: 53,
  /** Events are forgotten after this time, and users who have not called since. */
  keptDays: 400,
  flushEveryMs: 5_000,
  sweepEveryMs: 6 * 3_600_000,
  sweptRowsCount: 500,
  /** Sums of users, days and kinds that wait for the store. */
  waitingSumsCount: 10_000,
  filtersCount: 10,
  filterChars: 200,
} as const;

export const dayMs = 86_400_000;
export const toDay = (atMs: number): number => Math.floor(atMs / dayMs);
