import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { entityIdPattern } from '../../truth-vocabulary.ts';
import { neighborhood, neighborhoodInput } from '../relationship-model.ts';

export const getGraphNeighborhood = defineTool({
  name: 'get_graph_neighborhood',
  title: 'Get the neighborhood of a node',
  summary: 'Returns an entity, record or payload with its edges, neighbors, sources and events.',
  guide: {
    when: ['you want everything around an entity, or all entities in a record or payload'],
    not: ['you only want the edges: list_relationships'],
    example: { node_id: 'ent_5f0c3a9d1b7e2468ace01357', node_type: 'entity' },
  },
  effect: 'read',
  answer: 'whole',
  input: neighborhoodInput.refine(({ node_id, node_type }) => node_type !== 'entity' || entityIdPattern.test(node_id), {
    error: 'must be the id of an entity',
    path: ['node_id'],
  }),
  output: neighborhood,
  faults: ['ENTITY_NOT_FOUND', 'RECORD_NOT_FOUND', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ relationships }: Pick<Truth, 'relationships'>, input, call) => relationships.neighborhood(input, call),
});
