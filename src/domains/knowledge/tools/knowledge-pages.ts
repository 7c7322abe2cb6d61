import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { DocPages } from '../search/doc-pages.ts';

const inputSchema = z.strictObject({
  library: z.string().min(1).optional(),
  version: z.string().min(1).optional(),
  prefix: z.string().optional().describe('Beginning of the path'),
  cursor: z.string().max(cursorLimits.cursorChars).optional(),
});

const outputSchema = z.object({
  libraries: z.array(z.object({ library: z.string(), version: z.string() })),
  pages: z.array(z.object({ path: z.string(), title: z.string() })),
  hasMore: z.boolean(),
  next_cursor: z.string().optional(),
});

export type PageListInput = z.infer<typeof inputSchema>;
export type PageListAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const knowledgePages = defineTool({
  name: 'knowledge_pages',
  title: 'List pages of docs',
  summary: 'Lists the pages of one library and version, or else all libraries.',
  guide: {
    when: ['you want an overview of the docs'],
    not: ['you look for a topic: search_docs'],
    example: { library: 'feathers', version: 'v5' },
  },
  effect: 'read',
  answer: 'page',
  input: inputSchema,
  output: outputSchema,
  faults: [],
  run: ({ pages }: { readonly pages: Pick<DocPages, 'list'> }, input, call) => pages.list(input, call),
});
