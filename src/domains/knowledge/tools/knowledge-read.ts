import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { DocPages } from '../search/doc-pages.ts';

const inputSchema = z.strictObject({
  id: z.string().min(1).optional().describe('From search_docs'),
  library: z.string().min(1).optional(),
  version: z.string().min(1).optional(),
  path: z.string().min(1).optional(),
});

const outputSchema = z.object({
  id: z.string().optional(),
  library: z.string(),
  version: z.string(),
  path: z.string(),
  title: z.string(),
  url: z.string().optional(),
  text: z.string(),
});

export type PageReadInput = z.infer<typeof inputSchema>;
export type PageReadAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const knowledgeRead = defineTool({
  name: 'knowledge_read',
  title: 'Read docs',
  summary: 'Returns a section of docs by id, or a page by library, version and path.',
  guide: {
    when: ['search_docs shows one line of it'],
    example: { id: 'v5/hooks#around-hooks' },
  },
  effect: 'read',
  answer: 'whole',
  listed: true,
  input: inputSchema,
  output: outputSchema,
  faults: ['NOT_FOUND', 'VALIDATION_ERROR'],
  run: ({ pages }: { readonly pages: Pick<DocPages, 'read'> }, input, call) => pages.read(input, call),
});
