import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellId, cellIndex, expectedRevision, scratchId, shownCells, writeAnswer } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchMoveCell = defineTool({
  name: 'scratch_move_cell',
  title: 'Move a cell of a scratchpad',
  summary: 'Moves a cell to another position; its content and its revision stay.',
  guide: {
    when: ['the order of the cells is wrong'],
    not: ['the content changes too: scratch_replace_cell with new_index'],
    example: { scratch_id: 'plan', cell_id: 'intro', to_index: 0 },
  },
  effect: 'update',
  input: z.strictObject({
    scratch_id: scratchId,
    cell_id: cellId,
    to_index: cellIndex('to_index').describe('New position of the cell, from 0'),
    expected_revision: expectedRevision,
    cells: shownCells,
  }),
  output: writeAnswer,
  faults: ['NOT_FOUND', 'INVALID_ID', 'INVALID_INDEX', 'CONFLICT', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.moveCell(input, call),
});
