import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const healthCheck = defineTool({
  name: 'health/check',
  title: 'Health check',
  summary: 'Reports server status, time and version.',
  guide: { when: ['you want to know whether the server responds'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({ status: z.literal('ok'), timestamp: z.string(), version: z.string() }),
  faults: [],
  run: (system: System) => system.health(),
});
