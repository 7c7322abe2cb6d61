import { type FSWatcher, statSync, watch } from 'node:fs';
import { Fault } from '#kernel/fault/fault.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import type { CatalogEntry } from '../catalog.ts';
import { etagOf, parseStoredJson } from '../entry-json.ts';
import type { EntrySource, SourceDeps } from '../entry-source.ts';
import { createFileCommit } from './commit-files.ts';
import { createEntryFiles } from './entry-files.ts';
import { errorCodeOf, toFolderFault } from './file-errors.ts';
import { fileNameOf, isEntryFile } from './folder-names.ts';
import { readGitAuthors } from './git-authors.ts';
import { createRecovery, type FileWriter } from './journal.ts';
import { openFolder, readEntryFile } from './read-file.ts';
import { flushFolder } from './write-file.ts';

/** Only a hint: some file systems report no changes, so a folder that cannot be watched is not an error. */
function createFolderWatch(folder: string, moved: (name: string | null) => void) {
  let watcher: FSWatcher | undefined;
  let watched = '';

  function detach(): void {
    watcher?.close();
    watcher = undefined;
    watched = '';
  }

  return {
    /** Watches the current folder; call again when another one took its place. */
    attach(inode: string) {
      if (inode === watched) return;
      detach();
      watched = inode;
      try {
        watcher = watch(folder, { persistent: false }, (_event, name) => moved(name));
        watcher.on('error', detach);
      } catch {
        watcher = undefined;
      }
    },
    close: detach,
  };
}

export interface FolderOptions {
  /** How often a half-written file is read again. */
  readonly readRetries: number;
  readonly readBackoffMs: number;
  /** How often a locked file is tried again. */
  readonly writeRetries: number;
  readonly writeBackoffMs: number;
  /** For tests: how long an edit that was not announced may stay unseen. */
  readonly sweepEveryMs?: number;
  /** For tests: a disk that fails. */
  readonly flushFolder?: typeof flushFolder;
}

export interface FilesSourceDeps extends SourceDeps, FolderOptions {
  readonly folder: string;
}

const none: readonly string[] = [];

/** Replaces errors of the disk, which contain paths, by our own fault. */
const toFault = (error: unknown): unknown =>
  error instanceof Fault || errorCodeOf(error) === '' ? error : toFolderFault(error);

async function withFolder(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw toFault(error);
  }
}

