import { z } from 'zod';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { edge, relationshipIdField } from '../relationship-model.ts';

export const deleteRelationship = defineTool({
  name: 'delete_relationship',
  title: 'Delete a relationship',
  summary: 'Deletes an edge that should not exist. Its history stays, and restore_relationship brings it back.',
  guide: {
    when: ['a relationship was created by mistake'],
    not: ['it was true and has ended: create_relationship with effective_until'],
    example: { relationship_id: '8c19c3c0-4365-8753-afa3-f3e270322d50', reason: 'wrong company' },
  },
  effect: 'delete',
  input: z.strictObject({
    relationship_id: relationshipIdField,
    reason: z.string().max(truthLimits.reasonChars).optional(),
  }),
  output: edge.extend({
    deleted: z.literal(true),
    changed: z.boolean().describe('False if it was deleted before'),
    message: z.string(),
    restore: restoreCall,
  }),
  faults: ['NOT_FOUND', 'VALIDATION_ERROR', 'RESOURCE_LIMIT', 'DB_DELETE_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: async ({ relationships }: Pick<Truth, 'relationships'>, input, call) => ({
    ...(await relationships.delete(input, call)),
    restore: { tool: 'restore_relationship', arguments: { relationship_id: input.relationship_id } },
  }),
});
