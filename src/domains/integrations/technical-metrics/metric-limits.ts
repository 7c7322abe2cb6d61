export const metricLimits = {
  /** Rows of the embedded metrics: a day, one per minute. */
  ringRowsCount: 1_440,
  ringEveryMs: 60_000,
  /** The period of the error rate. */
  errorRateMs: 5 * 60_000,
  /** Points per answer. */
  pointsCount: 2_000,
  /** Points per answer if the step is left out. */
  defaultPointsCount: 100,
  defaultRangeMs: 3_600_000,
  /** A window needs several scrapes, so that Prometheus can compute an increase. */
  windowMinMs: 60_000,
  metricNameChars: 200,
  labelsCount: 20,
  labelChars: 200,
} as const;
