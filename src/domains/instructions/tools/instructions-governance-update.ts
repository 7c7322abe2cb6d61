import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { governanceUpdateInput } from '../writes/write-inputs.ts';
import { proposedFields } from './read-schemas.ts';

const outputSchema = z.object({
  id: z.string(),
  notFound: z.boolean().optional(),
  changed: z.boolean(),
  previousVersion: z.string().optional(),
  newVersion: z.string().optional(),
  changedFields: z.array(z.string()).optional(),
  governanceHash: z.string().optional(),
  hash: z.string(),
  ...proposedFields,
});

export type GovernanceUpdateAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsGovernanceUpdate = defineTool({
  name: 'instructions/governanceUpdate',
  title: 'Update governance',
  summary:
    'Changes owner, status, review dates, requirement, target (appliesTo, tags) and similar fields of one instruction.',
  guide: {
    when: [
      'an instruction was reviewed, approved or has a new owner',
      'a candidate becomes mandatory, or a rule applies elsewhere',
    ],
    not: ['the text changes: instructions/add with overwrite'],
    example: { id: 'commit-style', patch: { owner: 'platform-team', status: 'approved' }, bump: 'patch' },
  },
  effect: 'update',
  gated: true,
  stable: false,
  input: governanceUpdateInput,
  output: outputSchema,
  faults: ['MUTATION_DISABLED', 'VALIDATION_ERROR', 'CONFLICT', 'INTEGRITY_ERROR'],
  run: ({ writes }: Pick<Instructions, 'writes'>, input, call) => writes.governanceUpdate(call, input),
});