/** One JSON file per entry. The files are the authority: whatever they contain is served. */
export function createFilesSource(deps: FilesSourceDeps): EntrySource {
  const { folder, clock, sink, closing, writeRetries, writeBackoffMs } = deps;
  const sweepEveryMs = deps.sweepEveryMs ?? instructionLimits.sweepEveryMs;
  const files = createEntryFiles(deps);
  let changingCount = 0;
  const writer: FileWriter = {
    folder,
    files,
    log: deps.log,
    writeRetries,
    writeBackoffMs,
    flushMode: () => (changingCount <= 1 ? 'sync' : 'async'),
    flushFolder: deps.flushFolder ?? flushFolder,
  };
  const ownBatches = new Set<string>();
  const recovery = createRecovery({ ...deps, writer: writer, ownBatches });
  const commitFiles = createFileCommit({ ...deps, writer: writer, finish: (batch) => recovery.finishBatch(batch) });

  const dirty = new Set<string>();
  const folderWatch = createFolderWatch(folder, (name) => {
    if (name === null) sweptAt = Number.NEGATIVE_INFINITY;
    else if (isEntryFile(name)) dirty.add(name);
  });
  let sweptAt = Number.NEGATIVE_INFINITY;
  let sweepMs = 0;
  let sweeping: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function attach(): void {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat !== undefined) folderWatch.attach(String(stat.ino));
  }

  async function sweepOnce(isForced: boolean): Promise<void> {
    const startedAt = performance.now();
    attach();
    // On the first sweep this process cannot have a commit in progress. Later, only rows that stayed open for a while
    // are safe to finish.
    const openBefore = isForced ? clock.now() : clock.now() - instructionLimits.journalOpenMs;
    await recovery.finishBefore(openBefore).catch((error: unknown) => {
      // A full or failing disk must not prevent reads; the next sweep tries again.
      if (error instanceof Fault || errorCodeOf(error) === '') throw error;
      deps.log.warn(
        { reason: errorCodeOf(error) },
        'could not finish open instruction changes; the next sweep tries again',
      );
    });
    await files.sweep(isForced);
    sweptAt = performance.now();
    sweepMs = sweptAt - startedAt;
  }

  function sweep(isForced: boolean): Promise<void> {
    const begin = () => {
      const mine = sweepOnce(isForced).finally(() => {
        if (sweeping === mine) sweeping = undefined;
      });
      sweeping = mine;
      return mine;
    };
    if (sweeping === undefined) return begin();
    // A forced sweep must start after it was requested; any other can join the running one.
    return isForced ? sweeping.catch(() => {}).then(begin) : sweeping;
  }

  /** Sweeps ahead of time while the catalog is in use, so that requests do not wait for it. */
  function sweepAhead(): void {
    if (timer !== undefined || sweepEveryMs < instructionLimits.sweepEveryMs) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!closing.aborted)
        sweep(false).catch((error: unknown) =>
          deps.log.warn({ err: error }, 'could not sweep the instructions folder'),
        );
    }, instructionLimits.sweepAheadMs);
    timer.unref();
  }

  function examineAnnounced(): readonly string[] {
    const names = [...dirty];
    dirty.clear();
    return files.examine(names);
  }

  async function examineDirty(): Promise<void> {
    if (dirty.size === 0) return;
    const unfinished = examineAnnounced();
    if (unfinished.length > 0) await files.examineAgain(unfinished);
  }

  /** Leaves most of the time to others when a large folder changes constantly. */
  const hasRested = (): boolean =>
    files.count() <= instructionLimits.sweepAlwaysFilesCount ||
    performance.now() - sweptAt >= sweepMs * instructionLimits.sweepRestRatio;

  async function refresh(): Promise<void> {
    await examineDirty();
    const moved = files.detectChange();
    const isOverdue = performance.now() - sweptAt > sweepEveryMs;
    if (moved === 'vanished') await sweep(true);
    else if (isOverdue || (moved === 'yes' && hasRested())) await sweep(false);
    sweepAhead();
  }

  /** Checks one file, and the files that the watcher announced, synchronously. */
  function refreshEntry(id: string): Promise<void> | undefined {
    sweepAhead();
    try {
      const announced = dirty.size === 0 ? none : examineAnnounced();
      // The gates and owners files in the same folder are not entries.
      const own = isEntryFile(fileNameOf(id)) ? files.examineOne(files.fileOf(id)) : none;
      if (announced.length === 0 && own.length === 0) return undefined;
      return withFolder(() => files.examineAgain([...new Set([...announced, ...own])]));
    } catch (error) {
      throw toFault(error);
    }
  }

  /** Must not replace the outcome of the commit; the next sweep finds what is missing. */
  function publishWritten(names: readonly string[]): void {
    try {
      files.publishWritten(names);
    } catch (error) {
      sweptAt = Number.NEGATIVE_INFINITY;
      deps.log.warn({ reason: errorCodeOf(error) }, 'could not read written instructions back; the next sweep does');
    }
  }

  return {
    load: () =>
      withFolder(async () => {
        await sweep(true);
        await recovery.forgetGivenUp();
      }),
    refresh: () => withFolder(refresh),
    refreshEntry: (_call, id) => refreshEntry(id),
    sweepsInBackground: true,
    async storedJson(_call, id) {
      const found = readEntryFile(folder, files.fileOf(id));
      return found.kind === 'bytes' ? parseStoredJson(found.bytes) : undefined;
    },
    async commit(call, changes) {
      folderWatch.attach(openFolder(folder));
      const names = changes.map(({ id }) => fileNameOf(id));
      const releases = names.map((name) => files.hold(name));
      let own = '';
      changingCount += changes.length;
      try {
        for (const { id } of changes) files.withOwnChange(() => files.rename(id), 'folder');
        await commitFiles(call, changes, (batch) => {
          own = batch;
          ownBatches.add(batch);
        });
      } catch (error) {
        // Whatever happened, the audit trail and the index must match the files.
        sink.reconcile(changes.map(({ id }) => id));
        throw error;
      } finally {
        changingCount -= changes.length;
        ownBatches.delete(own);
        for (const release of releases) release();
        publishWritten(names);
      }
    },
    // biome-ignore lint/correctness/useYield: the entries are files; the transaction only keeps the store from changing.
    *readCurrent(_db, ids) {
      const present = new Map<string, CatalogEntry>();
      for (const id of ids) {
        const kept = files.readCurrent(files.fileOf(id));
        if (kept !== undefined) present.set(id, kept);
      }
      return present;
    },
    files: () => files.list(),
    async findAuthors(ids) {
      const found = ids.flatMap((id) => {
        const read = readEntryFile(folder, fileNameOf(id));
        return read.kind === 'bytes' ? [{ id, name: fileNameOf(id), bytes: read.bytes }] : [];
      });
      const authors = await readGitAuthors(folder, found, closing);
      return new Map(
        found.flatMap(({ id, name, bytes }) => {
          const author = authors.get(name);
          return author === undefined ? [] : [[id, { author, etag: etagOf(bytes) }] as const];
        }),
      );
    },
    async close() {
      clearTimeout(timer);
      folderWatch.close();
      await sweeping?.catch(() => {});
    },
  };
}
