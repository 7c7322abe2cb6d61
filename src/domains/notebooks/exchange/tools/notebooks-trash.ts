import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
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

export const notebooksTrash = defineTool({
  name: 'notebooks_trash',
  title: 'List deleted scratchpads',
  summary: 'Lists deleted, reset and evicted scratchpads that can still be restored, newest first.',
  guide: { when: ['a scratchpad is missing'], example: { limit: 10 } },
  effect: 'read',
  expose: ['cli'],
  input: z.strictObject({ limit: z.int().min(1).default(100).describe('The maximum number to list') }),
  output: z.object({ scratchpads: z.array(trashedPad) }),
  faults: [],
  run: async ({ pads }: Pick<Notebooks, 'pads'>, input, call) => ({ scratchpads: await pads.trashed(input, call) }),
});
