import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import {
  cellId,
  cellIndex,
  cellInput,
  expectedRevision,
  scratchId,
  shownCells,
  writeAnswer,
} from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchReplaceCell = defineTool({
  name: 'scratch_replace_cell',
  title: 'Replace or move a cell',
  summary: 'Replaces a cell under the same id and optionally moves it to new_index, both or neither.',
  guide: {
    when: ['a cell must change or move'],
    not: ['you want to add a cell: scratch_append_cell'],
    example: { scratch_id: 'plan', cell_id: 'intro', cell: { language: 'md', content: '# New plan' }, new_index: 0 },
  },
  effect: 'update',
  listed: true,
  input: z.strictObject({
    scratch_id: scratchId,
    cell_id: cellId,
    cell: cellInput,
    new_index: cellIndex('new_index').optional().describe('From 0'),
    expected_revision: expectedRevision,
    cells: shownCells,
  }),
  output: writeAnswer,
  faults: ['NOT_FOUND', 'INVALID_ID', 'INVALID_INDEX', 'CONFLICT', 'CAPACITY_LIMIT_REACHED', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.replace(input, call),
});
