import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { boundedList } from './read-schemas.ts';

type Domain = Pick<Instructions, 'reads'>;

export const instructionsBatch = defineTool({
  name: 'instructions/batch',
  title: 'Several catalog actions at once',
  summary: 'Runs actions one after the other; each has its own result or error, and one that fails stops no other.',
  guide: {
    when: ['you need several answers of the catalog at once'],
    not: ['you add many entries: instructions_import'],
    example: { operations: [{ action: 'get', id: 'commit-messages' }, { action: 'categories' }] },
  },
  // The scopes and gates of the called tools apply.
  effect: 'update',
  scope: 'read',
  audit: 'none',
  forwards: true,
  streams: true,
  input: z.strictObject({
    operations: boundedList(
      z.record(z.string(), z.unknown()),
      instructionLimits.batchOperationsCount,
      'The batch',
    ).describe('Each as for instructions/dispatch: {action, …}'),
  }),
  output: z.object({
    results: z
      .array(z.record(z.string(), z.unknown()))
      .describe('In order: the result, or {error: {code, message, data}}'),
  }),
  faults: ['INVALID_PARAMS', 'RESOURCE_LIMIT'],
  run: ({ reads }: Domain, { operations }, call) => reads.batch(operations, call),
});
