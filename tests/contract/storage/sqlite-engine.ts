import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { systemClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import type { Bound } from '#kernel/storage/sql.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { type Engine, type TestStore, toStorageOptions } from './engine.ts';
import { contractMigrations } from './tables.ts';

export interface SqliteTestStore extends TestStore {
  readonly file: string;
}

export async function createSqliteTestStore(isRehearsing = false): Promise<SqliteTestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'ff-contract-'));
  const file = join(folder, 'store.db');
  const fallback = { migrations: contractMigrations, clock: systemClock, log: silentLog };
  return {
    file,
    open: async (options = {}) => openSqlite({ file, ...toStorageOptions(options, fallback, isRehearsing) }),
    async block() {
      const other = new Database(file);
      other.exec('begin immediate');
      return async () => void other.close();
    },
    async tamper(statement) {
      const other = new Database(file);
      other.exec(statement);
      other.close();
    },
    async look(query) {
      const other = new Database(file, { readonly: true });
      try {
        return other.prepare<[], Readonly<Record<string, Bound>>>(query).all();
      } finally {
        other.close();
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export const sqliteEngine = (isRehearsing: boolean): Engine => ({
  name: isRehearsing ? 'SQLite, rehearsing' : 'SQLite',
  kind: 'sqlite',
  isRehearsing,
  create: () => createSqliteTestStore(isRehearsing),
});
