import { z } from 'zod';
import { cursorLimits } from '#kernel/cursor/cursor.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { entityTypeField, limitField } from '../../entities/entity-model.ts';
import { entitySummary } from '../../relationships/relationship-model.ts';
import type { Truth } from '../../truth.ts';
import { duplicatesTool } from '../list-duplicates.ts';

export const listPotentialDuplicates = defineTool({
  name: duplicatesTool,
  title: 'List potential duplicates',
  summary: 'Lists entities of one type whose name or identifier differs only in spelling.',
  guide: {
    when: ['you look for entities to merge with merge_entities'],
    example: { entity_type: 'company' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({
    entity_type: entityTypeField.optional(),
    limit: limitField,
    cursor: z.string().min(1).max(cursorLimits.cursorChars).optional().describe('`next_cursor` of the previous page'),
  }),
  output: z.object({
    duplicates: z.array(
      z.object({
        entity_type: z.string(),
        reason: z.object({ field: z.string(), match_key: z.string() }),
        entities: z.array(entitySummary),
        truncated: z.literal(true).optional(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  faults: ['INVALID_PARAMS', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ merges }: Pick<Truth, 'merges'>, input, call) => merges.duplicates(input, call),
});
