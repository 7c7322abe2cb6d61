import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { rankingModes } from '#kernel/search/hybrid.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { DocSearch } from '../search/doc-search.ts';

const { hitsCount, hitsDefaultCount, passageTokensCount, passageTokensDefaultCount } = knowledgeLimits;

const versions = z.enum(['v4', 'v5', 'both', 'all']);
/** Of Feathers. */
export type FeathersVersions = z.infer<typeof versions>;

const outputSchema = z.object({
  query: z.string(),
  /** Of Feathers, or of `library`. */
  version: z.string(),
  /** What was used: `words` if meaning could not help. */
  mode: z.enum(rankingModes),
  /** The library that was searched, with the chosen version. */
  library: z.string().optional(),
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
      relevance: z.number(),
      snippet: z.string(),
      /** The whole section, as far as `max_tokens` allows. */
      text: z.string().optional(),
      /** `text` is only the beginning or a part. */
      cut: z.literal(true).optional(),
      /** With `explain`: words of the section, and how similar its meaning is, from 0 to 1. */
      why: z.object({ words: z.array(z.string()), meaning: z.number().optional() }).optional(),
    }),
  ),
  /** How to read the sections without `text`. */
  more: z.string().optional(),
  /** Sections that only their words can find yet, because they are not embedded. A lower bound. */
  pending: z.number().optional(),
  hint: z.string().optional(),
  next_cursor: z.string().optional(),
});

export type DocAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const searchDocs = defineTool({
  name: 'search_docs',
  title: 'Search docs',
  summary: 'Returns the sections of docs that answer a question.',
  guide: {
    when: ['you use FeathersJS or an ingested library'],
    example: { query: 'around hooks', limit: 3 },
  },
  effect: 'read',
  exactInput: true,
  answer: 'page',
  listed: true,
  // A query that is not text finds nothing and is not an error.
  stripsNul: true,
  input: z.strictObject({
    query: z.string(),
    limit: z.number().min(1).max(hitsCount).optional(),
    version: versions.optional(),
    library: z.string().optional().describe('zod, zod@3.23 or a range; default: the locked or newest version'),
    max_tokens: z.int().min(0).max(passageTokensCount).optional().describe(`Default ${passageTokensDefaultCount}`),
    mode: z.enum(rankingModes).optional(),
    cursor: z.string().max(cursorLimits.cursorChars).optional().describe('next_cursor of a page'),
    explain: z.boolean().optional(),
  }),
  output: outputSchema,
  faults: ['UNKNOWN_LIBRARY'],
  run: (
    { search }: { readonly search: DocSearch },
    { limit = hitsDefaultCount, max_tokens: maxTokens = passageTokensDefaultCount, ...query },
    call,
  ) => search.find({ ...query, limit: Math.floor(limit), maxTokens }, call),
});
