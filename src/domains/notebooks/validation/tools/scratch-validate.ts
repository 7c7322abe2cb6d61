import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellIdFilter, scratchId } from '../../notebook-model.ts';
import type { Checks } from '../checks.ts';
import { validationResult } from '../validation-result.ts';

export const scratchValidate = defineTool({
  name: 'scratch_validate',
  title: 'Validate cells of a scratchpad',
  summary: 'Parses cells in their language and applies their JSON Schemas; answers errors with line and column.',
  guide: {
    when: ['you want to know whether what is in a scratchpad parses or follows its schema'],
    not: ['you are about to write: validate: true on the cell does both'],
    example: { scratch_id: 'plan' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({ scratch_id: scratchId, cell_ids: cellIdFilter }),
  output: z.object({ ok: z.literal(true), scratch_id: z.string(), results: z.array(validationResult) }),
  faults: ['INVALID_ID', 'NOT_FOUND', 'VALIDATION_TIMEOUT', 'CAPACITY_LIMIT_REACHED', 'CONFIG_ERROR'],
  run: ({ checks }: { readonly checks: Checks }, { scratch_id, cell_ids }, call) =>
    checks.validate(scratch_id, cell_ids, call),
});
