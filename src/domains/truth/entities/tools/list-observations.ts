import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { entityIdField, limitField, observationView, offsetField, truncationFields } from '../entity-model.ts';

export const listObservationsTool = defineTool({
  name: 'list_observations',
  title: 'List observations of an entity',
  summary: 'Lists what each source stated about an entity, newest first, including fields outside the schema.',
  guide: {
    when: ['you want to compare sources or see how an entity evolved'],
    not: ['you want a single field: get_field_history'],
    example: { entity_id: 'ent_5f0c3a9d1b7e2468ace01357', limit: 20 },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({ entity_id: entityIdField, limit: limitField, offset: offsetField }),
  output: z.object({
    observations: z.array(observationView),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    ...truncationFields,
  }),
  faults: ['ENTITY_NOT_FOUND', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ entities }: Pick<Truth, 'entities'>, input, call) => entities.observations(input, call),
});
