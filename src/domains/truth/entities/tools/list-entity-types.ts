import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';

export const listEntityTypes = defineTool({
  name: 'list_entity_types',
  title: 'List the types of entities',
  summary: 'Lists the types of stored entities with their number, the most frequent first.',
  guide: {
    when: ['you want to know what kinds of things are stored'],
    not: ['you want the fields of a type: list_entity_schemas'],
    example: {},
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({}),
  output: z.object({
    types: z.array(z.object({ entity_type: z.string(), count: z.int() })),
    truncated: z.literal(true).optional(),
  }),
  faults: ['DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ entities }: Pick<Truth, 'entities'>, _input, call) => entities.types(call),
});
