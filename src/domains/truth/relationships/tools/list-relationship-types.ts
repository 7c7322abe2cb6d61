import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';

export const listedType = z.object({
  relationship_type: z.string(),
  description: z.string(),
  acyclic: z.boolean(),
  origin: z.enum(['documented', 'builtin', 'registered']),
  created_at: z.string().optional(),
});

export const listRelationshipTypes = defineTool({
  name: 'list_relationship_types',
  title: 'List relationship types',
  summary: 'Lists the types of relationships with their meaning: built-in and registered ones.',
  guide: {
    when: ['you need the type of a relationship'],
    not: ['you want the relationships of an entity: list_relationships'],
    example: {},
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({}),
  output: z.object({ relationship_types: z.array(listedType), total: z.int() }),
  faults: ['DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ relationships }: Pick<Truth, 'relationships'>, _, call) => relationships.listTypes(call),
});
