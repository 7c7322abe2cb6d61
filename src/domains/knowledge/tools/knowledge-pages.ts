import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { DocPages } from '../search/doc-pages.ts';

export const knowledgePages = defineTool({
  name: 'knowledge_pages',
  title: 'List pages of docs',
  summary: 'Lists the pages of one library and version; without them the libraries there are.',
  guide: {
    when: ['you want to see what docs there are to read'],
    not: ['you look for a passage: search_docs'],
    example: { library: 'feathers', version: 'v5' },
  },
  effect: 'read',
  answer: 'page',
  input: z.strictObject({
    library: z.string().min(1).optional(),
    version: z.string().min(1).optional(),
    prefix: z.string().optional().describe('What the path begins with'),
  }),
  output: z.object({
    libraries: z.array(z.object({ library: z.string(), version: z.string() })),
    pages: z.array(z.object({ path: z.string(), title: z.string() })),
    hasMore: z.boolean(),
  }),
  faults: [],
  run: ({ pages }: { readonly pages: Pick<DocPages, 'list'> }, input, call) => pages.list(input, call),
});
