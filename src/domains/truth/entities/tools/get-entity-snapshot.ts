import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { timeField } from '../../iso-time.ts';
import { briefRelations } from '../../relationships/relationship-model.ts';
import type { Truth } from '../../truth.ts';
import { entityIdField, entitySnapshot } from '../entity-model.ts';

export const getEntitySnapshot = defineTool({
  name: 'get_entity_snapshot',
  title: 'Get an entity',
  summary: 'Returns all fields of an entity, now or in the past, with their sources.',
  guide: {
    when: ['you know its id'],
    not: ['you want the source of one value: get_field_provenance'],
    example: { entity_id: 'ent_5f0c3a9d1b7e2468ace01357' },
  },
  effect: 'read',
  listed: true,
  answer: 'whole',
  input: z.strictObject({
    entity_id: entityIdField,
    at: timeField.optional().describe('What held then'),
    as_known_at: timeField.optional().describe('Known by then'),
    include_relations: z.boolean().optional(),
  }),
  output: entitySnapshot.extend(briefRelations),
  faults: ['ENTITY_NOT_FOUND', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run({ entities, relationships }: Pick<Truth, 'entities' | 'relationships'>, input, call) {
    const snapshot = entities.snapshot(input, call);
    if (input.include_relations !== true) return snapshot;
    return (async () => ({ ...(await snapshot), ...(await relationships.briefly(input, call)) }))();
  },
});
