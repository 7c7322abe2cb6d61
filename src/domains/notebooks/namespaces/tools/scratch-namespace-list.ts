import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchNamespaceList = defineTool({
  name: 'scratch_namespace_list',
  title: 'List namespaces of scratchpads',
  summary: 'Lists the namespaces by name with the number of their scratchpads.',
  guide: { when: ['you need to know how scratchpads are grouped'], example: {} },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({}),
  output: z.object({
    ok: z.literal(true),
    namespaces: z.array(z.object({ namespace: z.string(), scratchpad_count: z.int() })),
    truncated: z.literal(true).optional(),
  }),
  faults: ['CONFIG_ERROR'],
  run: ({ namespaces }: Pick<Notebooks, 'namespaces'>, _input, call) => namespaces.list(call),
});
