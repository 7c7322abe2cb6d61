import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { expectedRevision, scratchId } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchDelete = defineTool({
  name: 'scratch_delete',
  title: 'Delete a scratchpad',
  summary: 'Removes a scratchpad and its cells; deleting one that is not there is not an error.',
  guide: {
    when: ['a task is finished and its notes are of no more use'],
    not: ['you only want to empty it: scratch_create resets'],
    example: { scratch_id: 'plan' },
  },
  effect: 'delete',
  input: z.strictObject({ scratch_id: scratchId, expected_revision: expectedRevision }),
  output: z.object({ ok: z.literal(true), scratch_id: z.string(), deleted: z.boolean() }),
  faults: ['INVALID_ID', 'CONFLICT', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.delete(input, call),
});
