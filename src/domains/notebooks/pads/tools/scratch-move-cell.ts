import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellId, cellIndex, expectedRevision, scratchId, shownCells, writeAnswer } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchMoveCell = defineTool({
  name: 'scratch_move_cell',
  title: 'Move a cell of a scratchpad',
  summary: 'Moves a cell to another position or another scratchpad; its content, id, revision and history stay.',
  guide: {
    when: ['the order of the cells is wrong', 'a note belongs to another scratchpad: to_scratch_id'],
    not: ['the content changes too: scratch_replace_cell with new_index'],
    example: { scratch_id: 'inbox-2026-05', cell_id: 'm-3f9a1c0b7d2e4f60', to_scratch_id: 'plan' },
  },
  effect: 'update',
  input: z.strictObject({
    scratch_id: scratchId,
    cell_id: cellId,
    to_index: cellIndex('to_index').optional().describe('New position, from 0; default in another scratchpad: the end'),
    to_scratch_id: scratchId.optional().describe('An existing scratchpad that gets the cell'),
    expected_revision: expectedRevision,
    cells: shownCells,
  }),
  output: writeAnswer.extend({
    moved_from: z
      .object({ scratch_id: z.string(), revision: z.int(), cell_count: z.int() })
      .optional()
      .describe('The scratchpad that the cell left'),
  }),
  faults: [
    'NOT_FOUND',
    'INVALID_ID',
    'INVALID_INDEX',
    'CONFLICT',
    'CAPACITY_LIMIT_REACHED',
    'VALIDATION_ERROR',
    'CONFIG_ERROR',
  ],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.moveCell(input, call),
});
