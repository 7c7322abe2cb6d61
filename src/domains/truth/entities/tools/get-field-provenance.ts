import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { timeField } from '../../iso-time.ts';
import type { Truth } from '../../truth.ts';
import { entityIdField, fieldName } from '../entity-model.ts';
import { fieldProvenance } from '../provenance/provenance-model.ts';

export const getFieldProvenance = defineTool({
  name: 'get_field_provenance',
  title: 'Trace a field',
  summary: 'Says who stated the value of a field, when, and from what.',
  guide: {
    when: ['a user asks "how do you know?"'],
    not: ['you want all statements about it: get_field_history'],
    example: { entity_id: 'ent_5f0c3a9d1b7e2468ace01357', field: 'amount' },
  },
  effect: 'read',
  listed: true,
  answer: 'whole',
  input: z.strictObject({
    entity_id: entityIdField,
    field: fieldName,
    at: timeField.optional(),
    as_known_at: timeField.optional(),
  }),
  output: fieldProvenance,
  faults: ['ENTITY_NOT_FOUND', 'FIELD_NOT_FOUND', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ entities }: Pick<Truth, 'entities'>, input, call) => entities.fieldProvenance(input, call),
});
