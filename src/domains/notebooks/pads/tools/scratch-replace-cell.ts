import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { notebookFaults } from '../../notebook-faults.ts';
import { cellId, cellInput, expectedRevision, lightPad, scratchId } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';
import { validationResult } from '../../validation/validation-result.ts';

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const newIndex = z
  .custom<number>(isIndex, {
    params: {
      fault: notebookFaults.INVALID_INDEX({ why: 'new_index is a whole number from 0 on' }, { field: 'new_index' }),
    },
  })
  .meta({ type: 'integer', minimum: 0 })
  .optional()
  .describe('Where the cell moves to, counted from 0');

export const scratchReplaceCell = defineTool({
  name: 'scratch_replace_cell',
  title: 'Replace or move a cell of a scratchpad',
  summary:
    'Puts a new cell in the place of one, under the same id, and moves it when new_index says so: all or nothing.',
  guide: {
    when: ['a cell has to change or to move'],
    not: ['you want to add one: scratch_append_cell'],
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
