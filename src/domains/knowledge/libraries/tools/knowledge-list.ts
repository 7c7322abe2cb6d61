import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import type { Libraries } from '../libraries.ts';
import { libraryName } from '../library-names.ts';

export const listedLibrary = z.object({
  library: z.string(),
  version: z.string(),
  pages: z.int(),
  sections: z.int(),
  source: z.string(),
  source_kind: z.string(),
  complete: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const knowledgeList = defineTool({
  name: 'knowledge_list',
  title: 'List libraries',
  summary: 'Lists the libraries whose docs were taken in: versions, counts, where they came from.',
  guide: {
    when: ['you want to know whose docs search_docs can find, and in which version'],
    not: ['you look for a passage: search_docs'],
    example: { library: 'react' },
  },
  effect: 'read',
  answer: 'page',
  input: z.strictObject({
    library: libraryName.optional(),
    limit: z.int().min(1).max(knowledgeLimits.listCount).default(knowledgeLimits.listDefaultCount),
    cursor: z.string().max(cursorLimits.cursorChars).optional(),
  }),
  output: z.object({
    libraries: z.array(listedLibrary),
    next_cursor: z.string().optional(),
  }),
  faults: [],
  run: ({ libraries }: { readonly libraries: Pick<Libraries, 'list'> }, input, call) => libraries.list(input, call),
});
