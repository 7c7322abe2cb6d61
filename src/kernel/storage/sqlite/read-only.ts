import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { faults } from '../../fault/kernel-faults.ts';
import { type Connection, toConnection } from './connection.ts';
import { toStoreFault } from './errors.ts';

/** Where a copy may be made when the data folder is on a full or read-only disk. The second is memory on Linux. */
const copyFolders = [tmpdir(), '/dev/shm'] as const;

/** Reads once, because SQLite opens the file only then. */
function tryOpen(source: string | Buffer): Database.Database {
  const db = new Database(source, { readonly: true });
  try {
    db.pragma('user_version', { simple: true });
    db.pragma('foreign_keys = on');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite needs files next to the store even to read it, and creates them where the copy is. */
function openCopy(file: string): Connection | undefined {
  for (const parent of copyFolders) {
    let folder: string | undefined;
    try {
      folder = mkdtempSync(join(parent, 'fourfold-read-'));
      const copy = join(folder, 'store.db');
      copyFileSync(file, copy);
      if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
      const made = folder;
      // Applies the log of the copy; the connection for reads then needs nothing but the file.
      const db = new Database(copy);
      db.pragma('journal_mode = delete');
      db.close();
      const connection = toConnection(tryOpen(copy));
      return {
        ...connection,
        close() {
          connection.close();
          rmSync(made, { recursive: true, force: true });
        },
      };
    } catch {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    }
  }
  return undefined;
}

/** Offsets of the file format versions; 1 is a file without a write-ahead log, which memory does not have. */
const formatOffsets = [18, 19] as const;

/** The last resort where nothing can be written at all. Recent commits that are only in the log cannot be read so. */
function openInMemory(file: string): Connection | undefined {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined;
  const bytes = readFileSync(file);
  for (const offset of formatOffsets) bytes[offset] = 1;
  return toConnection(tryOpen(bytes));
}

/**
 * Opens a store that cannot be written. Directly if possible; otherwise a copy, which does not change any more. Throws
 * if the file cannot be read either.
 */
export function openReadOnly(file: string, newest: number): Connection {
  let connection: Connection | undefined;
  try {
    connection = toConnection(tryOpen(file));
  } catch {
    connection = openCopy(file) ?? openInMemory(file);
  }
  if (connection === undefined) throw faults.STORE_UNAVAILABLE({ why: 'it can be neither written nor copied' });
  try {
    const found = connection.schemaVersion();
    if (found > newest) throw faults.STORE_NEWER({ found, known: newest });
    if (found < newest)
      throw faults.STORE_UNAVAILABLE({ why: 'it must be migrated to this version, which needs a writable disk' });
    return connection;
  } catch (error) {
    connection.close();
    throw toStoreFault(error);
  }
}
