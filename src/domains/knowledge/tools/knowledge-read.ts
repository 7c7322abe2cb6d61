import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { DocPages } from '../search/doc-pages.ts';

export const knowledgeRead = defineTool({
  name: 'knowledge_read',
  title: 'Read docs',
  summary: 'Answers one section of the docs by its id, or a whole page by library, version and path.',
  guide: {
    when: ['a snippet of search_docs is too short'],
    not: ['you do not know where it stands: search_docs'],
    example: { id: 'v5/hooks#around-hooks' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    id: z.string().min(1).optional().describe('Of a section, as search_docs answers it'),
    library: z.string().min(1).optional().describe('feathers unless given'),
    version: z.string().min(1).optional(),
    path: z.string().min(1).optional(),
  }),
  output: z.object({
    id: z.string().optional(),
    library: z.string(),
    version: z.string(),
    path: z.string(),
    title: z.string(),
    url: z.string().optional(),
    text: z.string(),
  }),
  faults: ['NOT_FOUND', 'VALIDATION_ERROR'],
  run: ({ pages }: { readonly pages: Pick<DocPages, 'read'> }, input, call) => pages.read(input, call),
});
