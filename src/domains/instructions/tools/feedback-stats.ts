import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { feedbackEntry, feedbackStatsInput } from '../feedback/feedback-entry.ts';
import type { Instructions } from '../instructions.ts';

const counts = z.record(z.string(), z.int());

export const feedbackStats = defineTool({
  name: 'feedback/stats',
  title: 'Count feedback',
  summary: 'How many feedback entries there are by type, severity and status, and the latest of them.',
  guide: { when: ['you want an overview of what is reported'], example: { since: '2026-01-01T00:00:00Z' } },
  effect: 'read',
  input: feedbackStatsInput,
  output: z.object({
    stats: z.object({ total: z.int(), byType: counts, bySeverity: counts, byStatus: counts }),
    recentActivity: z.array(feedbackEntry),
  }),
  faults: [],
  run: ({ feedback }: Pick<Instructions, 'feedback'>, { since }, call) => feedback.stats(since, call),
});
