import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { faults } from '../../fault/kernel-faults.ts';
import type { Log } from '../../log/log.ts';
import { whyUnavailable } from '../write-health.ts';
import type { Connection } from './connection.ts';
import { codeOf, toStoreFault } from './errors.ts';
import { type StoreFile, watchStoreFile, writeRescueCopy } from './store-file.ts';

export interface StoreConnectionDeps {
  readonly file: string;
  readonly log: Log;
  /** Opens and migrates the file. */
  open(): Connection;
  /** Opens a file that cannot be written. */
  openReadOnly(): Connection;
  /** Called after the file was opened again. */
  reopened(connection: Connection): void;
}

/** The connection of a store, which is replaced when it fails and refuses writes when its file is gone. */
export interface StoreConnection {
  /** Reopens and checks the file if the last connection failed. */
  connect(): Connection;
  /** Throws STORE_UNAVAILABLE if nothing must be written. */
  connectForWrite(): Connection;
  /** False if the last commit may have gone to a file that is no longer at its path. */
  isInPlace(): boolean;
  /** Gives up a connection that can no longer be trusted. */
  discard(failed: Connection): void;
  current(): Connection | undefined;
  /** Why writes are refused or would fail now, without paths. */
  problem(): string | undefined;
  close(): Promise<void>;
}

const storeFileLimits = {
  /** How soon a deleted file is noticed while nothing is written. */
  checkEveryMs: 2_000,
  rescueRetryMs: 10_000,
  /** How often a store that could not be written is tried again. */
  upgradeRetryMs: 1_000,
  /** With less, a write that needs new pages probably fails. */
  freeBytes: 1024 * 1024,
} as const;

const denied: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);
const diskErrors = ['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_IOERR', 'SQLITE_PERM'] as const;

/** Undefined if the error is not about the disk. Readiness shows it to anyone, so it contains no path. */
function whyReadOnly(error: unknown): string | undefined {
  const code = codeOf((error as { readonly cause?: unknown }).cause);
  if (denied.has(code)) return 'its folder or file is read-only';
  return diskErrors.some((prefix) => code.startsWith(prefix)) ? whyUnavailable(error) : undefined;
}

function endTransaction({ db }: Connection): boolean {
  try {
    if (db.inTransaction) db.exec('rollback');
    return true;
  } catch {
    return false;
  }
}

