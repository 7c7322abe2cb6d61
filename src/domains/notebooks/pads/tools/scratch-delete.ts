import { z } from 'zod';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { expectedRevision, scratchId } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchDelete = defineTool({
  name: 'scratch_delete',
  title: 'Delete a scratchpad',
  summary:
    'Deletes a scratchpad and its cells; scratch_restore brings it back. Deleting a missing one is not an error.',
  guide: {
    when: ['you have finished a task and do not need its notes'],
    not: ['you only want to empty it: scratch_create resets'],
    example: { scratch_id: 'plan' },
  },
  effect: 'delete',
  input: z.strictObject({ scratch_id: scratchId, expected_revision: expectedRevision }),
  output: z.object({
    ok: z.literal(true),
    scratch_id: z.string(),
    deleted: z.boolean(),
    restore: restoreCall.optional(),
  }),
  faults: ['INVALID_ID', 'CONFLICT', 'CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.delete(input, call),
});
