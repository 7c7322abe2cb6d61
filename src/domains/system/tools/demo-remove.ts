import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const demoRemove = defineTool({
  name: 'demo/remove',
  title: 'Remove the example company',
  summary: 'Removes the example company with everything in its tenant, and ends its sign-ins. For the operator.',
  guide: { when: ['you have seen enough of the example company'], example: {} },
  effect: 'delete',
  scope: 'admin',
  bulk: true,
  expose: ['mcp', 'http'],
  input: z.strictObject({}),
  output: z.object({ removed: z.boolean(), tenant: z.string().optional(), rows_count: z.int().optional() }),
  faults: ['PERMISSION_DENIED'],
  run: (system: System, _input, call) => system.removeDemo(call),
});
