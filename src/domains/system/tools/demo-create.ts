import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const demoCreate = defineTool({
  name: 'demo/create',
  title: 'Create the example company',
  summary: 'Fills a tenant of its own with an example company: rules, docs, notes and facts. For the operator.',
  guide: { when: ['you want to see what the program can do before you store anything of your own'], example: {} },
  effect: 'create',
  scope: 'admin',
  bulk: true,
  expose: ['mcp', 'http'],
  input: z.strictObject({}),
  output: z.object({
    tenant: z.string(),
    calls_count: z.int(),
    sign_in: z.string().describe('Signs a browser in to it, once: open /sign-in# with this text'),
  }),
  faults: ['CONFLICT', 'PERMISSION_DENIED'],
  run: (system: System, _input, call) => system.createDemo(call),
});
