import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

export const feedbackHealth = defineTool({
  name: 'feedback/health',
  title: 'State of the feedback store',
  summary: 'Whether feedback can be kept, how much there is, and how much is kept at most.',
  guide: { when: ['you want to know whether feedback arrives'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    status: z.literal('operational'),
    storageInfo: z.object({ totalEntries: z.int(), lastUpdated: z.string().nullable(), diskUsage: z.string() }),
    config: z.object({ maxEntries: z.int(), feedbackDir: z.string() }),
  }),
  faults: [],
  run: ({ feedback }: Pick<Instructions, 'feedback'>, _input, call) => feedback.health(call),
});
