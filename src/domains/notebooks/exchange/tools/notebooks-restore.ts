import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { lightPad, scratchId } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const notebooksRestore = defineTool({
  name: 'notebooks_restore',
  title: 'Restore a scratchpad',
  summary: 'Restores a scratchpad from the trash.',
  guide: { when: ['a scratchpad was deleted, reset or evicted by mistake'], example: { id: 'plan' } },
  effect: 'create',
  expose: ['cli'],
  input: z.strictObject({
    id: z.string().min(1).describe('The scratchpad'),
    as: scratchId.optional().describe('Restores it under another id'),
    copy: z.string().min(1).optional().describe('The pad_key of one copy; the newest when missing'),
  }),
  output: z.object({ ok: z.literal(true), scratchpad: lightPad }),
  faults: ['CONFLICT', 'NOT_FOUND'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, { id, as, copy }, call) =>
    pads.restore({ scratch_id: id, as, pad_key: copy }, call),
});
