import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { feedbackEntry, feedbackListInput } from '../feedback/feedback-entry.ts';
import type { Instructions } from '../instructions.ts';

const outputSchema = z.object({
  entries: z.array(feedbackEntry),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
  truncated: z.literal(true).optional(),
  nextOffset: z.int().optional(),
});

export type FeedbackPage = DeepReadonly<z.infer<typeof outputSchema>>;

export const feedbackList = defineTool({
  name: 'feedback/list',
  title: 'List feedback',
  summary: 'Lists feedback entries, newest first, filtered by type, severity, status, time and tags.',
  guide: { when: ['you review the reports'], example: { type: 'security', status: 'new', limit: 20 } },
  effect: 'read',
  input: feedbackListInput,
  output: outputSchema,
  faults: [],
  run: ({ feedback }: Pick<Instructions, 'feedback'>, input, call) => feedback.list(input, call),
});
