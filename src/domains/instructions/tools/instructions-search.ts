import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { searchModes } from '../reads/search/search-hits.ts';
import { cursorField, entries } from './read-schemas.ts';

export const instructionsSearch = defineTool({
  name: 'instructions/search',
  title: 'Search instructions',
  summary: 'Ranked search in titles, bodies, categories and tags.',
  guide: {
    when: ['you do not know the id of an instruction'],
    not: ['you want the rules for a task: instructions_applicable'],
    example: { q: 'commit message', limit: 5, highlight: true },
  },
  effect: 'read',
  listed: true,
  answer: 'page',
  input: z.strictObject({
    q: z.string().describe('Words, prefix*, "exact words"; with mode regex a pattern'),
    limit: z.int().min(1).max(instructionLimits.queryResultsCount).optional(),
    highlight: z.boolean().optional().describe('Also return the matches'),
    mode: z.enum(searchModes).optional().describe('Default keyword; hybrid and semantic also find synonyms'),
    cursor: cursorField,
  }),
  output: z.object({
    hash: z.string(),
    count: z.int().describe('All matches; for semantic search, of the nearest'),
    items: entries,
    query: z.string(),
    mode: z.enum(searchModes).describe('The mode that was used; keyword if the requested one is not available'),
    embedder: z.string().optional().describe('The model, if embeddings were used'),
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
  run: ({ reads }: Pick<Instructions, 'reads'>, input, call) => reads.search(input, call),
});
