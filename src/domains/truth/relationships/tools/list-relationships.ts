import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { listAnswer, listInput } from '../relationship-model.ts';

export const listRelationships = defineTool({
  name: 'list_relationships',
  title: 'List relationships of an entity',
  summary: 'Lists inbound and outbound edges of an entity at a time, newest first, with a total.',
  guide: {
    when: [
      'you want to know what an entity belongs to, settles, corrects or depends on',
      'you want to know who works where, now or at another time',
    ],
    not: ['you also want the related entities: get_related_entities'],
    example: { entity_id: 'ent_5f0c3a9d1b7e2468ace01357', direction: 'outbound' },
  },
  effect: 'read',
  answer: 'whole',
  input: listInput,
  output: listAnswer,
  faults: ['ENTITY_NOT_FOUND', 'INVALID_RELATIONSHIP_TYPE', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ relationships }: Pick<Truth, 'relationships'>, input, call) => relationships.list(input, call),
});
