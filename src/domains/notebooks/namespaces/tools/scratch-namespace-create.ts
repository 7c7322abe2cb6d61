import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { namespaceName } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchNamespaceCreate = defineTool({
  name: 'scratch_namespace_create',
  title: 'Register a namespace for scratchpads',
  summary: 'Registers a namespace; an existing one stays as it is.',
  guide: {
    when: ['you want a group before it has scratchpads'],
    not: ['you create a scratchpad in it: scratch_create registers its namespace'],
    example: { namespace: 'release' },
  },
  effect: 'create',
  idempotent: true,
  input: z.strictObject({ namespace: namespaceName }),
  output: z.object({ ok: z.literal(true), namespace: z.string(), created: z.boolean() }),
  faults: ['VALIDATION_ERROR', 'CONFIG_ERROR'],
  run: ({ namespaces }: Pick<Notebooks, 'namespaces'>, { namespace }, call) => namespaces.create(namespace, call),
});
