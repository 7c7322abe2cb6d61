import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

const outputSchema = z.object({
  status: z.literal('operational'),
  storageInfo: z.object({ totalEntries: z.int(), lastUpdated: z.string().nullable(), diskUsage: z.string() }),
  config: z.object({ maxEntries: z.int(), feedbackDir: z.string() }),
});

export type FeedbackHealth = DeepReadonly<z.infer<typeof outputSchema>>;

export const feedbackHealth = defineTool({
  name: 'feedback/health',
  title: 'Check the feedback store',
  summary: 'Returns the number and size of the stored feedback entries, and the maximum number.',
  guide: { when: ['you want to know whether feedback is stored'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: outputSchema,
  faults: [],
  run: ({ feedback }: Pick<Instructions, 'feedback'>, _input, call) => feedback.health(call),
});
