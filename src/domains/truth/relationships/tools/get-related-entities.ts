import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { entityIdField, limitField } from '../../entities/entity-model.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { relationshipTypes } from '../../truth-vocabulary.ts';
import { direction, edge, entitySummary, relationshipType } from '../relationship-model.ts';

export const getRelatedEntities = defineTool({
  name: 'get_related_entities',
  title: 'Follow the relationships of an entity',
  summary: 'The entities that can be reached from one in a few hops, nearest first, and the edges that lead there.',
  guide: {
    when: ['you want what hangs together with an entity: the parts of a contract, what a task waits for'],
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
    limit: limitField.describe('Of the entities'),
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
