import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellId, expectedRevision, scratchId, shownCells, writeAnswer } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchDeleteCell = defineTool({
  name: 'scratch_delete_cell',
  title: 'Delete a cell of a scratchpad',
  summary: 'Deletes one cell; the cells after it move up. The answer contains the call that restores it.',
  guide: {
    when: ['a cell is wrong or no longer needed', 'with permanently: a password or key was stored by accident'],
    not: ['the whole scratchpad goes: scratch_delete'],
    example: { scratch_id: 'plan', cell_id: 'intro' },
  },
  effect: 'delete',
  input: z.strictObject({
    scratch_id: scratchId,
    cell_id: cellId,
    expected_revision: expectedRevision,
    cells: shownCells,
    permanently: z
      .boolean()
      .optional()
      .describe('Also deletes all its former versions. Cannot be undone. Also for a cell that was deleted before'),
  }),
  output: writeAnswer,
  faults: ['NOT_FOUND', 'INVALID_ID', 'CONFLICT', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.deleteCell(input, call),
});
