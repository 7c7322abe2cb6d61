import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { limitField } from '../../entities/entity-model.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { entityIdPattern } from '../../truth-vocabulary.ts';
import { neighborhood } from '../relationship-model.ts';

export const getGraphNeighborhood = defineTool({
  name: 'get_graph_neighborhood',
  title: 'Show what lies around a node of the graph',
  summary: 'An entity, record or payload with its edges, the entities at their ends, its sources and dated events.',
  guide: {
    when: ['you want all that touches one entity, or all entities that one record or payload speaks of'],
    not: ['you only want its edges: list_relationships'],
    example: { node_id: 'ent_5f0c3a9d1b7e2468ace01357', node_type: 'entity' },
  },
  effect: 'read',
  answer: 'whole',
  input: z
    .strictObject({
      node_id: z.string().min(1).max(truthLimits.nodeIdChars).describe('Of an entity, a record or a payload'),
      node_type: z.enum(['entity', 'record']),
      limit: limitField.describe('Of each list'),
    })
    .refine(({ node_id, node_type }) => node_type !== 'entity' || entityIdPattern.test(node_id), {
      error: 'must be the id of an entity',
      path: ['node_id'],
    }),
  output: neighborhood,
  faults: ['ENTITY_NOT_FOUND', 'RECORD_NOT_FOUND', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ relationships }: Pick<Truth, 'relationships'>, input, call) => relationships.neighborhood(input, call),
});
