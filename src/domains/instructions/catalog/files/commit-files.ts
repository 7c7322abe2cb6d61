import { randomUUID } from 'node:crypto';
import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { putInTrash, takeFromTrash } from '#kernel/storage/trash.ts';
import { dropVersion } from '../../history/version-store.ts';
import { instructionTopic } from '../../instruction-ids.ts';
import { reopenProposal } from '../../proposals/proposal-store.ts';
import { closeBatch, giveUpJournal, insertJournal, listBatch, listOpenOf, listSeenOf } from '../catalog-store.ts';
import { changedByOther } from '../entry-json.ts';
import type { PreparedChange, SourceDeps } from '../entry-source.ts';
import { type RecordedChange, recordChanges, versionEtag } from '../record-changes.ts';
import { toFolderFault } from './file-errors.ts';
import { fileNameOf } from './folder-names.ts';
import {
  discardTemporaries,
  etagOfRead,
  etagOnDisk,
  type FileChange,
  FileChangedError,
  type FileWriter,
  installFile,
  stageFile,
} from './journal.ts';
import { readEntryFile } from './read-file.ts';
import { touchVersion } from './version-file.ts';
import { createTemporaryFile, type TemporaryFile } from './write-file.ts';

export interface CommitDeps extends SourceDeps {
  readonly writer: FileWriter;
  /** Finishes the open journal rows of a repeated request. */
  finish(batch: string): Promise<void>;
}

interface StagedChange extends RecordedChange {
  readonly file: FileChange;
  /** The new bytes, until they are in place. */
  temporary: string | undefined;
  /** The replaced bytes, for undoing. */
  documentBefore: string | undefined;
  /** Of the recorded version, for undoing. */
  versionNumber: number;
}

const toFileChange = ({ id, before, after }: PreparedChange): FileChange => ({
  id,
  before_etag: before,
  after_etag: after?.etag ?? null,
  document: after?.text ?? null,
});

