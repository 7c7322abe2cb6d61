import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { feedbackEntry, feedbackListInput } from '../feedback/feedback-entry.ts';
import type { Instructions } from '../instructions.ts';

export const feedbackList = defineTool({
  name: 'feedback/list',
  title: 'List feedback',
  summary: 'Lists feedback entries, newest first, filtered by type, severity, status, time and tags.',
  guide: { when: ['you review the reports'], example: { type: 'security', status: 'new', limit: 20 } },
  effect: 'read',
  input: feedbackListInput,
  output: z.object({
    entries: z.array(feedbackEntry),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    hasMore: z.boolean(),
    truncated: z.literal(true).optional(),
    nextOffset: z.int().optional(),
  }),
  faults: [],
  run: ({ feedback }: Pick<Instructions, 'feedback'>, input, call) => feedback.list(input, call),
});
