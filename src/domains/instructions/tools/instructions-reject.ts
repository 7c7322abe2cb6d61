import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { proposalId, reasonText } from './instructions-propose.ts';

const inputSchema = z.strictObject({ proposal_id: proposalId, reason: reasonText });
export type RejectInput = DeepReadonly<z.infer<typeof inputSchema>>;

const outputSchema = z.object({
  rejected: z.literal(true),
  already: z.boolean().describe('It had been rejected before'),
  proposal_id: z.string(),
  id: z.string(),
  proposedBy: z.string(),
});
export type RejectAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsReject = defineTool({
  name: 'instructions/reject',
  title: 'Reject a proposal',
  summary: 'Closes a proposed change of an instruction without making it. The reason is kept for its author.',
  guide: {
    when: ['you have read a proposal of instructions/proposals and disagree'],
    not: ['you agree: instructions/approve'],
    whileShut:
      'Its author withdraws it with instructions/propose {"withdraw": "<proposal_id>"}. An admin rejects it: fourfold instructions reject <proposal_id> <reason>, the page Proposals of the dashboard, or starts the server with MCP_ENABLE_MUTATION=1.',
    example: { proposal_id: 'p-3f9a1c0b7d2e', reason: 'contradicts the release rule' },
  },
  effect: 'update',
  gated: true,
  scope: 'admin',
  stable: false,
  idempotent: true,
  input: inputSchema,
  output: outputSchema,
  faults: ['MUTATION_DISABLED', 'PERMISSION_DENIED', 'NOT_FOUND', 'CONFLICT'],
  run: ({ proposals }: Pick<Instructions, 'proposals'>, input, call) => proposals.reject(input, call),
});
