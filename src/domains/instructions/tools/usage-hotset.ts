import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { optionalRemarks } from './read-schemas.ts';

const outputSchema = z.object({
  hash: z.string(),
  count: z.int(),
  limit: z.int(),
  items: z.array(z.object({ id: z.string(), usageCount: z.int(), lastUsedAt: z.string(), ...optionalRemarks })),
});

export type Hotset = DeepReadonly<z.infer<typeof outputSchema>>;

export const usageHotset = defineTool({
  name: 'usage/hotset',
  title: 'List the most used instructions',
  summary: 'Lists the most used instructions, by count and then by last use.',
  guide: { when: ['you want the instructions worth knowing first'], example: { limit: 10 } },
  effect: 'read',
  input: z.strictObject({
    limit: z.int().min(1).max(instructionLimits.hotsetCount).default(instructionLimits.hotsetDefaultCount),
  }),
  output: outputSchema,
  faults: [],
  run: ({ usage }: Pick<Instructions, 'usage'>, { limit }, call) => usage.hotset(limit, call),
});
