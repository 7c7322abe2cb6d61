import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { entitySchema, registeredSchema } from '../entity-schema.ts';

export const registerEntitySchema = defineTool({
  name: 'register_entity_schema',
  title: 'Register an entity schema version',
  summary: 'Adds a schema version of an entity type. activate_entity_schema puts it into use.',
  guide: {
    when: ['an entity type needs fields, types or merge policies that its active schema lacks'],
    not: ['the version is already registered: activate_entity_schema'],
    example: {
      entity_type: 'vehicle',
      version: '1.1',
      fields: {
        plate: { type: 'string', identifier: true, strategy: 'highest_priority' },
        inspected_date: { type: 'date' },
        owners: { type: 'array', strategy: 'merge_array' },
      },
    },
  },
  effect: 'create',
  idempotent: true,
  guarantees: { consistency: 'strong', deterministic: true },
  input: entitySchema,
  output: z.object({ schema: registeredSchema, created: z.boolean() }),
  faults: ['VALIDATION_ERROR', 'CONFLICT', 'RESOURCE_LIMIT', 'DB_INSERT_FAILED'],
  run: ({ schemas }: Pick<Truth, 'schemas'>, given, call) => schemas.register(given, call),
});
