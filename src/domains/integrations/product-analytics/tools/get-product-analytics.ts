import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { timeRangeInput, timeRangeOutput } from '../../query-range.ts';
import { analyticsLimits } from '../analytics-limits.ts';
import { metricTypes } from '../analytics-metrics.ts';

const { filtersCount, filterChars } = analyticsLimits;
const share = z.number();

export const getProductAnalyticsTool = defineTool({
  name: 'get_product_analytics',
  title: 'Product analytics',
  summary: 'Returns how people use the memories: activation, retention, usage, a funnel or a cohort.',
  guide: {
    when: ['you report whether users come back and what they do'],
    not: ['you want durations and error rates: get_technical_metrics'],
    example: { metric_type: 'retention', metric_name: 'day_1_retention' },
  },
  effect: 'read',
  stable: false,
  input: z.strictObject({
    metric_type: z.enum(metricTypes),
    metric_name: z
      .string()
      .min(1)
      .max(filterChars)
      .optional()
      .describe('Such as weekly_active_users; default: the first of the type'),
    time_range: timeRangeInput.optional().describe('Default: the last 30 days. Except for usage: of the sign-ups'),
    cohort: z
      .string()
      .regex(/^\d{4}-\d{2}(?:-\d{2})?$/)
      .optional()
      .describe('Users who signed up in this month or on this day, such as 2026-01, instead of time_range'),
    filters: z
      .record(z.string().min(1).max(filterChars), z.union([z.string().max(filterChars), z.number(), z.boolean()]))
      .refine((filters) => Object.keys(filters).length <= filtersCount, `at most ${filtersCount} filters`)
      .optional()
      .describe('Properties of events, for PostHog and Mixpanel'),
  }),
  output: z.object({
    metric_type: z.enum(metricTypes),
    metric_name: z.string(),
    value: z.union([z.number(), z.array(z.object({ date: z.string(), value: z.number() }))]),
    steps: z
      .array(z.object({ step: z.string(), users: z.int(), rate: share }))
      .optional()
      .describe('Of a funnel'),
    time_range: timeRangeOutput,
    metadata: z.object({
      description: z.string(),
      threshold: z.object({ required: share, target: share }).optional(),
    }),
    source: z.enum(['embedded', 'posthog', 'mixpanel']),
    hint: z.string().optional(),
  }),
  faults: [
    'VALIDATION_ERROR',
    'METRIC_NOT_FOUND',
    'PERMISSION_DENIED',
    'ANALYTICS_QUERY_FAILED',
    'ANALYTICS_SERVICE_UNAVAILABLE',
  ],
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 300_000,
    deterministic: true,
    why: 'Analytics services receive events with a delay; our own count immediately.',
  },
  run: ({ getProductAnalytics }: Pick<Integrations, 'getProductAnalytics'>, input, call) =>
    getProductAnalytics(input, call),
});
