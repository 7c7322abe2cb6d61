import { defineFaults, fault } from '#kernel/fault/fault.ts';

/** What keeps a backup, a restore, an export or an import from being done. */
export const adminFaults = defineFaults({
  TARGET_TAKEN: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { path: string }) => `${p.path} is there already and is not empty`,
    fix: 'Name a place where nothing is yet.',
  }),
  FILES_TAKEN: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { folder: string; path: string; count: number }) =>
      `${p.path} is in ${p.folder} already${p.count > 1 ? `, and ${p.count - 1} more` : ''}`,
    fix: 'Name another folder, or add --force to replace files of the same name; a file where a folder is needed has to go first.',
  }),
  FILES_UNAVAILABLE: fault({
    rpc: -32603,
    http: 503,
    retryable: true,
    say: (p: { why: string }) => p.why,
    fix: 'Make room, or correct the path or its permissions, and run the command again.',
  }),
  BACKUP_ELSEWHERE: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: () => 'The store is a PostgreSQL database, which is not copied by fourfold backup',
    fix: 'Back the database up with pg_dump, and the data folder with fourfold backup --files-only.',
  }),
  BACKUP_DAMAGED: fault({
    rpc: -32003,
    http: 409,
    retryable: false,
    say: (p: { why: string }) => `This is no whole backup: ${p.why}`,
    fix: 'Restore from another backup. Nothing was changed.',
  }),
  HOME_TAKEN: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { home: string; names: string }) => `The data folder ${p.home} holds ${p.names} already`,
    fix: 'Restore into another folder (--home), or add --force: what is there is then moved aside, never deleted.',
  }),
  STORE_IN_USE: fault({
    rpc: -32002,
    http: 409,
    retryable: true,
    say: (p: { file: string }) => `A running process has the store ${p.file} open`,
    fix: 'Stop every fourfold process that works on this folder, clients included, and run the command again.',
  }),
  KEYS_MISSING: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { why: string }) =>
      `${p.why}: without the old keys the audit chain cannot be verified, and no API key or cursor made before is valid`,
    fix: 'Put the old key file into its place first, or add --new-keys to go on without it.',
  }),
  EXPORT_MOVED: fault({
    rpc: -32002,
    http: 409,
    retryable: true,
    say: (p: { tenant: string }) => `The tenant ${p.tenant} was changed each time while it was exported`,
    fix: 'Export again at a quieter moment, or stop the servers that write to this tenant.',
  }),
  IMPORT_INVALID: fault({
    rpc: -32002,
    http: 400,
    retryable: false,
    say: (p: { line: number; why: string }) => `Line ${p.line} of the export: ${p.why}`,
    fix: 'Make the export again and import it as it is.',
  }),
  IMPORT_TAKEN: fault({
    rpc: -32002,
    http: 409,
    retryable: false,
    say: (p: { table: string; key: string; isPartial: boolean }) =>
      `A row of ${p.table} is there already: ${p.key}${p.isPartial ? ' (it came while the import ran; rows before it were kept)' : ''}`,
    fix: 'Import with --mode skip to keep what is there, or --mode replace to overwrite it.',
  }),
});
