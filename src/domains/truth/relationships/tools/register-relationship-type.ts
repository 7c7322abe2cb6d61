import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { truthLimits } from '../../truth-limits.ts';
import { relationshipTypeField } from '../relationship-model.ts';
import { listedType } from './list-relationship-types.ts';

export const registerRelationshipType = defineTool({
  name: 'register_relationship_type',
  title: 'Register a relationship type',
  summary: 'Registers your own type of relationship. A type never changes.',
  guide: {
    when: ['no type in list_relationship_types fits'],
    not: ['a built-in type says the same: use it, so that others find your edges'],
    example: { relationship_type: 'MENTORS', description: 'A person teaches another.' },
  },
  effect: 'create',
  idempotent: true,
  input: z.strictObject({
    relationship_type: relationshipTypeField.meta({
      type: 'string',
      description: 'Upper-case words: MENTORS, INVESTED_IN. `invested in` becomes INVESTED_IN',
    }),
    description: z.string().max(truthLimits.typeDescriptionChars).optional(),
    acyclic: z.boolean().optional().describe('Refuse edges that close a cycle, at any time; default: false'),
  }),
  output: listedType.extend({
    created: z.boolean(),
    similar: z.array(z.string()).optional().describe('Types with nearly the same name'),
  }),
  faults: ['INVALID_RELATIONSHIP_TYPE', 'CONFLICT', 'RESOURCE_LIMIT', 'VALIDATION_ERROR', 'DB_INSERT_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ relationships }: Pick<Truth, 'relationships'>, input, call) => relationships.registerType(input, call),
});
