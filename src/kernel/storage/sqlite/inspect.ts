import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openConnection } from './connection.ts';
import { isBusy, toStoreFault } from './errors.ts';

/** What a file says of itself when it is only looked at: nothing is migrated, nothing is written. */
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

/** Reads the whole file. Answers 'ok', or the first thing that is wrong with it. */
export const quickCheck = (file: string): string =>
  look(file, (db) => String(db.pragma('quick_check(1)', { simple: true })));

export interface DurabilitySettings {
  readonly sqlite: string;
  readonly journalMode: string;
  /** 2 is FULL. */
  readonly synchronous: number;
}

/** Opens the file the way the program does and reads back what holds then. */
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

/** The file for oneself: nobody else has it open or can open it until it is released. */
export interface StoreLock {
  release(): void;
}

/**
 * `in-use` when any process has the file open: with write-ahead logging each holds a shared lock on it for as long as it is
 * connected, whether it writes or not. `unreadable` when the file is no database, so that nothing can be told.
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