export function createFileCommit(deps: CommitDeps) {
  const { storage, calls, tenant, log, writer } = deps;
  const { folder, files } = writer;

  /** The text on disk; throws CONFLICT when it is not the text that the change is based on. */
  function readBefore({ id, before }: PreparedChange): string | undefined {
    const found = readEntryFile(folder, fileNameOf(id));
    if (etagOfRead(found) !== before) throw changedByOther(id);
    return found.kind === 'bytes' ? found.bytes.toString('utf8') : undefined;
  }

  /** Reads the files under the store's write lock: of two processes that change the same entry, one gets a CONFLICT. */
  function* decide(db: Writer, call: Call, batch: string, staged: readonly StagedChange[]): Work<string> {
    const ids = staged.map(({ id }) => id);
    for (const { id, after_etag } of yield* listOpenOf(db, ids)) {
      if (etagOnDisk(folder, fileNameOf(id)) !== after_etag) throw changedByOther(id);
    }
    for (const one of staged) one.documentBefore = readBefore(one);
    for (const { file } of staged) yield* insertJournal(db, { batch, ...file });
    const numbers = yield* recordChanges(db, call, deps, staged);
    for (const one of staged) one.versionNumber = numbers.get(one.id) ?? 0;
    return batch;
  }

  /** Undoes the whole batch. The journal records it first, then the files are put back. */
  async function giveUp(
    call: Call,
    batch: string,
    staged: readonly StagedChange[],
    done: readonly StagedChange[],
  ): Promise<void> {
    await storage.write(calls.internal(tenant), function* (db) {
      for (const change of staged) {
        const { id, after, fromArchive, proposal } = change;
        yield* giveUpJournal(db, { batch, id });
        yield* dropVersion(db, { id, number: change.versionNumber, etag: versionEtag(change) });
        if (proposal !== undefined) yield* reopenProposal(db, proposal.proposalId);
        if (after === null) yield* takeFromTrash(db, instructionTopic, id);
        else if (fromArchive) yield* putInTrash(db, instructionTopic, id, after.text, call.actor);
      }
    });
    for (const { file, documentBefore } of done) {
      const back = { ...file, before_etag: file.after_etag, after_etag: file.before_etag };
      const temporary = await stageFile(writer, documentBefore ?? null);
      await installFile(writer, back, temporary).catch((error: unknown) => {
        log.warn({ id: file.id, reason: String(error) }, 'could not restore the previous version of an instruction');
      });
      discardTemporaries(writer, [temporary]);
    }
    await writer.flushFolder(folder, writer.flushMode());
  }

  /** Every change is recorded in the store first, so a different file may be the next change by another process. */
  async function isChangedSince({ id, file }: StagedChange): Promise<boolean> {
    const [seen] = await storage.read(calls.internal(tenant), (db) => listSeenOf(db, [id]));
    return (seen?.etag ?? null) !== file.after_etag;
  }

  async function readBack(change: StagedChange): Promise<void> {
    const { id, file, after } = change;
    const found = readEntryFile(folder, fileNameOf(id));
    if (etagOfRead(found) === file.after_etag) {
      if (found.kind === 'bytes' && after !== null) {
        const { text: _text, ...kept } = after;
        files.noteWritten(fileNameOf(id), found, kept);
      }
      return;
    }
    if (await isChangedSince(change)) return;
    throw faults.INTEGRITY_ERROR({ why: `${id} did not read back from disk as written` }, { id });
  }

  async function install(call: Call, batch: string, staged: readonly StagedChange[]): Promise<void> {
    const done: StagedChange[] = [];
    try {
      for (const change of staged) {
        if (await installFile(writer, change.file, change.temporary)) change.temporary = undefined;
        done.push(change);
        await readBack(change);
      }
    } catch (error) {
      await giveUp(call, batch, staged, done);
      call.effect?.commitUndone();
      if (error instanceof FileChangedError) throw changedByOther(error.id);
      throw error instanceof Fault ? error : toFolderFault(error);
    }
    try {
      files.withOwnChange(() => touchVersion(folder));
      await writer.flushFolder(folder, writer.flushMode());
    } catch (error) {
      // The journal row is still open: a later sweep or the next process finishes it.
      throw faults.OUTCOME_UNKNOWN(undefined, {}, { cause: error });
    }
  }

  /** Creates all files before it flushes them together: creating a file waits while the disk flushes. */
  async function stageAll(changes: readonly PreparedChange[]): Promise<readonly StagedChange[]> {
    const opened: TemporaryFile[] = [];
    try {
      const staged = files.withOwnChange(
        () =>
          changes.map((change): StagedChange => {
            const temporary = change.after === null ? undefined : createTemporaryFile(folder, change.after.text);
            if (temporary !== undefined) opened.push(temporary);
            const unknown = { documentBefore: undefined, versionNumber: 0 };
            return { ...change, ...unknown, file: toFileChange(change), temporary: temporary?.path };
          }),
        'folder',
      );
      const flushed = await Promise.allSettled(opened.map((temporary) => temporary.flush(writer.flushMode())));
      const failed = flushed.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return staged;
    } catch (error) {
      for (const temporary of opened) temporary.close();
      discardTemporaries(
        writer,
        opened.map(({ path }) => path),
      );
      throw toFolderFault(error);
    }
  }

  /** An earlier request with this key made the changes: finishes what is left and does not repeat them. */
  async function repeat(call: Call, batch: string): Promise<void> {
    await deps.finish(batch);
    const rows = await storage.read(call, (db) => listBatch(db, batch));
    const [givenUp] = rows.filter(({ state }) => state === 'given-up');
    if (givenUp !== undefined) throw changedByOther(givenUp.id);
  }

  function close(batch: string): Promise<unknown> {
    return storage
      .write(calls.cleanup(tenant), (db) => closeBatch(db, batch))
      .catch((error: unknown) => {
        // The files are durable; the next recovery closes the row.
        log.warn({ reason: String(error) }, 'could not close a journal row; the next recovery closes it');
      });
  }

  /** Returns false when an earlier request with the same key had made the changes. */
  return async function commit(call: Call, changes: readonly PreparedChange[], batchOpened: (batch: string) => void) {
    // Detects a full disk before anything is decided.
    const staged = await stageAll(changes);
    const batch = randomUUID();
    batchOpened(batch);
    try {
      const decided = await storage.write(call, (db) => decide(db, call, batch, staged));
      if (decided !== batch) {
        await repeat(call, decided);
        return false;
      }
      await install(call, batch, staged);
      await close(batch);
      return true;
    } finally {
      discardTemporaries(
        writer,
        staged.map(({ temporary }) => temporary),
      );
    }
  };
}
