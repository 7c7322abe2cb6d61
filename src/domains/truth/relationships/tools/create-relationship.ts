import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { createInput, edge } from '../relationship-model.ts';

export const createRelationship = defineTool({
  name: 'create_relationship',
  title: 'Create a relationship',
  summary: 'Creates a typed edge between two entities. Creating the same edge again returns the first one.',
  guide: {
    when: ['two entities are related: a payment settles an invoice, a task depends on another'],
    not: ['both are the same thing: merge_entities'],
    example: {
      relationship_type: 'SETTLES',
      source_entity_id: 'ent_5f0c3a9d1b7e2468ace01357',
      target_entity_id: 'ent_0a1b2c3d4e5f60718293a4b5',
    },
  },
  effect: 'create',
  idempotent: true,
  input: createInput,
  output: edge.extend({ created: z.boolean() }),
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
