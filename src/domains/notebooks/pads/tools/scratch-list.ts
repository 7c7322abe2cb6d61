import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { namespaceFilter, tagFilter } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchList = defineTool({
  name: 'scratch_list',
  title: 'List scratchpads',
  summary: 'Lists scratchpads by id; namespaces and tags (also of cells) filter them.',
  guide: {
    when: ['you need to know what you were working on'],
    not: ['you look for words: scratch_search'],
    example: { namespaces: ['release'], tags: ['draft'], limit: 20 },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    namespaces: namespaceFilter,
    tags: tagFilter,
    limit: z.int().min(1).max(notebookLimits.listCount).default(notebookLimits.listDefaultCount),
    include_details: z.boolean().default(false).describe('Adds tags and updated_at'),
    cursor: z.string().max(cursorLimits.cursorChars).optional(),
  }),
  output: z.object({
    ok: z.literal(true),
    scratchpads: z.array(
      z.object({
        scratch_id: z.string(),
        title: z.string().nullable(),
        description: z.string().nullable(),
        namespace: z.string().nullable(),
        cell_count: z.int(),
        tags: z.array(z.string()).optional(),
        updated_at: z.string().optional(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  faults: ['CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.list(input, call),
});
