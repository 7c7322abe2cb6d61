import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { shownVersion, versionNumber } from './instructions-history.ts';
import { anyId } from './read-schemas.ts';

const inputSchema = z.strictObject({
  id: anyId,
  of: anyId.optional().describe('The former id that `from` belongs to, if the instruction was renamed'),
  from: versionNumber,
  to: versionNumber.optional().describe('Default: the present'),
  texts: z.boolean().default(false).describe('Also return both bodies'),
});
export type CompareInput = DeepReadonly<z.infer<typeof inputSchema>>;

const outputSchema = z.object({
  id: z.string(),
  of: z.string().optional().describe('The former id, if it was given'),
  from: shownVersion,
  to: shownVersion.optional().describe('Missing for the present'),
  changedFields: z.array(z.string()).describe('Without versions, hashes and times'),
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
  texts: z.object({ before: z.string().nullable(), after: z.string().nullable() }).optional(),
  bodyDiff: z.string().describe('Changed lines with - and +, and the lines around them'),
});
export type CompareAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsCompare = defineTool({
  name: 'instructions/compare',
  title: 'Compare two versions of an instruction',
  summary: 'Shows what differs between two versions of one instruction, or between a version and the present.',
  guide: {
    when: ['you review a change, or wonder what a rule said last week'],
    not: ['you compare your copy of the catalog: instructions/diff'],
    example: { id: 'commit-style', from: 1 },
  },
  effect: 'read',
  stable: false,
  input: inputSchema,
  output: outputSchema,
  faults: ['INVALID_PARAMS', 'VALIDATION_ERROR', 'NOT_FOUND', 'INTEGRITY_ERROR'],
  run: ({ history }: Pick<Instructions, 'history'>, input, call) => history.compare(input, call),
});
