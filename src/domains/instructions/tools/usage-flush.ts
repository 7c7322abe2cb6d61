import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

export const usageFlush = defineTool({
  name: 'usage/flush',
  title: 'Flush usage counts',
  summary: 'Returns after all pending counts are durable.',
  guide: {
    when: ['you are about to stop the server or copy its data'],
    whileShut:
      'Nothing to do: usage/track stores every count before it answers. Changes of rules are proposed with instructions/propose. An admin runs fourfold usage flush, or starts the server with MCP_ENABLE_MUTATION=1.',
    example: {},
  },
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
