import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { entityIdField, limitField } from '../../entities/entity-model.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { relationshipTypes } from '../../truth-vocabulary.ts';
import { direction, edge, entitySummary, relationshipType } from '../relationship-model.ts';

export const getRelatedEntities = defineTool({
  name: 'get_related_entities',
  title: 'Get related entities',
  summary: 'Returns the entities within a few hops, nearest first, and the edges to them.',
  guide: {
    when: ['you want connected entities: the parts of a contract, the dependencies of a task'],
    not: ['you want all edges of one entity, page by page: list_relationships'],
    example: { entity_id: 'ent_5f0c3a9d1b7e2468ace01357', relationship_types: ['DEPENDS_ON'], max_hops: 2 },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    entity_id: entityIdField,
    relationship_types: z.array(relationshipType).min(1).max(relationshipTypes.length).optional(),
    direction,
    max_hops: z.int().min(1).max(truthLimits.hopsCount).default(1),
    limit: limitField.describe('Maximum number of entities'),
  }),
  output: z.object({
    entities: z.array(entitySummary.extend({ hops: z.int() })),
    relationships: z.array(edge),
    truncated: z.boolean(),
    redirected_from: z.string().optional(),
  }),
  faults: ['ENTITY_NOT_FOUND', 'INVALID_RELATIONSHIP_TYPE', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ relationships }: Pick<Truth, 'relationships'>, input, call) => relationships.related(input, call),
});
