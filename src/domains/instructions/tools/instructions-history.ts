import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { anyId } from './read-schemas.ts';

/** Title to hash are those of the version; they are missing if the entry was deleted. */
export const shownVersion = z.object({
  number: z.int(),
  what: z.enum(['found', 'create', 'update', 'delete']),
  at: z.string(),
  by: z.string().optional(),
  tool: z.string().optional(),
  reason: z.string().optional(),
  approvedBy: z.string().optional().describe('Who approved the proposal of the author'),
  proposal_id: z.string().optional(),
  gitAuthor: z.string().optional().describe('Of the commit that contains exactly this file'),
  renamedFrom: z.string().optional().describe('The former id, which has the earlier versions'),
  renamedTo: z.string().optional(),
  title: z.string().optional(),
  version: z.string().optional(),
  status: z.string().optional(),
  sourceHash: z.string().optional(),
});
export type ShownVersion = DeepReadonly<z.infer<typeof shownVersion>>;

export const versionNumber = z.int().min(1);

const inputSchema = z.strictObject({
  id: anyId,
  limit: z.int().min(1).max(instructionLimits.historyPageCount).default(20),
  before: versionNumber.optional().describe('Only versions with a lower number'),
});
export type HistoryInput = DeepReadonly<z.infer<typeof inputSchema>>;

const outputSchema = z.object({
  id: z.string(),
  count: z.int(),
  versions: z.array(shownVersion),
  nextBefore: z.int().optional(),
  hint: z.string().optional(),
});
export type HistoryAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsHistory = defineTool({
  name: 'instructions/history',
  title: 'List the versions of an instruction',
  summary: 'Lists every version of one instruction, newest first: who changed it, when, how and why.',
  guide: {
    when: ['you want to know what a rule said before, or who changed it'],
    not: ['you want to see the difference: instructions/compare'],
    example: { id: 'commit-style' },
  },
  effect: 'read',
  stable: false,
  input: inputSchema,
  output: outputSchema,
  faults: ['INVALID_PARAMS', 'INTEGRITY_ERROR'],
  run: ({ history }: Pick<Instructions, 'history'>, input, call) => history.list(input, call),
});
