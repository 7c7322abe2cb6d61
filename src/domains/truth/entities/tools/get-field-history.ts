import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { entityIdField, fieldName, limitField, offsetField } from '../entity-model.ts';
import { fieldHistory } from '../provenance/provenance-model.ts';

export const getFieldHistory = defineTool({
  name: 'get_field_history',
  title: 'Get the history of a field',
  summary: 'Lists what each source stated about a field, newest first, and which statement wins.',
  guide: {
    when: ['you want to see how a value changed or which sources disagree'],
    not: ['you want the current source: get_field_provenance'],
    example: { entity_id: 'ent_5f0c3a9d1b7e2468ace01357', field: 'address' },
  },
  effect: 'read',
  listed: true,
  answer: 'whole',
  input: z.strictObject({ entity_id: entityIdField, field: fieldName, limit: limitField, offset: offsetField }),
  output: fieldHistory,
  faults: ['ENTITY_NOT_FOUND', 'FIELD_NOT_FOUND', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ entities }: Pick<Truth, 'entities'>, input, call) => entities.fieldHistory(input, call),
});
