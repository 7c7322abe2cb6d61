import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

export const usageFlush = defineTool({
  name: 'usage/flush',
  title: 'Flush usage counts',
  summary: 'Answers when every count that is being written is durable.',
  guide: { when: ['you stop the server or copy its data next'], example: {} },
  effect: 'update',
  idempotent: true,
  audit: 'none',
  gated: true,
  input: z.strictObject({}),
  output: z.object({ flushed: z.literal(true) }),
  faults: ['MUTATION_DISABLED'],
  run: async ({ usage }: Pick<Instructions, 'usage'>) => {
    await usage.flush();
    return { flushed: true as const };
  },
});
