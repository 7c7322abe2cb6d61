import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { relatedAnswer, relatedInput } from '../relationship-model.ts';

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
  input: relatedInput,
  output: relatedAnswer,
  faults: ['ENTITY_NOT_FOUND', 'INVALID_RELATIONSHIP_TYPE', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ relationships }: Pick<Truth, 'relationships'>, input, call) => relationships.related(input, call),
});
