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
  output: z.object({
    status: z.enum(['ok', 'degraded']),
    timestamp: z.string(),
    version: z.string(),
    reasons: z.array(z.string()).optional().describe('Why it is degraded'),
  }),
  faults: [],
  run: (system: System) => system.health(),
});
