import type { EventKind } from './analytics-source.ts';

export const metricTypes = ['activation', 'retention', 'usage', 'funnel', 'cohort'] as const;
export type MetricType = (typeof metricTypes)[number];

/** How a metric is computed. */
export type Computation =
  | { readonly how: 'reach'; readonly kind: EventKind; readonly withinDays: number }
  | { readonly how: 'return'; readonly widthDays: number }
  | { readonly how: 'active'; readonly stepDays: number }
  | { readonly how: 'per-user'; readonly kind: EventKind }
  | { readonly how: 'funnel'; readonly step: EventKind }
  | { readonly how: 'curve' }
  | { readonly how: 'size' };

export interface AnalyticsMetric {
  readonly type: MetricType;
  readonly name: string;
  readonly description: string;
  readonly threshold?: { readonly required: number; readonly target: number };
  readonly computation: Computation;
}

const activation = (
  name: string,
  kind: EventKind,
  what: string,
  more: Pick<AnalyticsMetric, 'threshold'> = {},
): AnalyticsMetric => ({
  type: 'activation',
  name: `activation_first_${name}_rate`,
  description: `Percentage of users who ${what} in first session (the first 24 hours)`,
  computation: { how: 'reach', kind, withinDays: 1 },
  ...more,
});

const retention = (
  name: string,
  widthDays: number,
  when: string,
  more: Pick<AnalyticsMetric, 'threshold'> = {},
): AnalyticsMetric => ({
  type: 'retention',
  name,
  description: `Percentage of users returning ${when}`,
  computation: { how: 'return', widthDays },
  ...more,
});

/** After the sign-up, in order. */
export const funnelSteps: readonly EventKind[] = ['upload', 'extraction', 'entity', 'timeline'];

/** The metrics of the document (section 3.14), and its thresholds. The first of each type is the default. */
export const analyticsMetrics: readonly AnalyticsMetric[] = [
  activation('upload', 'upload', 'upload ≥1 file', { threshold: { required: 0.6, target: 0.8 } }),
  activation('extraction', 'extraction', 'have ≥1 file or payload extracted'),
  activation('entity', 'entity', 'get ≥1 entity'),
  activation('event', 'timeline', 'look at the timeline of events'),
  activation('search', 'search', 'search'),
  activation('ai_query', 'ai_query', 'let an agent ask a memory'),
  retention('day_1_retention', 1, 'on day 2', { threshold: { required: 0.4, target: 0.6 } }),
  retention('week_1_retention', 7, 'in the second week'),
  retention('month_1_retention', 30, 'in the second month (30 days each)'),
  {
    type: 'usage',
    name: 'daily_active_users',
    description: 'Different users per day',
    computation: { how: 'active', stepDays: 1 },
  },
  {
    type: 'usage',
    name: 'weekly_active_users',
    description: 'Different users per week',
    computation: { how: 'active', stepDays: 7 },
  },
  {
    type: 'usage',
    name: 'avg_uploads_per_user_per_week',
    description: 'Uploads per week and user who uploaded',
    computation: { how: 'per-user', kind: 'upload' },
  },
  {
    type: 'usage',
    name: 'avg_searches_per_user_per_week',
    description: 'Searches per week and user who searched',
    computation: { how: 'per-user', kind: 'search' },
  },
  ...funnelSteps.toReversed().map(
    (step): AnalyticsMetric => ({
      type: 'funnel',
      name: `signup_to_${step}`,
      description: `Share of new users who reached ${step} within 90 days`,
      computation: { how: 'funnel', step },
    }),
  ),
  {
    type: 'cohort',
    name: 'cohort_retention',
    description: 'Share of the cohort that was active in each week after the sign-up; the first week is at its start',
    computation: { how: 'curve' },
  },
  { type: 'cohort', name: 'cohort_size', description: 'Users who signed up', computation: { how: 'size' } },
];
