import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionEntry } from '../entry-model.ts';
import type { Instructions } from '../instructions.ts';
import { anyId } from './read-schemas.ts';

export const instructionsGet = defineTool({
  name: 'instructions/get',
  title: 'Get an instruction',
  summary: 'Returns one entry by id, as it is stored now.',
  guide: { when: ['you know the id'], example: { id: 'commit-messages' } },
  effect: 'read',
  input: z.strictObject({ id: anyId }),
  output: z.object({
    hash: z.string(),
    item: instructionEntry.optional(),
    notFound: z.literal(true).optional(),
    id: z.string().optional(),
  }),
  faults: ['INVALID_PARAMS'],
  reusesAnswers: true,
  run: ({ reads }: Pick<Instructions, 'reads'>, { id }, call) => reads.get(id, call),
});
