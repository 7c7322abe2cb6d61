import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { capability } from '../capability.ts';

export const registerCapability = defineTool({
  name: 'register_capability',
  title: 'Register a capability',
  summary: 'Registers your own kind of payload. A definition never changes; register a new version instead.',
  guide: {
    when: ['no capability in list_capabilities fits your payload'],
    not: ['you only need more fields: unknown fields are stored anyway'],
    example: {
      capability_id: 'acme:store_ticket:v1',
      primary_type: 'ticket',
      hash_fields: ['number', 'subject'],
      natural_key: [{ field: 'number' }],
      extract: [
        {
          kind: 'field_value',
          field: 'customer_name',
          entity_type: 'company',
          prefix: 'customer_',
          link: 'CREATED_BY',
        },
      ],
    },
  },
  effect: 'create',
  idempotent: true,
  input: capability,
  output: z.object({ capability, created: z.boolean() }),
  faults: ['INVALID_RELATIONSHIP_TYPE', 'CONFLICT', 'RESOURCE_LIMIT', 'DB_INSERT_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ capabilities }: Pick<Truth, 'capabilities'>, input, call) => capabilities.register(input, call),
});
