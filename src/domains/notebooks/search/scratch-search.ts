import { z } from 'zod';
import { rankingModes } from '#kernel/search/hybrid.ts';
import { defineTool, rare } from '#kernel/tool/tool.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { namespaceFilter, tagFilter } from '../notebook-model.ts';
import type { NotebookSearch } from './notebook-search.ts';

const { queryChars, hitsCount, hitsDefaultCount, contextCount } = notebookLimits;

const contextCells = z.array(z.object({ cell_id: z.string(), snippet: z.string() })).optional();

interface Asked {
  readonly query?: string | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** Without a query, tags or namespaces list their newest cells. */
const withQuery = <S extends z.ZodType<Asked>>(schema: S): S =>
  schema.superRefine(({ query, namespaces = [], tags = [] }, { addIssue }) => {
    if ((query !== undefined && /\S/.test(query)) || namespaces.length + tags.length > 0) return;
    const message = 'must not be blank, unless tags or namespaces are given';
    addIssue({ code: 'custom', path: ['query'], message, input: query });
  });

export const scratchSearch = defineTool({
  name: 'scratch_search',
  title: 'Search scratchpads',
  summary: 'Finds scratchpads and cells by words and meaning, or the newest cells of tags.',
  guide: {
    when: ['you do not know which scratchpad has something'],
    not: ['you know the scratchpad: scratch_read'],
    example: { query: 'retry with backoff', limit: 5 },
  },
  effect: 'read',
  positionals: ['query'],
  answer: 'page',
  listed: true,
  input: withQuery(
    z.strictObject({
      query: z.string().max(queryChars).optional(),
      namespaces: namespaceFilter,
      tags: tagFilter,
      limit: z.int().min(1).max(hitsCount).default(hitsDefaultCount),
      mode: z.enum(rankingModes).optional().meta(rare),
      context: z
        .int()
        .min(0)
        .max(contextCount)
        .optional()
        .meta({ ...rare, description: 'Cells before and after each hit' }),
      cursor: z.string().optional(),
    }),
  ),
  output: z.object({
    ok: z.literal(true),
    hits: z.array(
      z.object({
        scratch_id: z.string(),
        cell_id: z.string().nullable(),
        namespace: z.string().nullable(),
        title: z.string().optional().describe('Of the scratchpad of a cell'),
        tags: z.array(z.string()),
        score: z.number(),
        relevance: z.number(),
        pending: z.literal(true).optional().describe('Not yet embedded: found and judged by its words only'),
        snippet: z.string(),
        before: contextCells,
        after: contextCells,
      }),
    ),
    embedder: z.string().nullable(),
    mode: z.enum(rankingModes),
    pending: z.int().optional().describe('Texts that are not yet embedded'),
    hint: z.string().optional(),
    next_cursor: z.string().optional(),
  }),
  faults: ['CONFIG_ERROR'],
  run: ({ search }: { readonly search: NotebookSearch }, input, call) => search.find(input, call),
});
