import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { faults } from '../../fault/kernel-faults.ts';
import { limits } from '../../limits.ts';
import type { Handle, Op } from '../transaction-handle.ts';
import { isBusy, toStoreFault } from './errors.ts';
import { createStatements } from './render.ts';

/** `now`: on disk when the commit returns. `soon`: on disk with the next commit that is flushed. */
export type Durability = 'now' | 'soon';

/** One connection with its prepared statements. It is synchronous, so nothing else runs between two statements. */
export interface Connection {
  readonly db: Database.Database;
  /** With a handle, counts changed rows on it and rejects a statement that writes in a read. */
  execute(op: Op, handle?: Pick<Handle, 'mayWrite' | 'changedRows'>): unknown;
  begin(): void;
  beginImmediate(durability: Durability): void;
  savepoint(): void;
  release(): void;
  rollbackTo(): void;
  commit(): void;
  rollback(): void;
  dataVersion(): number;
  schemaVersion(): number;
  /** Writes one page without changing it, so that the commit has something to flush. */
  touch(): void;
  /** Uses more memory to access the file less often. */
  enlargeCache(): void;
  close(): void;
}

/** Older versions can lose a committed write when several processes write. */
const oldestSqlite = [3, 51, 3] as const;

function assertSqliteVersion(db: Database.Database): void {
  const found = db.prepare('select sqlite_version()').pluck().get() as string;
  const numbers = found.split('.').map(Number);
  for (const [i, wanted] of oldestSqlite.entries()) {
    const number = numbers[i] ?? 0;
    if (number > wanted) return;
    if (number < wanted)
      throw faults.STORE_UNAVAILABLE({ why: `SQLite ${found} is older than ${oldestSqlite.join('.')}` });
  }
}

/** Sets a pragma and reads it back, because SQLite silently ignores some settings. */
function setPragma(db: Database.Database, name: string, value: string, expected: string | number): void {
  db.pragma(`${name} = ${value}`);
  const found = db.pragma(name, { simple: true });
  if (found !== expected)
    throw faults.STORE_UNAVAILABLE({ why: `${name} is ${String(found)} and could not be set to ${value}` });
}

const openWaitMs = 5_000;
export const pageCacheKb = 4_096;
const checkpointPages = 4_000;
const bulkCacheKb = 131_072;
const bulkCheckpointPages = 80_000;

/**
 * When several processes open a new file together, SQLite rejects all but one here, regardless of the busy timeout.
 * This wait blocks the event loop, but only once in the life of a file and before any call is served.
 */
function enterWal(db: Database.Database): void {
  const startedAt = performance.now();
  const neverNotified = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      setPragma(db, 'journal_mode', 'wal', 'wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedAt > openWaitMs) throw error;
    }
    Atomics.wait(neverNotified, 0, 0, 1 + Math.random() * limits.busyRetryMs);
  }
}

function makeFolder(file: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const why = `cannot write to the folder ${folder} (${(error as Error).message})`;
    throw faults.STORE_UNAVAILABLE({ why }, {}, { cause: error });
  }
}

export function openConnection(file: string): Connection {
  makeFolder(file);
  let db: Database.Database;
  try {
    db = new Database(file, { timeout: 0 });
  } catch (error) {
    throw toStoreFault(error);
  }
  try {
    // Even the first query reads the file, which another process may be creating.
    db.pragma(`busy_timeout = ${openWaitMs}`);
    assertSqliteVersion(db);
    enterWal(db);
    setPragma(db, 'synchronous', 'full', 2);
    setPragma(db, 'foreign_keys', 'on', 1);
    setPragma(db, 'busy_timeout', '0', 0);
    // Overwrites what is deleted. On for every write: what is off for a moment leaves copies in freed pages.
    setPragma(db, 'secure_delete', 'on', 1);
    // Keeps pages of a large store in memory, and checkpoints less often, because the same pages change again and
    // again.
    setPragma(db, 'cache_size', String(-pageCacheKb), -pageCacheKb);
    setPragma(db, 'wal_autocheckpoint', String(checkpointPages), checkpointPages);
    chmodSync(file, 0o600);
  } catch (error) {
    db.close();
    throw toStoreFault(error);
  }
  return toConnection(db);
}

/** For a database that is already set up. */
export function toConnection(db: Database.Database): Connection {
  const statementOf = createStatements(db);
  const begin = db.prepare('begin');
  const beginImmediate = db.prepare('begin immediate');
  const savepoint = db.prepare('savepoint write_job');
  const release = db.prepare('release write_job');
  const rollbackTo = db.prepare('rollback to write_job');
  const commit = db.prepare('commit');
  const rollback = db.prepare('rollback');
  let durability: Durability = 'now';
  const dataVersion = db.prepare('pragma data_version').pluck();
  const schemaVersion = db.prepare('pragma user_version').pluck();

  return {
    db,
    execute(op, handle) {
      if (op.kind === 'lock') return undefined;
      const [statement, values] = statementOf(op.query);
      if (!statement.readonly && handle?.mayWrite === false)
        throw new Error(`bug: a statement writes in a read: ${statement.source}`);
      const count = (rows: number) => {
        if (handle !== undefined && !statement.readonly) handle.changedRows += rows;
      };
      switch (op.kind) {
        case 'get': {
          const row = statement.get(...values);
          count(row === undefined ? 0 : 1);
          return row;
        }
        case 'all': {
          const rows = statement.all(...values);
          count(rows.length);
          return rows;
        }
        case 'run':
        case 'send': {
          const { changes } = statement.run(...values);
          count(changes);
          return changes;
        }
      }
    },
    begin: () => void begin.run(),
    beginImmediate(wanted) {
      // Cannot be set inside a transaction, and takes effect when it is compiled, so it cannot be a prepared statement.
      if (wanted !== durability) db.exec(`pragma synchronous = ${wanted === 'now' ? 'full' : 'normal'}`);
      durability = wanted;
      beginImmediate.run();
    },
    savepoint: () => void savepoint.run(),
    release: () => void release.run(),
    rollbackTo: () => void rollbackTo.run(),
    commit: () => void commit.run(),
    rollback: () => void rollback.run(),
    dataVersion: () => dataVersion.get() as number,
    schemaVersion: () => schemaVersion.get() as number,
    touch() {
      // SQLite writes the header page even if the value stays the same. It does not flush a commit without a page.
      db.pragma(`user_version = ${schemaVersion.get() as number}`);
    },
    enlargeCache() {
      setPragma(db, 'cache_size', String(-bulkCacheKb), -bulkCacheKb);
      setPragma(db, 'wal_autocheckpoint', String(bulkCheckpointPages), bulkCheckpointPages);
      // Statement journals, which are large for statements with many rows, otherwise go to a file.
      setPragma(db, 'temp_store', 'memory', 2);
    },
    close: () => db.close(),
  };
}
