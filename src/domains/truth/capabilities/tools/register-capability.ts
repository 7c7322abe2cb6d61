import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { capability } from '../capability.ts';

export const registerCapability = defineTool({
  name: 'register_capability',
  title: 'Register a kind of payload',
  summary:
    'Registers how payloads of your own kind are read; a definition is never changed, a new one is a new version.',
  guide: {
    when: ['none of list_capabilities fits what you have to submit'],
    not: ['you only want more fields of a known kind: fields that no schema knows are kept anyway'],
    example: {
      capability_id: 'acme:store_ticket:v1',
      primary_type: 'ticket',
      hash_fields: ['number', 'subject'],
      natural_key: [{ field: 'number' }],
      extract: [{ kind: 'field_value', field: 'customer_name', entity_type: 'company', prefix: 'customer_' }],
    },
  },
  effect: 'create',
  idempotent: true,
  input: capability,
  output: z.object({ capability, created: z.boolean() }),
  faults: ['CONFLICT', 'RESOURCE_LIMIT', 'DB_INSERT_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ capabilities }: Pick<Truth, 'capabilities'>, input, call) => capabilities.register(input, call),
});
