import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { addInput } from '../writes/write-inputs.ts';
import { proposedFields } from './read-schemas.ts';

const outputSchema = z.object({
  id: z.string().optional(),
  hash: z.string().optional(),
  created: z.boolean(),
  overwritten: z.boolean(),
  skipped: z.boolean(),
  verified: z.boolean(),
  sourceHash: z.string().optional(),
  governanceHash: z.string().optional(),
  version: z.string().optional(),
  status: z.string().optional(),
  ...proposedFields,
  changedFields: z
    .array(z.string())
    .optional()
    .describe('What an overwrite changed, without versions, hashes and times'),
  appears: z.string().optional().describe('When agents get this rule'),
  hint: z.string().optional(),
  error: z.string().optional(),
  missing: z.array(z.string()).optional(),
  feedbackHint: z.string().optional(),
  reproEntry: z.object({ id: z.string().optional(), bodyPreview: z.string().optional() }).optional(),
  schema: z.record(z.string(), z.unknown()).optional().describe('The schema of an entry'),
});

export type AddAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsAdd = defineTool({
  name: 'instructions/add',
  title: 'Add an instruction',
  summary:
    'Stores one instruction. With overwrite it changes the entry of that id and keeps the fields that are not given.',
  guide: {
    when: ['a rule should be stored for every agent', 'a rule has to be corrected (overwrite)'],
    not: [
      'you have many: instructions/import',
      'only owner, status or review dates change: instructions/governanceUpdate',
    ],
    example: { entry: { id: 'commit-style', body: 'Write commit titles in the imperative.' }, lax: true },
  },
  effect: 'update',
  gated: true,
  stable: false,
  input: addInput,
  output: outputSchema,
  faults: ['MUTATION_DISABLED', 'RESOURCE_LIMIT', 'VALIDATION_ERROR', 'INTEGRITY_ERROR', 'CONFLICT'],
  run: ({ writes }: Pick<Instructions, 'writes'>, input, call) => writes.add(call, input),
});
