import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { capability } from '../capability.ts';

export const listCapabilities = defineTool({
  name: 'list_capabilities',
  title: 'List capabilities',
  summary: 'Lists the kinds of payloads: hash fields, natural keys and the entities they contain.',
  guide: {
    when: ['you need the capability_id of a payload to submit'],
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
