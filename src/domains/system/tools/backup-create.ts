import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

const input = z.strictObject({
  withKeys: z.boolean().default(false).describe('Include the key file; store such a backup as safely as the key'),
  filesOnly: z.boolean().default(false).describe('Leave out the store; needed if it is a PostgreSQL database'),
});
export type BackupCreateInput = z.output<typeof input>;

const output = z.object({
  folder: z.string(),
  store: z.enum(['sqlite', 'none']),
  withKeys: z.boolean(),
  files: z.int(),
  bytes: z.int(),
  withheld: z.array(z.string()).describe('Secret settings that were left out'),
  skipped: z.array(z.string()).describe('Paths that are not regular files'),
  notIncluded: z.string().optional(),
});
export type MadeBackup = z.infer<typeof output>;

export const backupCreate = defineTool({
  name: 'backup/create',
  title: 'Back up the server',
  summary: 'Copies the store and its files to a new folder in the folder of backups; only for the operator.',
  guide: { when: ['before an upgrade or a large change'], example: {} },
  effect: 'create',
  scope: 'admin',
  // Nothing in the store changes.
  audit: 'none',
  bulk: true,
  streams: true,
  expose: ['mcp', 'http'],
  input,
  output,
  faults: ['PERMISSION_DENIED', 'BACKUP_ELSEWHERE', 'FILES_UNAVAILABLE', 'TARGET_TAKEN', 'CONFIG_ERROR'],
  run: (system: System, given, call) => system.operations.createBackup(given, call),
});
