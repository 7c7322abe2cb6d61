import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { anyId, boundedList, cutFields, entries, offsetField } from './read-schemas.ts';

type Domain = Pick<Instructions, 'reads'>;

export const instructionsDiff = defineTool({
  name: 'instructions/diff',
  title: 'What changed in the catalog',
  summary: 'What a client that holds a copy has to fetch and to forget, or that it is up to date.',
  guide: {
    when: ['you keep a copy of the catalog and want it to be true'],
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
      .describe('What you hold'),
    offset: offsetField.describe('nextOffset of an answer that was cut'),
  }),
  output: z.object({
    hash: z.string(),
    schemaVersion: z.string(),
    upToDate: z.literal(true).optional(),
    added: entries.optional(),
    updated: entries.optional(),
    removed: z.array(z.string()).optional(),
    changed: entries.optional(),
    ...cutFields,
  }),
  faults: ['INVALID_PARAMS', 'RESOURCE_LIMIT'],
  run: ({ reads }: Domain, input, call) => reads.diff(input, call),
});
