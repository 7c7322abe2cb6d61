import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { notebookFaults } from '../../notebook-faults.ts';
import { cellId, cellInput, expectedRevision, lightPad, scratchId, validationResult } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const newIndex = z
  .custom<number>(isIndex, {
    params: {
      fault: notebookFaults.INVALID_INDEX(
        { why: 'new_index must be an integer of at least 0' },
        { field: 'new_index' },
      ),
    },
  })
  .meta({ type: 'integer', minimum: 0 })
  .optional()
  .describe('New position of the cell, from 0');

export const scratchReplaceCell = defineTool({
  name: 'scratch_replace_cell',
  title: 'Replace or move a cell of a scratchpad',
  summary: 'Replaces a cell under the same id and optionally moves it to new_index, both or neither.',
  guide: {
    when: ['a cell must change or move'],
    not: ['you want to add a cell: scratch_append_cell'],
    example: { scratch_id: 'plan', cell_id: 'intro', cell: { language: 'md', content: '# New plan' }, new_index: 0 },
  },
  effect: 'update',
  input: z.strictObject({
    scratch_id: scratchId,
    cell_id: cellId,
    cell: cellInput,
    new_index: newIndex,
    expected_revision: expectedRevision,
  }),
  output: z.object({
    ok: z.literal(true),
    scratchpad: lightPad,
    validation: z.array(validationResult).optional(),
  }),
  faults: ['NOT_FOUND', 'INVALID_ID', 'INVALID_INDEX', 'CONFLICT', 'CAPACITY_LIMIT_REACHED', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.replace(input, call),
});
