import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

type Domain = Pick<Instructions, 'reads'>;

export const instructionsCategories = defineTool({
  name: 'instructions/categories',
  title: 'List categories',
  summary: 'Lists all categories with the number of their entries and the time of the last change.',
  guide: { when: ['you want to know the topics of the catalog'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    categories: z.array(z.object({ name: z.string(), count: z.int(), lastUpdated: z.string() })),
    totalDistinct: z.int(),
    catalogHash: z.string(),
  }),
  faults: [],
  run: ({ reads }: Domain, _input, call) => reads.categories(call),
});
