import { z } from 'zod';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { proposedManyFields } from './read-schemas.ts';

const inputSchema = z.strictObject({
  ids: z.array(z.string()).min(1),
  confirm: z.boolean().default(false).describe('Required for more than ten'),
  cascade: z.boolean().default(false).describe('Also removes entries that depend on them'),
});

const outputSchema = z.object({
  removed: z.int(),
  removedIds: z.array(z.string()),
  missing: z.array(z.string()),
  errorCount: z.int(),
  errors: z.array(z.object({ id: z.string(), error: z.string(), code: z.string() })),
  cascadeRemovals: z.array(z.string()).optional(),
  hash: z.string(),
  restore: restoreCall.optional(),
  ...proposedManyFields,
});

export type RemoveAnswer = DeepReadonly<z.infer<typeof outputSchema>>;
export type RemoveInput = DeepReadonly<z.infer<typeof inputSchema>>;
export type RemoveError = RemoveAnswer['errors'][number];

export const instructionsRemove = defineTool({
  name: 'instructions/remove',
  title: 'Remove instructions',
  summary: 'Removes instructions from the catalog and keeps a copy of each in the archive.',
  guide: {
    when: ['a rule no longer holds'],
    not: ['another rule replaces it: mark it deprecated with deprecatedBy'],
    example: { ids: ['commit-style'] },
  },
  effect: 'delete',
  gated: true,
  stable: false,
  streams: true,
  deadlineMs: instructionLimits.bulkDeadlineMs,
  input: inputSchema,
  output: outputSchema,
  faults: ['MUTATION_DISABLED', 'VALIDATION_ERROR', 'RESOURCE_LIMIT'],
  run: ({ writes }: Pick<Instructions, 'writes'>, input, call) => writes.remove(call, input),
});
