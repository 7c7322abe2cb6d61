import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { timeField } from '../../iso-time.ts';
import { reviewFields } from '../../schemas/review-statement.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { correctedFields } from '../correct-entity.ts';
import { entityIdField, entitySnapshot } from '../entity-model.ts';

export const correctEntity = defineTool({
  name: 'correct_entity',
  title: 'Correct fields of an entity',
  summary: 'Sets the true values of fields. It also wins over later documents, unless until_newer is set.',
  guide: {
    when: ['a person says that a value is wrong'],
    not: [
      'a value has changed: store_fact',
      'you have another document about it: submit_payload',
      'two entities are the same thing: merge_entities',
    ],
    example: {
      entity_id: 'ent_5f0c3a9d1b7e2468ace01357',
      fields: { address: '12 New Street' },
      reason: 'Moved in May',
    },
  },
  effect: 'update',
  input: z.strictObject({
    entity_id: entityIdField,
    fields: correctedFields,
    reason: z.string().min(1).max(truthLimits.reasonChars).optional(),
    effective_at: timeField.optional().describe('When it holds from; default: now. A date in the past fixes the past'),
    effective_until: timeField.optional().describe('When it ends'),
    until_newer: z.boolean().optional().describe('Gives way to what is recorded later and effective later'),
  }),
  output: entitySnapshot.extend({ ...reviewFields, observation_id: z.string(), correction_id: z.string() }),
  faults: ['ENTITY_NOT_FOUND', 'VALIDATION_ERROR', 'DB_UPDATE_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ entities }: Pick<Truth, 'entities'>, input, call) => entities.correct(input, call),
});
