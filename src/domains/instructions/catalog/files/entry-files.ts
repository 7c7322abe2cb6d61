import { renameSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { instructionLimits } from '../../instruction-limits.ts';
import type { CatalogEntry, CatalogProblem } from '../catalog.ts';
import { etagOf, parseEntry } from '../entry-json.ts';
import type { SourceDeps, StoredFile } from '../entry-source.ts';
import { runInSlices, sortInSlices } from '../time-slices.ts';
import { backoffMs, errorCodeOf, toFolderFault } from './file-errors.ts';
import { fileNameOf, idOfFile, isEntryFile, isTemporaryName, versionFile } from './folder-names.ts';
import {
  type FileBytes,
  type FileReadResult,
  fileSignature,
  folderSignature,
  isSameFile,
  readAt,
  readListed,
  type Signature,
  statFile,
} from './read-file.ts';
import { createServedFiles, describeRival } from './served-files.ts';

export interface EntryFilesDeps extends Pick<SourceDeps, 'clock' | 'log' | 'sink' | 'canonicalOff' | 'closing'> {
  readonly folder: string;
  readonly readRetries: number;
  readonly readBackoffMs: number;
}

interface TrackedFile extends Signature {
  readonly etag: string;
  /** A file that changed a moment ago may change again without a new timestamp. */
  readonly isSettled: boolean;
}

type FileStamp = Pick<FileBytes, 'signature' | 'modifiedAt'>;

export type EntryFiles = ReturnType<typeof createEntryFiles>;

const none: readonly string[] = [];
const noNames: ReadonlySet<string> = new Set();

/** Tracks the files of one folder and reports the differences. */
export function createEntryFiles(deps: EntryFilesDeps) {
  const { folder, sink, clock } = deps;
  const versionPath = join(folder, versionFile);
  /** Joined once: file names need no normalising. */
  const prefix = versionPath.slice(0, -versionFile.length);
  const tracked = new Map<string, TrackedFile>();
  const held = new Map<string, number>();
  const written = new Map<string, FileStamp & { readonly kept: CatalogEntry }>();
  const served = createServedFiles();
  let folderSeen = '';
  let versionSeen = 'absent';

  const isSettled = (changedAt: number): boolean => clock.now() - changedAt > instructionLimits.settleMs;

  interface ScanChanges {
    readonly entries: Map<string, CatalogEntry | undefined>;
    readonly problems: Map<string, CatalogProblem | undefined>;
    readonly unfinished: string[];
  }
  const noChanges = (): ScanChanges => ({ entries: new Map(), problems: new Map(), unfinished: [] });

  /** The entry of this file is not served any more. The next sweep reads the files that wait for its id. */
  function release(name: string, changes: ScanChanges): void {
    const rivals = served.release(name);
    if (rivals === undefined) return;
    changes.entries.set(idOfFile(name), undefined);
    for (const rival of rivals) tracked.delete(rival);
  }

  function forget(name: string, changes: ScanChanges): void {
    tracked.delete(name);
    release(name, changes);
    changes.problems.set(name, undefined);
  }

  function reject(name: string, problem: string, known: TrackedFile, changes: ScanChanges): void {
    tracked.set(name, known);
    release(name, changes);
    changes.problems.set(name, { file: name, problem });
  }

  /** Whether this file serves its id. */
  function claim(name: string, signature: Signature, changes: ScanChanges): boolean {
    const id = idOfFile(name);
    const { holder, displaced } = served.claim(name, (other) => tracked.has(other));
    const loser = displaced ?? name;
    if (displaced !== undefined || holder !== undefined) {
      changes.problems.set(loser, { file: loser, problem: describeRival(id, holder ?? name) });
    }
    if (holder !== undefined) tracked.set(name, { ...signature, etag: '', isSettled: true });
    return holder === undefined;
  }

  interface ScanOptions {
    /** Also reports files whose bytes did not change. */
    readonly isForced: boolean;
    /** Also reports files that look half written. */
    readonly isLast: boolean;
  }

  const readForced = (name: string, changes: ScanChanges, buffer: Buffer | undefined): void => {
    const path = prefix + name;
    const found = buffer === undefined ? readAt(path, statFile(path)) : readListed(path, buffer);
    applyRead(name, found, changes, { isForced: true, isLast: false });
  };

  function applyRead(name: string, found: FileReadResult, changes: ScanChanges, manner: ScanOptions): void {
    if (found.kind === 'absent') {
      forget(name, changes);
      return;
    }
    if (!claim(name, found.signature, changes)) return;
    if (found.kind === 'bytes') applyBytes(name, found, changes, manner);
    else if (found.isTransient === undefined) {
      reject(name, found.problem, { ...found.signature, etag: '', isSettled: true }, changes);
    } else if (!manner.isLast) changes.unfinished.push(name);
    else {
      // Keeps the last known entry; the next check tries again.
      tracked.set(name, { ...found.signature, etag: '', isSettled: false });
      changes.problems.set(name, { file: name, problem: found.problem });
    }
  }

  function applyBytes(name: string, found: FileBytes, changes: ScanChanges, manner: ScanOptions): void {
    const { bytes, signature, modifiedAt } = found;
    const { ino, size, mtimeMs, ctimeMs } = signature;
    const id = idOfFile(name);
    const known = { ino, size, mtimeMs, ctimeMs, etag: etagOf(bytes), isSettled: isSettled(modifiedAt) };
    if (!manner.isForced && tracked.get(name)?.etag === known.etag) {
      tracked.set(name, known);
      return;
    }
    const { etag } = known;
    const parsed = parseEntry(bytes, { id, modifiedAt, canonicalOff: deps.canonicalOff, etag });
    if (parsed.item !== undefined) {
      tracked.set(name, known);
      changes.entries.set(id, name === fileNameOf(id) ? parsed.item : { ...parsed.item, file: name });
      changes.problems.set(name, undefined);
      return;
    }
    const mayBeUnfinished = parsed.mayBeUnfinished && clock.now() - modifiedAt < instructionLimits.freshMs;
    if (mayBeUnfinished && !manner.isLast) changes.unfinished.push(name);
    else reject(name, parsed.problem, known, changes);
  }

  function applyWritten(name: string, changes: ScanChanges): void {
    const stat = statFile(prefix + name);
    const mine = written.get(name);
    written.delete(name);
    if (mine === undefined || stat === undefined || !isSameFile(mine.signature, stat)) {
      applyRead(name, readAt(prefix + name, stat), changes, { isForced: true, isLast: true });
      return;
    }
    const { kept, signature, modifiedAt } = mine;
    tracked.set(name, { ...signature, etag: kept.etag, isSettled: isSettled(modifiedAt) });
    changes.entries.set(idOfFile(name), kept);
    changes.problems.set(name, undefined);
  }

  function examineOne(name: string, changes: ScanChanges, isLast: boolean): void {
    if (held.has(name)) return;
    const stat = statFile(prefix + name);
    const known = tracked.get(name);
    if (stat === undefined) {
      if (known !== undefined) forget(name, changes);
      return;
    }
    if (known?.isSettled && isSameFile(known, stat)) return;
    applyRead(name, readAt(prefix + name, stat), changes, { isForced: false, isLast });
  }

  function publish(changes: ScanChanges): void {
    if (changes.entries.size + changes.problems.size === 0) return;
    sink.apply(changes);
    sink.reconcile(changes.entries.keys());
  }

  function examine(names: Iterable<string>, isLast = false): readonly string[] {
    const changes = noChanges();
    for (const name of names) if (isEntryFile(name)) examineOne(name, changes, isLast);
    publish(changes);
    return changes.unfinished;
  }

  function examineSingle(name: string): readonly string[] {
    if (held.has(name)) return none;
    const known = tracked.get(name);
    const stat = statFile(prefix + name);
    if (stat !== undefined && known?.isSettled && isSameFile(known, stat)) return none;
    return stat === undefined && known === undefined ? none : examine([name]);
  }

  async function examineAgain(names: readonly string[]): Promise<void> {
    let left = names;
    for (let round = 1; left.length > 0; round += 1) {
      if (round <= deps.readRetries) await pause(backoffMs(deps.readBackoffMs, round - 1));
      left = examine(left, round >= deps.readRetries);
    }
  }

  async function listFolder<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
    try {
      return await read();
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT') return [];
      throw toFolderFault(error);
    }
  }

  const namesInFolder = async () => sortInSlices(await listFolder(() => readdir(folder)), deps.closing);

  /** The listing already names the regular files, so that reading them needs no stat. */
  async function namesToRead(): Promise<{ readonly names: Iterable<string>; readonly regular: ReadonlySet<string> }> {
    const found = await listFolder(() => readdir(folder, { withFileTypes: true }));
    const regular = new Set<string>();
    for (const one of found) if (one.isFile()) regular.add(one.name);
    const names = found.map(({ name }) => name);
    return { names: await sortInSlices(names, deps.closing), regular };
  }

  /** Removes the temporary file of a killed process. */
  function removeLeftover(name: string): void {
    const path = prefix + name;
    const stat = statFile(path);
    if (stat !== undefined && clock.now() - stat.mtimeMs > instructionLimits.leftoverMs) rmSync(path, { force: true });
  }

  async function sweep(isForced: boolean): Promise<void> {
    const folderBefore = folderSignature(folder);
    const versionBefore = fileSignature(versionPath);
    const { names, regular } = isForced ? await namesToRead() : { names: await namesInFolder(), regular: noNames };
    const gone = new Set(tracked.keys());
    const buffer = Buffer.allocUnsafeSlow(isForced ? instructionLimits.readBufferBytes : 0);
    let changes = noChanges();
    const unfinished: string[] = [];
    const endSlice = () => {
      unfinished.push(...changes.unfinished);
      publish(changes);
      changes = noChanges();
    };
    await runInSlices(
      names,
      (name) => {
        gone.delete(name);
        if (isTemporaryName(name)) removeLeftover(name);
        if (!isEntryFile(name) || held.has(name)) return;
        // The bytes are not kept, so one buffer serves thousands of files.
        if (isForced) readForced(name, changes, regular.has(name) ? buffer : undefined);
        else examineOne(name, changes, false);
      },
      endSlice,
      deps.closing,
    );
    unfinished.push(...examine(gone));
    await examineAgain(unfinished);
    folderSeen = folderBefore;
    versionSeen = versionBefore;
  }

  return {
    /** Checks these files and reports changes. Returns the files that look half written, to be checked again. */
    examine: (wanted: Iterable<string>): readonly string[] => examine(wanted),
    /** The same for one file, as cheap as possible. */
    examineOne: examineSingle,
    /** Checks half-written files again a few times, then reports those that still are. */
    examineAgain,
    /** The entry on disk, whatever was reported before. */
    readCurrent(name: string): CatalogEntry | undefined {
      const stat = statFile(prefix + name);
      if (stat === undefined) return undefined;
      const known = tracked.get(name);
      if (known?.isSettled && !held.has(name) && isSameFile(known, stat)) return sink.find(idOfFile(name));
      const found = readAt(prefix + name, stat);
      if (found.kind === 'rejected' && found.isTransient) return sink.find(idOfFile(name));
      if (found.kind !== 'bytes') return undefined;
      const { modifiedAt } = found;
      return parseEntry(found.bytes, { id: idOfFile(name), modifiedAt, canonicalOff: deps.canonicalOff }).item;
    },
    /** Notes a file that this process wrote and read back, so that `publishWritten` need not read it again. */
    noteWritten(name: string, { signature, modifiedAt }: FileStamp, kept: CatalogEntry) {
      written.set(name, { signature, modifiedAt, kept });
    },
    /** Reports files that this process wrote. The audit trail and the index have recorded them already. */
    publishWritten(wanted: Iterable<string>) {
      const changes = noChanges();
      for (const name of wanted) applyWritten(name, changes);
      sink.apply(changes);
    },
    /** Checks all files in time slices. `isForced` also reads those that did not change. */
    sweep,
    /**
     * Runs our own change without marking the folder as changed by others. `folder`: it does not touch the version file.
     */
    withOwnChange<T>(work: () => T, touches?: 'folder'): T {
      const folderBefore = folderSignature(folder);
      const versionBefore = touches === 'folder' ? undefined : fileSignature(versionPath);
      try {
        return work();
      } finally {
        if (folderBefore === folderSeen) folderSeen = folderSignature(folder);
        if (versionBefore === versionSeen) versionSeen = fileSignature(versionPath);
      }
    },
    /** Skips this file in checks until the returned function is called: our own change is in progress. */
    hold(name: string): () => void {
      held.set(name, (held.get(name) ?? 0) + 1);
      return () => {
        const left = (held.get(name) ?? 1) - 1;
        if (left === 0) held.delete(name);
        else held.set(name, left);
      };
    },
    /** The file of an entry, which may have the name that another program gave it. */
    fileOf: served.fileOf,
    /** Gives the file of an entry the name that this program writes. */
    rename(id: string) {
      if (served.fileOf(id) === fileNameOf(id) || statFile(prefix + fileNameOf(id)) !== undefined) return;
      for (const name of served.rename(id, (from, to) => renameSync(prefix + from, prefix + to))) tracked.delete(name);
    },
    /** Known files, valid or not. */
    count: () => tracked.size,
    /** Whether the folder or the version file changed since the last sweep; `vanished`: the version file was deleted. */
    detectChange(): 'no' | 'yes' | 'vanished' {
      const version = fileSignature(versionPath);
      if (version === 'absent' && versionSeen !== 'absent') return 'vanished';
      return version === versionSeen && folderSignature(folder) === folderSeen ? 'no' : 'yes';
    },
    async list(): Promise<readonly StoredFile[]> {
      const files: StoredFile[] = [];
      await runInSlices(
        await namesInFolder(),
        (file) => {
          if (!isEntryFile(file)) return;
          const stat = statFile(prefix + file);
          if (stat !== undefined) files.push({ file, bytes: stat.size, modifiedAt: Math.floor(stat.mtimeMs) });
        },
        () => {},
        deps.closing,
      );
      return files;
    },
  };
}
