import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const jobsList = defineTool({
  name: 'jobs/list',
  title: 'Background jobs',
  summary: 'Lists the background jobs of this process with state, last run and last error; only for the operator.',
  guide: {
    when: ['you want to know whether background work is behind or failing'],
    not: ['you want the runs of a connector: connectors_list shows the last one'],
    example: {},
  },
  effect: 'read',
  scope: 'admin',
  stable: false,
  answer: 'whole',
  expose: ['mcp', 'http'],
  input: z.strictObject({}),
  output: z.object({
    jobs: z.array(
      z.object({
        name: z.string(),
        about: z.string(),
        everySeconds: z.int(),
        state: z.enum(['waiting', 'running', 'elsewhere']).describe('elsewhere: another process runs it'),
        startedAt: z.string().optional().describe('Of the last run in this process'),
        endedAt: z.string().optional(),
        error: z.string().optional().describe('Why the last run failed'),
      }),
    ),
    scrub: z.object({ passesCount: z.int(), rowsCount: z.int(), damagedCount: z.int() }),
    embedding: z
      .array(z.object({ collection: z.string(), embedded: z.int(), pending: z.int() }))
      .describe('Empty until this process has searched'),
    schema: z.int().describe('Newest migration of the store'),
  }),
  faults: ['PERMISSION_DENIED'],
  run: (system: System, _input, call) => system.operations.jobs(call),
});
