import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { timeRangeInput, timeRangeOutput } from '../../query-range.ts';
import { metricLimits } from '../metric-limits.ts';
import { aggregations } from '../metric-query.ts';

const { metricNameChars, labelsCount, labelChars } = metricLimits;
const labelName = z
  .string()
  .regex(/^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/)
  .max(labelChars);

export const getTechnicalMetricsTool = defineTool({
  name: 'get_technical_metrics',
  title: 'Technical metrics',
  summary: 'Returns durations, counts and error rates over time, from Prometheus or from this process.',
  guide: {
    when: ['you report how fast or how reliable the server is'],
    not: ['you want to know how people use it: get_product_analytics'],
    example: { metric_name: 'neotoma_record_upload_duration_ms', aggregation: 'p95', step: '1h' },
  },
  effect: 'read',
  stable: false,
  input: z.strictObject({
    metric_name: z
      .string()
      .regex(/^[a-zA-Z_:][a-zA-Z0-9_:]*$/)
      .max(metricNameChars)
      .describe('Such as neotoma_search_duration_ms'),
    time_range: timeRangeInput.optional().describe('Default: the last hour'),
    aggregation: z.enum(aggregations).default('avg').describe('Of the values in each step'),
    labels: z
      .record(labelName, z.string().max(labelChars))
      .refine((labels) => Object.keys(labels).length <= labelsCount, `at most ${labelsCount} labels`)
      .optional()
      .describe("Such as {status: 'success'}"),
    step: z
      .string()
      .regex(/^\d{1,6}[smhdw]$/)
      .optional()
      .describe("Such as '1m', '5m', '1h'; default: at most 100 values"),
  }),
  output: z.object({
    metric_name: z.string(),
    values: z.array(z.object({ timestamp: z.string().describe('The beginning of the step'), value: z.number() })),
    aggregation: z.enum(aggregations),
    time_range: timeRangeOutput,
    metadata: z.object({ unit: z.string().optional(), description: z.string().optional() }),
    source: z.enum(['prometheus', 'embedded']).describe('embedded: this process since its start, at most a day'),
    hint: z.string().optional(),
  }),
  faults: ['VALIDATION_ERROR', 'METRIC_NOT_FOUND', 'PROMETHEUS_QUERY_FAILED', 'METRICS_SERVICE_UNAVAILABLE'],
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 30_000,
    deterministic: true,
    why: 'Prometheus scrapes at intervals of at most 30 s; past values do not change.',
  },
  run: ({ getTechnicalMetrics }: Pick<Integrations, 'getTechnicalMetrics'>, input, call) =>
    getTechnicalMetrics(input, call),
});
