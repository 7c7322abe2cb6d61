import { z } from 'zod';
import { limits } from '#kernel/limits.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const auditList = defineTool({
  name: 'audit/list',
  title: 'Audit trail',
  summary: 'Lists who changed what, newest first, for one item or for all.',
  guide: { when: ['you want to know who changed an item and when'], example: { limit: 20 } },
  effect: 'read',
  scope: 'admin',
  stable: false,
  answer: 'page',
  input: z.strictObject({
    topic: z.string().min(1).max(100).optional().describe('Kind of item'),
    id: z.string().min(1).max(400).optional(),
    limit: z.int().min(1).max(limits.auditPageCount).default(20),
    cursor: z.string().max(1000).optional(),
  }),
  output: z.object({
    rows: z.array(
      z.object({
        seq: z.int(),
        at: z.string(),
        actor: z.string(),
        tool: z.string(),
        topic: z.string(),
        id: z.string(),
        what: z.enum(['create', 'update', 'delete']),
        hash: z.string(),
        mac: z.string(),
      }),
    ),
    nextCursor: z.string().optional(),
  }),
  faults: ['INVALID_PARAMS'],
  run: (system: System, input, call) => system.listAudit(input, call),
});
