import { z } from 'zod';
import { defineTool, rare } from '#kernel/tool/tool.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { cellIdFilter, fullPad, namespaceFilter, scratchId, tagFilter } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchRead = defineTool({
  name: 'scratch_read',
  title: 'Read a scratchpad',
  summary: 'Returns a scratchpad with all its cells, or those with given ids or tags.',
  guide: {
    when: ['you need the content of cells'],
    not: ['you only need an overview: scratch_list_cells'],
    example: { scratch_id: 'plan', tags: ['draft'] },
  },
  effect: 'read',
  listed: true,
  answer: 'whole',
  reusesAnswers: true,
  input: z.strictObject({
    scratch_id: scratchId,
    cell_ids: cellIdFilter,
    tags: tagFilter,
    namespaces: namespaceFilter,
    include_metadata: z.boolean().default(true),
    offset: z.int().min(0).optional().meta(rare).describe('Index of the first cell'),
    limit: z.int().min(1).max(notebookLimits.readCellsCount).optional().meta(rare),
  }),
  output: z.object({
    ok: z.literal(true),
    scratchpad: fullPad,
    truncated: z.literal(true).optional(),
    nextOffset: z.int().optional(),
  }),
  faults: ['NOT_FOUND', 'INVALID_ID', 'CONFLICT', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.read(input, call),
});
