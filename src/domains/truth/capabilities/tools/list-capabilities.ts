import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { capability } from '../capability.ts';

export const listCapabilities = defineTool({
  name: 'list_capabilities',
  title: 'List the kinds of payloads',
  summary: 'Tells how payloads can be read: their hash fields, natural keys and the entities that are in them.',
  guide: {
    when: ['you want to submit a payload and look for its capability_id'],
    example: {},
  },
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    capabilities: z.array(capability.extend({ builtin: z.boolean() })),
    total: z.int(),
  }),
  faults: ['DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ capabilities }: Pick<Truth, 'capabilities'>, _, call) => capabilities.list(call),
});
