import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

type Domain = Pick<Instructions, 'reads'>;

export const instructionsCategories = defineTool({
  name: 'instructions/categories',
  title: 'Categories of instructions',
  summary: 'Every category with the number of its entries and when one of them last changed.',
  guide: { when: ['you want to know what topics there are'], example: {} },
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
