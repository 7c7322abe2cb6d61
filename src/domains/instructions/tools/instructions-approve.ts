import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionEntry } from '../entry-model.ts';
import type { Instructions } from '../instructions.ts';
import { proposalId, reasonText } from './instructions-propose.ts';

const inputSchema = z.strictObject({
  proposal_id: proposalId,
  reason: reasonText.optional(),
  edit: z
    .strictObject(instructionEntry.pick({ title: true, body: true }).partial().shape)
    .optional()
    .describe('Approves it with another title or body'),
  rebase: z.boolean().default(false).describe('Also if the instruction has changed since: sets the proposed fields'),
});
export type ApproveInput = DeepReadonly<z.infer<typeof inputSchema>>;

const outputSchema = z.object({
  approved: z.literal(true),
  already: z.boolean().describe('It had been approved before'),
  proposal_id: z.string(),
  id: z.string(),
  proposedBy: z.string(),
  approvedBy: z.string(),
  approvedAt: z.string(),
  version: z.string().optional(),
  sourceHash: z.string().optional(),
  hash: z.string(),
});
export type ApproveAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsApprove = defineTool({
  name: 'instructions/approve',
  title: 'Approve a proposal',
  summary: 'Makes a proposed change of an instruction. The history names who proposed and who approved it.',
  guide: {
    when: ['you have read a proposal of instructions/proposals and agree'],
    not: ['you disagree: instructions/reject'],
    whileShut:
      'An admin approves it: fourfold instructions approve <proposal_id> at the command line, the page Proposals of the dashboard, or starts the server with MCP_ENABLE_MUTATION=1.',
    example: { proposal_id: 'p-3f9a1c0b7d2e' },
  },
  effect: 'update',
  gated: true,
  scope: 'admin',
  stable: false,
  idempotent: true,
  input: inputSchema,
  output: outputSchema,
  faults: ['MUTATION_DISABLED', 'PERMISSION_DENIED', 'NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR', 'INTEGRITY_ERROR'],
  run: ({ proposals }: Pick<Instructions, 'proposals'>, input, call) => proposals.approve(input, call),
});
