import { systemClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { auditKey } from '../storage/engine.ts';
import { contractMigrations } from '../storage/tables.ts';

/** Opens the store at a file path or a database URL. */
export async function openStore(at: string, added: readonly Migration[] = []): Promise<Storage> {
  const options = { migrations: [...contractMigrations, ...added], clock: systemClock, log: silentLog, auditKey };
  if (at.startsWith('postgres://')) {
    const { openPostgres } = await import('#kernel/storage/postgres/open.ts');
    return openPostgres({ ...options, url: at });
  }
  const { openSqlite } = await import('#kernel/storage/sqlite/open.ts');
  return openSqlite({ ...options, file: at });
}
