import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { namespaceFilter, tagFilter } from '../notebook-model.ts';
import type { NotebookSearch } from './notebook-search.ts';

const { queryChars, hitsCount, hitsDefaultCount } = notebookLimits;

export const scratchSearch = defineTool({
  name: 'scratch_search',
  title: 'Search scratchpads',
  summary: 'Finds scratchpads and cells by words and meaning.',
  guide: {
    when: ['you do not know which scratchpad has something'],
    not: ['you know the scratchpad: scratch_read'],
    example: { query: 'retry with backoff', limit: 5 },
  },
  effect: 'read',
  answer: 'page',
  listed: true,
  input: z.strictObject({
    query: z.string().max(queryChars).regex(/\S/, 'must not be blank'),
    namespaces: namespaceFilter,
    tags: tagFilter,
    limit: z.int().min(1).max(hitsCount).default(hitsDefaultCount),
  }),
  output: z.object({
    ok: z.literal(true),
    hits: z.array(
      z.object({
        scratch_id: z.string(),
        cell_id: z.string().nullable(),
        namespace: z.string().nullable(),
        tags: z.array(z.string()),
        score: z.number(),
        snippet: z.string(),
      }),
    ),
    embedder: z.string().nullable(),
    mode: z.enum(['hybrid', 'keyword']),
    pending: z.int().optional().describe('Texts that are not yet embedded; only with few hits'),
    hint: z.string().optional(),
  }),
  faults: ['CONFIG_ERROR'],
  run: ({ search }: { readonly search: NotebookSearch }, input, call) => search.find(input, call),
});
