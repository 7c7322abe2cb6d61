import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { addInput } from '../writes/write-inputs.ts';
import { anyId } from './read-schemas.ts';

export const proposalId = z.string().min(1).max(100);
export const reasonText = z.string().trim().min(1).max(instructionLimits.listItemChars);

const inputSchema = z.strictObject({
  entry: addInput.shape.entry.describe('The instruction; for an existing id only id and the fields that change'),
  remove: anyId.optional().describe('Proposes to remove this id'),
  withdraw: proposalId.optional().describe('Takes back your own proposal'),
  reopen: proposalId.optional().describe('Proposes again what you have withdrawn'),
  reason: reasonText.optional(),
  base: z.string().max(100).optional().describe('sourceHash of the text that it was made from'),
});
export type ProposeInput = DeepReadonly<z.infer<typeof inputSchema>>;

/** What a proposal would change. */
export const proposedChange = {
  what: z.enum(['create', 'update', 'delete']).optional(),
  title: z.string().optional().describe('Of the present instruction, or else of the proposed one'),
  diff: z.string().describe('Lines of the body with - and +, and the lines around them'),
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })).describe('Of other fields'),
};

const outputSchema = z.object({
  proposed: z.boolean(),
  proposal_id: z.string().optional(),
  id: z.string(),
  withdrawn: z.boolean().optional(),
  ...proposedChange,
  hint: z.string(),
});
export type ProposeAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsPropose = defineTool({
  name: 'instructions/propose',
  title: 'Propose a change of an instruction',
  summary: 'Proposes a new, changed or removed instruction. Nothing changes until an admin approves it.',
  guide: {
    when: ['a rule should be better and you may not change it, or mutation is disabled'],
    not: ['you may change it: instructions/add'],
    example: { entry: { id: 'commit-style', body: 'Write commit titles in the imperative.' }, reason: 'was unclear' },
  },
  effect: 'create',
  stable: false,
  input: inputSchema,
  output: outputSchema,
  faults: ['READ_ONLY', 'RESOURCE_LIMIT', 'VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
  run: ({ proposals }: Pick<Instructions, 'proposals'>, input, call) => proposals.propose(input, call),
});
