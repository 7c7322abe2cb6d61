import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellInput, expectedRevision, lightPad, scratchId, validationResult } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchAppendCell = defineTool({
  name: 'scratch_append_cell',
  title: 'Append a cell to a scratchpad',
  summary: 'Adds a cell at the end of a scratchpad.',
  guide: {
    when: ['you have something to keep'],
    not: ['you want to change a cell: scratch_replace_cell'],
    example: {
      scratch_id: 'plan',
      cell: { language: 'json', content: '{"step": 1}', validate: true, tags: ['draft'] },
    },
  },
  effect: 'create',
  listed: true,
  input: z.strictObject({ scratch_id: scratchId, cell: cellInput, expected_revision: expectedRevision }),
  output: z.object({
    ok: z.literal(true),
    scratchpad: lightPad,
    validation: z.array(validationResult).optional(),
  }),
  faults: ['NOT_FOUND', 'INVALID_ID', 'CONFLICT', 'CAPACITY_LIMIT_REACHED', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.append(input, call),
});
