import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellInput, expectedRevision, scratchId, shownCells, writeAnswer } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchAppendCell = defineTool({
  name: 'scratch_append_cell',
  title: 'Append a cell',
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
  input: z.strictObject({
    scratch_id: scratchId,
    cell: cellInput,
    create_if_missing: z.boolean().default(false),
    expected_revision: expectedRevision,
    cells: shownCells,
  }),
  output: writeAnswer.extend({
    created: z.literal(true).optional().describe('The scratchpad did not exist'),
    evicted_scratchpads: z.array(z.string()).optional(),
  }),
  faults: ['NOT_FOUND', 'INVALID_ID', 'CONFLICT', 'CAPACITY_LIMIT_REACHED', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.append(input, call),
});
