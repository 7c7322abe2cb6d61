import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { Libraries } from '../libraries/libraries.ts';
import { libraryNameSchema } from '../libraries/library-version.ts';

const inputSchema = z.strictObject({
  library: libraryNameSchema.optional(),
  limit: z.int().min(1).max(knowledgeLimits.listCount).default(knowledgeLimits.listDefaultCount),
  cursor: z.string().max(cursorLimits.cursorChars).optional(),
});

export const librarySummary = z.object({
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

const outputSchema = z.object({
  libraries: z.array(librarySummary),
  next_cursor: z.string().optional(),
});

export type LibraryListInput = z.infer<typeof inputSchema>;
export type LibraryListAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const knowledgeList = defineTool({
  name: 'knowledge_list',
  title: 'List libraries',
  summary: 'Lists the ingested libraries with their versions, counts and sources.',
  guide: {
    when: ['you want to know which libraries and versions search_docs covers'],
    not: ['you look for a topic: search_docs'],
    example: { library: 'react' },
  },
  effect: 'read',
  answer: 'page',
  input: inputSchema,
  output: outputSchema,
  faults: [],
  run: ({ libraries }: { readonly libraries: Pick<Libraries, 'list'> }, input, call) => libraries.list(input, call),
});
