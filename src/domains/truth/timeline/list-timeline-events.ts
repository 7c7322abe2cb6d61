import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { limitField, offsetField } from '../entities/entity-model.ts';
import type { Truth } from '../truth.ts';
import { timelineEvent } from './timeline-event.ts';

const date = z.string().max(40);

export const listTimelineEvents = defineTool({
  name: 'list_timeline_events',
  title: 'List timeline events',
  summary: 'Lists dated events such as due dates and payments, newest first.',
  guide: {
    when: ['you want to know what happened or is due in a time span'],
    not: ['you want to see how one entity changed: get_entity_snapshot with `at`, or get_field_history'],
    example: { event_type: 'invoice_due_date', after_date: '2025-01-01', before_date: '2025-03-31' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    event_type: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,200}$/)
      .optional()
      .describe('Entity type and field: `invoice_due_date`'),
    after_date: date.optional().describe('ISO 8601 date or time, inclusive'),
    before_date: date.optional().describe('ISO 8601 date or time, inclusive'),
    source_record_id: z.string().min(1).max(200).optional(),
    limit: limitField,
    offset: offsetField,
  }),
  output: z.object({
    events: z.array(timelineEvent),
    total: z.int(),
  }),
  faults: ['VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ timeline }: Pick<Truth, 'timeline'>, input, call) => timeline.list(input, call),
});
