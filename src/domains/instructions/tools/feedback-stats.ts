import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { feedbackEntry, feedbackStatsInput } from '../feedback/feedback-entry.ts';
import type { Instructions } from '../instructions.ts';

const counts = z.record(z.string(), z.int());

const outputSchema = z.object({
  stats: z.object({ total: z.int(), byType: counts, bySeverity: counts, byStatus: counts }),
  recentActivity: z.array(feedbackEntry),
});

export type FeedbackStats = DeepReadonly<z.infer<typeof outputSchema>>;

export const feedbackStats = defineTool({
  name: 'feedback/stats',
  title: 'Count feedback',
  summary: 'Counts feedback entries by type, severity and status, and returns the latest ones.',
  guide: { when: ['you want an overview of the reports'], example: { since: '2026-01-01T00:00:00Z' } },
  effect: 'read',
  input: feedbackStatsInput,
  output: outputSchema,
  faults: [],
  run: ({ feedback }: Pick<Instructions, 'feedback'>, { since }, call) => feedback.stats(since, call),
});
