import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { namespaceName } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchNamespaceRename = defineTool({
  name: 'scratch_namespace_rename',
  title: 'Rename a namespace of scratchpads',
  summary: 'Renames a namespace; its scratchpads move with it unless migrate_scratchpads is false.',
  guide: {
    when: ['a group needs another name'],
    example: { old_namespace: 'release', new_namespace: 'release-2' },
  },
  effect: 'update',
  input: z.strictObject({
    old_namespace: namespaceName,
    new_namespace: namespaceName,
    migrate_scratchpads: z.boolean().default(true),
  }),
  output: z.object({ ok: z.literal(true), namespace: z.string(), migrated_count: z.int() }),
  faults: ['NOT_FOUND', 'VALIDATION_ERROR', 'CONFIG_ERROR'],
  run: ({ namespaces }: Pick<Notebooks, 'namespaces'>, input, call) => namespaces.rename(input, call),
});
