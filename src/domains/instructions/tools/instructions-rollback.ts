import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { versionNumber } from './instructions-history.ts';
import { anyId } from './read-schemas.ts';

const inputSchema = z.strictObject({
  id: anyId,
  of: anyId.optional().describe('The former id that the version belongs to, if the instruction was renamed'),
  to: versionNumber.describe('A number of instructions/history'),
  reason: z.string().min(1).max(instructionLimits.listItemChars).optional(),
});
export type RollbackInput = DeepReadonly<z.infer<typeof inputSchema>>;

const outputSchema = z.object({
  id: z.string(),
  rolledBackTo: z.int(),
  version: z.string(),
  sourceHash: z.string(),
  hash: z.string(),
});
export type RollbackAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsRollback = defineTool({
  name: 'instructions/rollback',
  title: 'Roll an instruction back',
  summary:
    'Makes an earlier version of one instruction the present one, as a new version. Also restores a deleted one.',
  guide: {
    when: ['a change of a rule turned out to be wrong'],
    whileShut:
      'Propose the earlier text: instructions/compare shows it, instructions/propose {"entry": {"id", "body", …}, "reason"} proposes it. An admin rolls back with fourfold instructions rollback or in the dashboard, or starts the server with MCP_ENABLE_MUTATION=1.',
    example: { id: 'commit-style', to: 3, reason: 'the new wording confused reviewers' },
  },
  effect: 'update',
  gated: true,
  // It replaces an approved rule.
  scope: 'admin',
  stable: false,
  idempotent: true,
  input: inputSchema,
  output: outputSchema,
  faults: ['MUTATION_DISABLED', 'VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'INTEGRITY_ERROR', 'PERMISSION_DENIED'],
  run: ({ history }: Pick<Instructions, 'history'>, input, call) => history.rollback(input, call),
});
