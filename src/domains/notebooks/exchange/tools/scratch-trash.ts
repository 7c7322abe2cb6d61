import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import type { Notebooks } from '../../notebooks.ts';

const trashedPad = z.object({
  scratch_id: z.string(),
  pad_key: z.string(),
  title: z.string().nullable(),
  namespace: z.string().nullable(),
  cell_count: z.int(),
  reason: z.string(),
  removed_at: z.string(),
  removed_by: z.string(),
});

export const scratchTrash = defineTool({
  name: 'scratch_trash',
  title: 'List deleted scratchpads',
  summary: 'Lists deleted, reset and evicted scratchpads that scratch_restore can bring back, newest first.',
  guide: { when: ['a scratchpad is missing'], example: { limit: 10 } },
  effect: 'read',
  command: 'notebooks trash',
  aliases: ['notebooks_trash'],
  input: z.strictObject({
    limit: z.int().min(1).default(notebookLimits.trashPageCount),
    cursor: z.string().max(cursorLimits.cursorChars).optional(),
  }),
  output: z.object({ ok: z.literal(true), scratchpads: z.array(trashedPad), next_cursor: z.string().optional() }),
  faults: [],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.trashPage(input, call),
});
