import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { namespaceFilter } from '../../notebook-model.ts';
import type { Notebooks } from '../../notebooks.ts';

export const scratchListTags = defineTool({
  name: 'scratch_list_tags',
  title: 'List the tags of scratchpads',
  summary: 'The tags that scratchpads and their cells have, of all or of given namespaces.',
  guide: {
    when: ['you want to filter by tag and do not know which there are'],
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
