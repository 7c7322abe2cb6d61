import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const toolsCall = defineTool({
  name: 'tools_call',
  title: 'Call an unlisted tool',
  summary: 'Calls any tool by name and returns its answer.',
  guide: {
    when: ['tools_find returned an unlisted tool'],
    not: ['it is listed'],
    example: { name: 'scratch_trash', arguments: { limit: 5 } },
  },
  // The scope and the gate of the called tool decide.
  effect: 'update',
  scope: 'read',
  audit: 'none',
  forwards: true,
  listed: true,
  input: z.strictObject({
    name: z.string().min(1).max(200),
    arguments: z.record(z.string(), z.unknown()).default({}),
  }),
  output: z.record(z.string(), z.unknown()),
  faults: ['UNKNOWN_TOOL'],
  run: (_system: System, { name, arguments: args }, call) => call.forward(name, args),
});
