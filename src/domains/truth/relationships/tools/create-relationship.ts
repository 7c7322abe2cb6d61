import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { createAnswer, createInput } from '../relationship-model.ts';

export const createRelationship = defineTool({
  name: 'create_relationship',
  title: 'Create a relationship',
  summary: 'Creates a typed edge between two entities, or states another period or other metadata of an existing one.',
  guide: {
    when: [
      'two entities are related: a payment settles an invoice, a person works at a company',
      'a relationship has ended: pass effective_until',
    ],
    not: ['both are the same thing: merge_entities', 'the relationship was a mistake: delete_relationship'],
    example: {
      relationship_type: 'WORKS_AT',
      source_entity_id: 'ent_5f0c3a9d1b7e2468ace01357',
      target_entity_id: 'ent_0a1b2c3d4e5f60718293a4b5',
      effective_at: '2026-05',
    },
  },
  effect: 'create',
  idempotent: true,
  input: createInput,
  output: createAnswer,
  faults: [
    'ENTITY_NOT_FOUND',
    'INVALID_RELATIONSHIP_TYPE',
    'CYCLE_DETECTED',
    'VALIDATION_ERROR',
    'RESOURCE_LIMIT',
    'DB_INSERT_FAILED',
  ],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ relationships }: Pick<Truth, 'relationships'>, input, call) => relationships.create(input, call),
});
