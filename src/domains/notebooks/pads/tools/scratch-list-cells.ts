import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { cellIdFilter, listedCell, scratchId, tagFilter } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchListCells = defineTool({
  name: 'scratch_list_cells',
  title: 'List the cells of a scratchpad',
  summary: 'Lists the cells of a scratchpad with language, tags, metadata, size and a short preview, without content.',
  guide: {
    when: ['you look for a cell in a scratchpad'],
    not: ['you need the content: scratch_read with cell_ids'],
    example: { scratch_id: 'plan', tags: ['draft'] },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    scratch_id: scratchId,
    cell_ids: cellIdFilter,
    tags: tagFilter,
    cursor: z.string().max(cursorLimits.cursorChars).optional().describe('next_cursor of a write or a page'),
  }),
  output: z.object({
    ok: z.literal(true),
    scratch_id: z.string(),
    cells: z.array(listedCell),
    next_cursor: z.string().optional(),
  }),
  faults: ['NOT_FOUND', 'INVALID_ID', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.listCells(input, call),
});
