import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { boundedList } from './read-schemas.ts';

export const instructionsBatch = defineTool({
  name: 'instructions/batch',
  title: 'Run several catalog actions',
  summary: 'Runs actions in order. Each has its own result or error, and a failure does not stop the rest.',
  guide: {
    when: ['you need several answers from the catalog'],
    not: ['you add many entries: instructions_import'],
    example: { operations: [{ action: 'get', id: 'commit-messages' }, { action: 'categories' }] },
  },
  // The scopes and gates of the called tools apply.
  effect: 'update',
  scope: 'read',
  audit: 'none',
  forwards: 'instructions/',
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
  run: ({ reads }: Pick<Instructions, 'reads'>, { operations }, call) => reads.batch(operations, call),
});
