import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openConnection } from './connection.ts';
import { isBusy, toStoreFault } from './errors.ts';

/** Facts about a file that is only read: nothing is migrated or written. */
export interface StoreInspection {
  readonly schema: number;
  readonly bytes: number;
  readonly walBytes: number;
}

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function look<T>(file: string, ask: (db: Database.Database) => T): T {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5_000 });
    return ask(db);
  } catch (error) {
    throw toStoreFault(error);
  } finally {
    db?.close();
  }
}

export const inspectStore = (file: string): StoreInspection =>
  look(file, (db) => ({
    schema: db.pragma('user_version', { simple: true }) as number,
    bytes: bytesOf(file),
    walBytes: bytesOf(`${file}-wal`),
  }));

/** Reads the whole file. Returns 'ok' or the first problem. */
export const quickCheck = (file: string): string =>
  look(file, (db) => String(db.pragma('quick_check(1)', { simple: true })));

export interface DurabilitySettings {
  readonly sqlite: string;
  readonly journalMode: string;
  /** 2 is FULL. */
  readonly synchronous: number;
}

/** Opens the file as the program does and reads the resulting settings. */
export function readDurabilitySettings(file: string): DurabilitySettings {
  const connection = openConnection(file);
  try {
    const { db } = connection;
    return {
      sqlite: db.prepare('select sqlite_version()').pluck().get() as string,
      journalMode: db.pragma('journal_mode', { simple: true }) as string,
      synchronous: db.pragma('synchronous', { simple: true }) as number,
    };
  } finally {
    connection.close();
  }
}

/** Exclusive access: no other process has the file open, or can open it until `release`. */
export interface StoreLock {
  release(): void;
}

/**
 * `in-use` if any process has the file open: in WAL mode every connection holds a shared lock, even if it does not
 * write. `unreadable` if the file is not a database.
 */
export function lockStore(file: string): StoreLock | 'in-use' | 'unreadable' {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true, timeout: 0 });
    db.pragma('locking_mode = exclusive');
    db.exec('begin exclusive; rollback');
    const held = db;
    return { release: () => void held.close() };
  } catch (error) {
    db?.close();
    return isBusy(error) ? 'in-use' : 'unreadable';
  }
}
