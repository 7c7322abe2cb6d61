import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionEntry } from '../entry-model.ts';
import type { Instructions } from '../instructions.ts';
import { anyId } from './read-schemas.ts';

export const instructionsGetEnhanced = defineTool({
  name: 'instructions/getEnhanced',
  title: 'Get an instruction with diagnostics',
  summary: 'Returns one entry, and whether its file was found only now or why it is not served.',
  guide: {
    when: ['a file is in the folder and the catalog does not show it'],
    example: { id: 'commit-messages' },
  },
  effect: 'read',
  input: z.strictObject({ id: anyId }),
  output: z.object({
    hash: z.string(),
    item: instructionEntry.optional(),
    notFound: z.literal(true).optional(),
    id: z.string().optional(),
    lateMaterialized: z.boolean().optional(),
    etag: z.string().optional().describe('Of this state of the entry, for the base of instructions/add'),
    problem: z.object({ file: z.string(), problem: z.string() }).optional(),
  }),
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Pick<Instructions, 'reads'>, { id }, call) => reads.getEnhanced(id, call),
});
