import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { namespaceFilter } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchListTags = defineTool({
  name: 'scratch_list_tags',
  title: 'List the tags of scratchpads',
  summary: 'Lists the tags of scratchpads and their cells, in all or in given namespaces.',
  guide: {
    when: ['you want to filter by tag and need to know the tags'],
    example: { namespaces: ['release'] },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({ namespaces: namespaceFilter }),
  output: z.object({
    ok: z.literal(true),
    scratchpad_tags: z.array(z.string()),
    cell_tags: z.array(z.string()),
    truncated: z.literal(true).optional(),
  }),
  faults: ['CONFIG_ERROR'],
  run: ({ pads }: Pick<Notebooks, 'pads'>, input, call) => pads.tags(input, call),
});
