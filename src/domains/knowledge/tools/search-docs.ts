import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { DocSearch } from '../search/doc-search.ts';

const { hitsCount, hitsDefaultCount } = knowledgeLimits;

const versions = z.enum(['v4', 'v5', 'both', 'all']);

const outputSchema = z.object({
  query: z.string(),
  version: versions,
  results: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      version: z.string(),
      category: z.string(),
      source: z.object({ url: z.string().optional(), path: z.string().optional() }),
      breadcrumb: z.string(),
      library: z.string().optional(),
      score: z.number(),
      snippet: z.string(),
    }),
  ),
  hint: z.string().optional(),
});

export type DocAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const searchDocs = defineTool({
  name: 'search_docs',
  title: 'Search docs',
  summary: 'Searches docs.',
  guide: {
    when: ['you use FeathersJS or an ingested library'],
    example: { query: 'around hooks', limit: 3 },
  },
  effect: 'read',
  answer: 'page',
  listed: true,
  // A query that is not text finds nothing and is not an error.
  stripsNul: true,
  input: z.strictObject({
    query: z.string(),
    limit: z.number().min(1).max(hitsCount).optional(),
    version: versions.optional(),
    library: z.string().optional(),
  }),
  output: outputSchema,
  faults: [],
  run: ({ search }: { readonly search: DocSearch }, { query, limit = hitsDefaultCount, version, library }, call) =>
    search.find({ query, limit: Math.floor(limit), version, library }, call),
});
