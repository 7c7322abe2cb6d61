import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { anyId, boundedList, briefField, cutFields, offsetField, shownEntries } from './read-schemas.ts';

export const instructionsDiff = defineTool({
  name: 'instructions/diff',
  title: 'Compare with the catalog',
  summary:
    'Returns what a client with a copy must fetch and delete, or that the copy is up to date; use brief: true to see only which entries differ.',
  guide: {
    when: ['you keep a copy of the catalog and want to update it'],
    example: { clientHash: 'the hash of your last list' },
  },
  effect: 'read',
  input: z.strictObject({
    clientHash: z.string().max(200).optional(),
    known: boundedList(
      z.strictObject({ id: anyId, sourceHash: z.string().max(200) }),
      instructionLimits.knownEntriesCount,
      'The list of known entries',
    )
      .optional()
      .describe('The entries of your copy'),
    brief: briefField,
    offset: offsetField.describe('nextOffset of an answer that was cut'),
  }),
  output: z.object({
    hash: z.string(),
    schemaVersion: z.string(),
    upToDate: z.literal(true).optional(),
    added: shownEntries.optional(),
    updated: shownEntries.optional(),
    removed: z.array(z.string()).optional(),
    changed: shownEntries.optional(),
    ...cutFields,
  }),
  faults: ['INVALID_PARAMS', 'RESOURCE_LIMIT'],
  run: ({ reads }: Pick<Instructions, 'reads'>, input, call) => reads.diff(input, call),
});
