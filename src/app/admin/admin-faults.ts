import { defineFaults, fault } from '#kernel/fault/fault.ts';

/** Expected failures of backup, restore, export and import. */
export const adminFaults = defineFaults({
  TARGET_TAKEN: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { path: string }) => `${p.path} already exists and is not empty`,
    fix: 'Choose a path that does not exist yet.',
  }),
  FILES_TAKEN: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { folder: string; path: string; count: number }) =>
      `${p.path} already exists in ${p.folder}${p.count > 1 ? `, and ${p.count - 1} more` : ''}`,
    fix: 'Choose another folder, or add --force to replace files of the same name. Remove a file that is in the place of a folder first.',
  }),
  FILES_UNAVAILABLE: fault({
    rpc: -32603,
    http: 503,
    retryable: true,
    say: (p: { why: string }) => p.why,
    fix: 'Free disk space, or correct the path or its permissions, and run the command again.',
  }),
  BACKUP_ELSEWHERE: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: () => 'The store is a PostgreSQL database, which fourfold backup does not copy',
    fix: 'Back the database up with pg_dump, and the data folder with fourfold backup --files-only.',
  }),
  BACKUP_DAMAGED: fault({
    rpc: -32003,
    http: 409,
    retryable: false,
    say: (p: { why: string }) => `The backup is damaged or incomplete: ${p.why}`,
    fix: 'Restore from another backup. Nothing was changed.',
  }),
  HOME_TAKEN: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { home: string; names: string }) => `The data folder ${p.home} already contains ${p.names}`,
    fix: 'Restore into another folder (--home), or add --force: existing files are then moved aside, never deleted.',
  }),
  STORE_IN_USE: fault({
    rpc: -32002,
    http: 409,
    retryable: true,
    say: (p: { file: string }) => `A running process has the store ${p.file} open`,
    fix: 'Stop every fourfold process that uses this folder, including those started by clients, and run the command again.',
  }),
  DATA_MISSING: fault({
    rpc: -32603,
    http: 500,
    retryable: false,
    say: (p: { what: string; signs: string }) => `${p.what} is missing, but ${p.signs} exists`,
    fix: 'Put the file back, or restore a backup: fourfold restore <folder> --force. To begin with a new one instead, start once with --start-empty.',
  }),
  KEYS_MISSING: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { why: string }) =>
      `${p.why}: without the old keys the audit chain cannot be verified, and existing API keys and cursors are invalid`,
    fix: 'Put the old key file in its place first, or add --new-keys to continue without it.',
  }),
  EXPORT_MOVED: fault({
    rpc: -32002,
    http: 409,
    retryable: true,
    say: (p: { tenant: string }) => `The tenant ${p.tenant} kept changing during the export`,
    fix: 'Export again at a quieter time, or stop the servers that write to this tenant.',
  }),
  IMPORT_INVALID: fault({
    rpc: -32002,
    http: 400,
    retryable: false,
    say: (p: { line: number; why: string }) => `Line ${p.line} of the export: ${p.why}`,
    fix: 'Create the export again and import it unchanged.',
  }),
  IMPORT_TAKEN: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { table: string; key: string; isPartial: boolean }) =>
      `A row of ${p.table} already exists: ${p.key}${p.isPartial ? ' (it was added during the import; earlier rows are imported)' : ''}`,
    fix: 'Import with --mode skip to keep existing rows, or --mode replace to overwrite them.',
  }),
});
