import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../truth.ts';
import { timelineAnswer, timelineInput } from './timeline-model.ts';

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
  input: timelineInput,
  output: timelineAnswer,
  faults: ['VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ timeline }: Pick<Truth, 'timeline'>, input, call) => timeline.list(input, call),
});