export function createStoreConnection(deps: StoreConnectionDeps): StoreConnection {
  const { file, log } = deps;
  /** Why the disk could not be written when the file was opened; reads are served meanwhile. */
  let readOnlyWhy: string | undefined;
  let upgradeAt = 0;
  let connection: Connection | undefined = openFirst();
  let opened: StoreFile = watchStoreFile(file);
  let isClosed = false;
  let rescuing: Promise<void> | undefined;
  let rescueAt = 0;
  let rescued: string | undefined;
  /** Failed while its file was gone; kept for reads and the rescue copy until the file is back. */
  let failedWhileGone: Connection | undefined;
  const timer = setInterval(() => void fileProblem(), storeFileLimits.checkEveryMs).unref();

  /** A full or read-only disk still serves reads. */
  function openFirst(): Connection {
    try {
      return deps.open();
    } catch (error) {
      const why = whyReadOnly(error);
      const reading = why === undefined || !existsSync(file) ? undefined : openForReading();
      if (reading === undefined) throw error;
      readOnlyWhy = why;
      log.error({ reason: readOnlyWhy }, 'the store cannot be written; only reads are served');
      return reading;
    }
  }

  /** Undefined if the file cannot even be read: the reason why it cannot be written is then the one to report. */
  function openForReading(): Connection | undefined {
    try {
      return deps.openReadOnly();
    } catch {
      return undefined;
    }
  }

  /** Opens the file for writing when that has become possible. */
  function upgrade(): void {
    if (readOnlyWhy === undefined || performance.now() < upgradeAt) return;
    upgradeAt = performance.now() + storeFileLimits.upgradeRetryMs;
    try {
      const writable = deps.open();
      connection?.close();
      connection = writable;
    } catch (error) {
      readOnlyWhy = whyReadOnly(error) ?? readOnlyWhy;
      return;
    }
    readOnlyWhy = undefined;
    opened = watchStoreFile(file);
    deps.reopened(connection);
    log.info({}, 'the store can be written again');
  }

  function rescue(on: Connection): void {
    if (rescued !== undefined || rescuing !== undefined || performance.now() < rescueAt) return;
    rescueAt = performance.now() + storeFileLimits.rescueRetryMs;
    rescuing = writeRescueCopy(on.db, file, opened.seenAt)
      .then(
        (name) => {
          rescued = name;
          log.error({ rescue: name }, 'the store refuses writes; a copy of everything it holds is next to it');
        },
        (error: unknown) => log.error({ reason: String(error) }, 'could not write a rescue copy of the store'),
      )
      .finally(() => {
        rescuing = undefined;
      });
  }

  /** The open connection still holds everything, so a copy is written as soon as its file is gone. */
  function fileProblem(): string | undefined {
    if (readOnlyWhy !== undefined) return readOnlyWhy;
    const problem = opened.problem();
    if (problem === undefined) {
      rescued = undefined;
      if (failedWhileGone !== undefined) giveUp(failedWhileGone);
      failedWhileGone = undefined;
    } else if (connection !== undefined) rescue(connection);
    return problem;
  }

  function giveUp(failed: Connection): void {
    if (connection === failed) connection = undefined;
    try {
      failed.close();
    } catch (error) {
      log.warn({ reason: String(error) }, 'could not close a failed connection');
    }
  }

  function diskProblem(): string | undefined {
    try {
      const { bavail, bsize } = statfsSync(dirname(file));
      return bavail * bsize < storeFileLimits.freeBytes ? 'the disk is full' : undefined;
    } catch {
      return undefined;
    }
  }

  function refuse(why: string): never {
    throw faults.STORE_UNAVAILABLE({ why: rescued === undefined ? why : `${why} (${rescued})` });
  }

  /** After a failed commit, reopens the file and checks it before anything is written again. */
  function reopen(): Connection {
    const problem = opened.mainProblem();
    // Opening it would create an empty store, or use another one.
    if (problem !== undefined) refuse(problem);
    const fresh = deps.open();
    let verdict: unknown;
    try {
      verdict = fresh.db.pragma('quick_check(1)', { simple: true });
    } catch (error) {
      fresh.close();
      throw toStoreFault(error);
    }
    if (verdict !== 'ok') {
      fresh.close();
      throw faults.STORE_UNAVAILABLE({ why: `its file is damaged (${String(verdict)}): restore a backup` });
    }
    opened = watchStoreFile(file);
    deps.reopened(fresh);
    return fresh;
  }

  function connect(): Connection {
    if (isClosed) throw faults.SHUTTING_DOWN();
    connection ??= reopen();
    return connection;
  }

  return {
    connect,
    connectForWrite() {
      connect();
      upgrade();
      const problem = fileProblem();
      if (problem !== undefined) refuse(problem);
      return connect();
    },
    isInPlace: () => fileProblem() === undefined,
    discard(failed) {
      // Closing the connection of a deleted file would delete the data for good.
      const isGone = readOnlyWhy === undefined && fileProblem() !== undefined;
      if (connection === failed && isGone && endTransaction(failed)) failedWhileGone = failed;
      else giveUp(failed);
    },
    current: () => connection,
    problem() {
      if (isClosed) return 'it is closed';
      upgrade();
      return fileProblem() ?? diskProblem();
    },
    async close() {
      clearInterval(timer);
      rescueAt = 0;
      fileProblem();
      await rescuing;
      isClosed = true;
      connection?.close();
      connection = undefined;
    },
  };
}
