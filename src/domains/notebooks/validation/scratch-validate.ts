import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellIdFilter, cellInput, scratchId, validationResult } from '../notebook-model.ts';
import type { Validation } from './validation.ts';

export const scratchValidate = defineTool({
  name: 'scratch_validate',
  title: 'Validate cells of a scratchpad',
  summary: 'Parses cells in their language and applies their JSON Schemas; reports errors with line and column.',
  guide: {
    when: ['you need to know whether cells parse and match their schemas'],
    not: ['you are about to write a cell: set validate: true on it'],
    example: { scratch_id: 'plan' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    scratch_id: scratchId,
    cell_ids: cellIdFilter,
    cell: cellInput
      .optional()
      .describe('Validates this cell instead, with the schemas of the scratchpad; stores nothing'),
  }),
  output: z.object({ ok: z.literal(true), scratch_id: z.string(), results: z.array(validationResult) }),
  faults: ['INVALID_ID', 'NOT_FOUND', 'VALIDATION_TIMEOUT', 'CAPACITY_LIMIT_REACHED', 'CONFIG_ERROR'],
  run: ({ validation }: { readonly validation: Validation }, { scratch_id, cell_ids, cell }, call) =>
    cell === undefined
      ? validation.validate(scratch_id, cell_ids, call)
      : validation.validateGiven(scratch_id, cell, call),
});
