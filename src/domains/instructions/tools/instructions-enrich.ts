import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';

const outputSchema = z.object({
  enriched: z.int(),
  rewritten: z.int(),
  updated: z.array(z.string()),
  skipped: z.int(),
  hash: z.string(),
});

export type EnrichAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsEnrich = defineTool({
  name: 'instructions/enrich',
  title: 'Store missing governance fields',
  summary: 'Writes the fields that stored instructions lack and that were filled in while loading.',
  guide: {
    when: ['instructions were written manually or come from an older format'],
    whileShut:
      'Missing fields are filled in while reading; propose values of your own with instructions/propose. An admin runs fourfold instructions enrich, or starts the server with MCP_ENABLE_MUTATION=1.',
    example: {},
  },
  effect: 'update',
  gated: true,
  // It rewrites rules.
  scope: 'admin',
  stable: false,
  idempotent: true,
  streams: true,
  deadlineMs: instructionLimits.bulkDeadlineMs,
  input: z.strictObject({}),
  output: outputSchema,
  faults: ['MUTATION_DISABLED', 'PERMISSION_DENIED'],
  run: ({ writes }: Pick<Instructions, 'writes'>, _input, call) => writes.enrich(call),
});
