import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { entityTypeField, limitField, listedEntity, offsetField, truncationFields } from '../entity-model.ts';

export const retrieveEntities = defineTool({
  name: 'retrieve_entities',
  title: 'List entities',
  summary: 'Lists entities of one type or all types, newest first, with snapshots and a total.',
  guide: {
    when: ['you want an overview of a type'],
    not: ['you know a name or number: get_entity_by_identifier'],
    example: { entity_type: 'company', limit: 20 },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    entity_type: entityTypeField.optional(),
    limit: limitField,
    offset: offsetField,
    include_snapshots: z.boolean().default(true),
  }),
  output: z.object({
    entities: z.array(listedEntity),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    ...truncationFields,
  }),
  faults: ['VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ entities }: Pick<Truth, 'entities'>, input, call) => entities.retrieve(input, call),
});
