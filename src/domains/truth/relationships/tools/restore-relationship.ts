import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { edge, relationshipIdField } from '../relationship-model.ts';

export const restoreRelationship = defineTool({
  name: 'restore_relationship',
  title: 'Restore a relationship',
  summary: 'Restores a deleted edge with all its periods.',
  guide: {
    when: ['delete_relationship was a mistake'],
    not: ['it holds again after it had ended: create_relationship'],
    example: { relationship_id: '8c19c3c0-4365-8753-afa3-f3e270322d50' },
  },
  effect: 'update',
  idempotent: true,
  input: z.strictObject({
    relationship_id: relationshipIdField,
    reason: z.string().max(truthLimits.reasonChars).optional(),
  }),
  output: edge.extend({ restored: z.boolean().describe('False if it was not deleted'), message: z.string() }),
  faults: ['NOT_FOUND', 'CYCLE_DETECTED', 'VALIDATION_ERROR', 'RESOURCE_LIMIT', 'DB_UPDATE_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ relationships }: Pick<Truth, 'relationships'>, input, call) => relationships.restore(input, call),
});
