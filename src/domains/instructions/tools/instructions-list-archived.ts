import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';

const inputSchema = z.strictObject({
  limit: z.int().min(1).max(instructionLimits.archivePageCount).default(20),
  cursor: z.string().max(cursorLimits.cursorChars).optional(),
});

const outputSchema = z.object({
  count: z.int(),
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      version: z.string(),
      owner: z.string(),
      sourceHash: z.string(),
      removedAt: z.string(),
      removedBy: z.string(),
    }),
  ),
  nextCursor: z.string().optional(),
});

export type ListArchivedAnswer = DeepReadonly<z.infer<typeof outputSchema>>;
export type ListArchivedInput = DeepReadonly<z.infer<typeof inputSchema>>;
export type ArchivedItem = ListArchivedAnswer['items'][number];

export const instructionsListArchived = defineTool({
  name: 'instructions/listArchived',
  title: 'List removed instructions',
  summary: 'Lists removed instructions that can be restored, newest first.',
  guide: { when: ['you look for an instruction that was removed'], example: { limit: 20 } },
  effect: 'read',
  stable: false,
  answer: 'page',
  input: inputSchema,
  output: outputSchema,
  faults: ['INVALID_PARAMS'],
  run: ({ writes }: Pick<Instructions, 'writes'>, input, call) => writes.listArchived(call, input),
});
