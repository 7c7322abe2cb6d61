import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { entityTypeField, limitField, listedEntity, offsetField, truncationFields } from '../entity-model.ts';

export const retrieveEntities = defineTool({
  name: 'retrieve_entities',
  title: 'List entities',
  summary: 'Entities of one type or of all, newest first, with their snapshots and their number.',
  guide: {
    when: ['you want to see what is known of a kind'],
    not: ['you know a name or a number of it: get_entity_by_identifier'],
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
