import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { proposalStates } from '../proposals/proposal-store.ts';
import { proposalId, proposedChange } from './instructions-propose.ts';
import { anyId, filterText } from './read-schemas.ts';

const inputSchema = z.strictObject({
  id: anyId.optional().describe('Only proposals for this instruction'),
  proposal_id: proposalId.optional().describe('Only this one, with its whole texts'),
  state: z.enum([...proposalStates, 'all']).default('pending'),
  query: filterText.optional().describe('Words that occur in it'),
  limit: z.int().min(1).max(instructionLimits.proposalsPageCount).default(20),
  cursor: z.string().max(cursorLimits.cursorChars).optional(),
});
export type ProposalsInput = DeepReadonly<z.infer<typeof inputSchema>>;

const shownProposal = z.object({
  proposal_id: z.string(),
  id: z.string(),
  state: z.enum(proposalStates),
  by: z.string(),
  at: z.string(),
  ageDays: z.int(),
  tool: z.string(),
  reason: z.string().optional(),
  stale: z.boolean().optional().describe('The instruction has changed since; only of open proposals'),
  ...proposedChange,
  truncated: z.literal(true).optional().describe('proposal_id shows the whole difference'),
  decidedBy: z.string().optional(),
  decidedAt: z.string().optional(),
  decision: z.string().optional().describe('The reason for it'),
  texts: z
    .object({ base: z.string().nullable(), current: z.string().nullable(), proposed: z.string().nullable() })
    .optional(),
});
export type ShownProposal = DeepReadonly<z.infer<typeof shownProposal>>;

const outputSchema = z.object({
  count: z.int(),
  items: z.array(shownProposal),
  nextCursor: z.string().optional(),
  hint: z.string().optional(),
});
export type ProposalsAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsProposals = defineTool({
  name: 'instructions/proposals',
  title: 'List proposed changes of instructions',
  summary: 'Lists proposals, newest first: what they would change, who made them and why, and how they were decided.',
  guide: {
    when: ['you review what agents and colleagues propose', 'you want to know what became of your proposal'],
    example: { state: 'pending' },
  },
  effect: 'read',
  stable: false,
  answer: 'page',
  positionals: ['proposal_id'],
  input: inputSchema,
  output: outputSchema,
  faults: ['INVALID_PARAMS', 'NOT_FOUND', 'INTEGRITY_ERROR'],
  run: ({ proposals }: Pick<Instructions, 'proposals'>, input, call) => proposals.list(input, call),
});
