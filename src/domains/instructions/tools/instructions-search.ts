import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { requestedModes, searchModes } from '../reads/search/search-hits.ts';
import { cursorField, entries } from './read-schemas.ts';

export const instructionsSearch = defineTool({
  name: 'instructions/search',
  title: 'Search instructions',
  summary: 'Ranked search in titles, bodies, categories and tags.',
  guide: {
    when: ['you do not know the id of an instruction'],
    not: ['you want the rules for a task: instructions_applicable'],
    example: { query: 'commit message', limit: 5, highlight: true },
  },
  effect: 'read',
  answer: 'page',
  input: z
    .strictObject({
      query: z.string().optional().describe('Words, prefix*, "a phrase"; with mode regex a pattern'),
      q: z.string().optional().describe('Alias of query'),
      limit: z.int().min(1).max(instructionLimits.queryResultsCount).optional(),
      highlight: z.boolean().optional().describe('Also return the matches'),
      mode: z.enum(requestedModes).optional().describe('Default keyword; hybrid finds synonyms'),
      cursor: cursorField,
    })
    .superRefine(({ query, q }, context) => {
      if (query === undefined && q === undefined) {
        context.addIssue({ code: 'invalid_type', expected: 'string', input: undefined, path: ['query'] });
      } else if (query !== undefined && q !== undefined && query !== q) {
        context.addIssue({ code: 'custom', message: 'must be left out: query has another text', path: ['q'] });
      }
    }),
  output: z.object({
    hash: z.string(),
    count: z.int().describe('All matches; for semantic search, of the nearest'),
    items: entries,
    query: z.string(),
    mode: z.enum(searchModes).describe('The mode that was used; keyword if the requested one is not available'),
    relevance: z.record(z.string(), z.number()).optional().describe('By id, from 0 to 1'),
    embedder: z.string().optional().describe('The model, if embeddings were used'),
    pending: z.int().optional().describe('Entries that are not embedded yet: found by their words only'),
    highlights: z
      .array(
        z.object({
          id: z.string(),
          field: z.string(),
          snippet: z.string(),
          ranges: z.array(z.array(z.int()).length(2)).describe('[start, end) in the snippet'),
        }),
      )
      .optional(),
    hints: z.array(z.string()).optional(),
    nextCursor: z.string().optional(),
  }),
  faults: ['INVALID_PARAMS', 'VALIDATION_ERROR', 'RESOURCE_LIMIT', 'JOB_TIMEOUT', 'JOB_MEMORY', 'WORKERS_BUSY'],
  run: ({ reads }: Pick<Instructions, 'reads'>, { query, q = '', ...input }, call) =>
    reads.search({ ...input, q: query ?? q }, call),
});
