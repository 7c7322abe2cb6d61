import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

const output = z.object({
  folder: z.string(),
  count: z.int(),
  backups: z
    .array(
      z.object({
        folder: z.string(),
        at: z.string().optional(),
        store: z.enum(['sqlite', 'none']).optional(),
        withKeys: z.boolean().optional(),
        bytes: z.int().optional(),
        problem: z.string().optional().describe('Why it cannot be restored'),
      }),
    )
    .describe('The newest'),
});
export type BackupList = z.infer<typeof output>;

export const backupList = defineTool({
  name: 'backup/list',
  title: 'List backups',
  summary: 'Lists the newest backups in the folder of backups; only for the operator.',
  guide: { when: ['you want to know when the server was last backed up'], example: {} },
  effect: 'read',
  scope: 'admin',
  stable: false,
  answer: 'whole',
  expose: ['mcp', 'http'],
  input: z.strictObject({}),
  output,
  faults: ['PERMISSION_DENIED', 'FILES_UNAVAILABLE'],
  run: (system: System, _input, call) => system.operations.listBackups(call),
});
