import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { timeField } from '../../iso-time.ts';
import type { Truth } from '../../truth.ts';
import { entityIdField } from '../entity-model.ts';
import { entityOverview } from '../entity-overview.ts';

export const getEntityOverview = defineTool({
  name: 'get_entity_overview',
  title: 'Get an entity with its sources',
  summary: 'Returns each field of an entity with its value, since when it holds and where it comes from.',
  guide: {
    when: ['you show an entity to a person, with the source of every value'],
    not: ['you only need the values: get_entity_snapshot'],
    example: { entity_id: 'ent_5f0c3a9d1b7e2468ace01357', at: '2026-04-30' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    entity_id: entityIdField,
    at: timeField.optional().describe('What held then'),
    as_known_at: timeField.optional().describe('Known by then'),
  }),
  output: entityOverview,
  faults: ['ENTITY_NOT_FOUND', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ entities }: Pick<Truth, 'entities'>, input, call) => entities.overview(input, call),
});
