import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { entityTypeField, identifiedEntity } from '../entity-model.ts';

export const getEntityByIdentifier = defineTool({
  name: 'get_entity_by_identifier',
  title: 'Find an entity',
  summary: 'Finds entities by id, name, number or tax id, also if it is misspelled.',
  guide: {
    when: ['you need an entity_id'],
    not: ['you want all entities of a type: retrieve_entities'],
    example: { identifier: 'Acme Corp', entity_type: 'company' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    identifier: z.string().min(1).max(truthLimits.nameChars),
    entity_type: entityTypeField.optional(),
  }),
  output: z.object({
    entities: z.array(identifiedEntity),
    total: z.int(),
    truncated: z.literal(true).optional(),
  }),
  faults: ['VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ entities }: Pick<Truth, 'entities'>, input, call) => entities.byIdentifier(input, call),
});
