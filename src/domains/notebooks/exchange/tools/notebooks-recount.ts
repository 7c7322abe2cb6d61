import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Notebooks } from '../../notebooks.ts';
import { findMiscounts, recount } from '../../pads/recount.ts';

export const notebooksRecount = defineTool({
  name: 'notebooks_recount',
  title: 'Recount scratchpads',
  summary: 'Recomputes totals, namespaces and tags from the scratchpads and reports what was wrong.',
  guide: { when: ['fourfold doctor reports wrong counts'], example: {} },
  effect: 'update',
  expose: ['cli'],
  bulk: true,
  audit: 'none',
  input: z.strictObject({}),
  output: z.object({
    wrong: z.object({
      totals: z.int(),
      namespaces: z.int(),
      missingTags: z.int(),
      strayTags: z.int(),
      tagTotals: z.int(),
    }),
  }),
  faults: [],
  async run({ storage }: Pick<Notebooks, 'storage'>, _input, call) {
    const fresh = () => ({ ...call, deadlineAt: call.deadlineAt });
    const wrong = await findMiscounts(storage, fresh);
    await recount(storage, fresh);
    return { wrong };
  },
});
