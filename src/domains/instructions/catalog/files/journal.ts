import { renameSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '#kernel/fault/fault.ts';
import { limits } from '#kernel/limits.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Step, Writer } from '#kernel/storage/port.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import {
  closeJournal,
  deleteGivenUp,
  giveUpJournal,
  type JournalRow,
  listBatch,
  listOpenBefore,
} from '../catalog-store.ts';
import { etagOf } from '../entry-json.ts';
import type { SourceDeps } from '../entry-source.ts';
import type { EntryFiles } from './entry-files.ts';
import { errorCodeOf } from './file-errors.ts';
import { fileNameOf } from './folder-names.ts';
import { type FileReadResult, readEntryFile } from './read-file.ts';
import { touchVersion } from './version-file.ts';
import { createTemporaryFile, type FlushMode, linkNewFile, retryWhileLocked, type WriteRetries } from './write-file.ts';

/** null when the file does not exist, `unreadable` when it is not a regular file. */
export function etagOfRead(found: FileReadResult): string | null {
  if (found.kind === 'absent') return null;
  return found.kind === 'bytes' ? etagOf(found.bytes) : 'unreadable';
}

export const etagOnDisk = (folder: string, file: string): string | null => etagOfRead(readEntryFile(folder, file));

/** The file is neither in the state before the change nor in the state after it. */
export class FileChangedError extends Error {
  readonly id: string;

  constructor(id: string) {
    super(`${id} was changed by another writer`);
    this.id = id;
  }
}

export type FileChange = Pick<JournalRow, 'id' | 'before_etag' | 'after_etag' | 'document'>;

export interface FileWriter extends WriteRetries {
  readonly folder: string;
  readonly files: EntryFiles;
  readonly log: Log;
  flushMode(): FlushMode;
  flushFolder(folder: string, how: FlushMode): Promise<void>;
}

/**
 * Replaces one file. The check and the rename run synchronously; repeating it, even in another process, has the same
 * result. `temporary` holds the new bytes, flushed. Returns whether it was consumed.
 */
export async function installFile(
  { folder, files, ...retries }: FileWriter,
  change: FileChange,
  temporary: string | undefined,
): Promise<boolean> {
  const file = fileNameOf(change.id);
  const path = join(folder, file);
  let isUsedUp = false;
  await retryWhileLocked(() => {
    const present = etagOnDisk(folder, file);
    if (present === change.after_etag) return;
    if (present !== change.before_etag) throw new FileChangedError(change.id);
    files.withOwnChange(() => {
      if (temporary === undefined) unlinkSync(path);
      else if (change.before_etag === null) linkNewFile(temporary, path);
      else renameSync(temporary, path);
    }, 'folder');
    isUsedUp = true;
  }, retries).catch((error: unknown) => {
    // The file appeared or vanished between the check and the rename.
    if (errorCodeOf(error) === 'EEXIST' || errorCodeOf(error) === 'ENOENT') throw new FileChangedError(change.id);
    throw error;
  });
  return isUsedUp;
}

/** Writes and flushes the new bytes to a temporary file; undefined for a removal. */
export async function stageFile(
  { folder, files, flushMode }: FileWriter,
  document: string | null,
): Promise<string | undefined> {
  if (document === null) return undefined;
  const temporary = files.withOwnChange(() => createTemporaryFile(folder, document), 'folder');
  try {
    await temporary.flush(flushMode());
  } catch (error) {
    rmSync(temporary.path, { force: true });
    throw error;
  }
  return temporary.path;
}

export const discardTemporaries = ({ files }: FileWriter, temporaries: readonly (string | undefined)[]): void => {
  const left = temporaries.filter((path) => path !== undefined);
  if (left.length === 0) return;
  files.withOwnChange(() => {
    for (const path of left) rmSync(path, { force: true });
  }, 'folder');
};

type RowOutcome = 'done' | 'moved';

/** Finishes a change that a killed process left open. */
async function finishRow(writer: FileWriter, row: JournalRow): Promise<RowOutcome> {
  const present = etagOnDisk(writer.folder, fileNameOf(row.id));
  if (present === row.after_etag) return 'done';
  if (present !== row.before_etag) return 'moved';
  const temporary = await stageFile(writer, row.document);
  try {
    await installFile(writer, row, temporary);
    return 'done';
  } catch (error) {
    if (error instanceof FileChangedError) return 'moved';
    throw error;
  } finally {
    discardTemporaries(writer, [temporary]);
  }
}

export interface RecoveryDeps extends SourceDeps {
  readonly writer: FileWriter;
  /** Batches that this process is committing. */
  readonly ownBatches: ReadonlySet<string>;
}

const dayMs = 86_400_000;

const first = { batch: '', id: '' };

export function createRecovery(deps: RecoveryDeps) {
  const { storage, calls, tenant, log, sink, writer, ownBatches } = deps;

  async function strictly(work: (db: Writer) => Step<unknown>): Promise<boolean> {
    await storage.write(calls.internal(tenant), work);
    return true;
  }

  /** A store that cannot be written must not prevent reads. False if it failed; the next sweep tries again. */
  async function quietly(work: (db: Writer) => Step<unknown>): Promise<boolean> {
    try {
      return await strictly(work);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      log.warn({ reason: error.message }, 'could not update the journal of instruction changes; the next sweep does');
      return false;
    }
  }

  async function finish(rows: readonly JournalRow[], write = strictly): Promise<void> {
    const left = rows.filter(({ batch, state }) => state === 'open' && !ownBatches.has(batch));
    if (left.length === 0) return;
    const done: JournalRow[] = [];
    const moved: JournalRow[] = [];
    for (const row of left) ((await finishRow(writer, row)) === 'done' ? done : moved).push(row);
    writer.files.withOwnChange(() => touchVersion(writer.folder));
    await writer.flushFolder(writer.folder, writer.flushMode());
    const isClosed = await write(function* (db) {
      for (const row of done) yield* closeJournal(db, row);
      for (const row of moved) yield* giveUpJournal(db, row);
    });
    if (!isClosed) return;
    log.info({ done: done.map(({ id }) => id) }, 'finished instruction changes that were left open');
    for (const { id } of moved) {
      log.warn({ id }, 'gave up an instruction change: another writer changed the file');
    }
    writer.files.examine(left.map(({ id }) => fileNameOf(id)));
    sink.reconcile(left.map(({ id }) => id));
  }

  return {
    /** Finishes rows that were opened before this time. */
    async finishBefore(at: number) {
      for (let after: Pick<JournalRow, 'batch' | 'id'> = first; ; ) {
        const rows = await storage.read(calls.internal(tenant), (db) =>
          listOpenBefore(db, at, after, instructionLimits.journalRowsCount),
        );
        await finish(rows, quietly);
        if (rows.length < instructionLimits.journalRowsCount) break;
        after = rows.at(-1)!;
      }
    },
    /** Rows are kept as long as idempotency keys: later a repeated request is a new one. */
    async forgetGivenUp() {
      await quietly((db) => deleteGivenUp(db, db.now - limits.idempotencyKeyDays * dayMs));
    },
    async finishBatch(batch: string) {
      const rows = await storage.read(calls.internal(tenant), (db) => listBatch(db, batch));
      await finish(rows);
    },
  };
}
