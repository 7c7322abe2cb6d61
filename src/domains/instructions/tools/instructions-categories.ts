import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

const outputSchema = z.object({
  categories: z.array(z.object({ name: z.string(), count: z.int(), lastUpdated: z.string() })),
  totalDistinct: z.int(),
  catalogHash: z.string(),
});

export type Categories = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsCategories = defineTool({
  name: 'instructions/categories',
  title: 'List categories',
  summary: 'Lists all categories with the number of their entries and the time of the last change.',
  guide: { when: ['you want to know the topics of the catalog'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: outputSchema,
  faults: [],
  run: ({ reads }: Pick<Instructions, 'reads'>, _input, call) => reads.categories(call),
});
