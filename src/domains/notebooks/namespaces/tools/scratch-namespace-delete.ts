import { z } from 'zod';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { namespaceName } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchNamespaceDelete = defineTool({
  name: 'scratch_namespace_delete',
  title: 'Delete a namespace of scratchpads',
  summary: 'Deletes an empty namespace or, with delete_scratchpads, one with its scratchpads.',
  guide: {
    when: ['a group is no longer needed'],
    not: ['the scratchpads must stay under another name: scratch_namespace_rename'],
    example: { namespace: 'release', delete_scratchpads: false },
  },
  effect: 'delete',
  streams: true,
  input: z.strictObject({ namespace: namespaceName, delete_scratchpads: z.boolean().default(false) }),
  output: z.object({
    ok: z.literal(true),
    deleted: z.boolean(),
    removed_scratchpads: z.array(z.string()),
    restore: restoreCall.optional(),
  }),
  faults: ['VALIDATION_ERROR', 'CONFIG_ERROR'],
  run: ({ namespaces }: Pick<Notebooks, 'namespaces'>, input, call) => namespaces.delete(input, call),
});
