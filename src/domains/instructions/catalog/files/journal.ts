import { renameSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#kernel/log/log.ts';
import type { JournalRow } from '../catalog-store.ts';
import { etagOf } from '../entry-text.ts';
import type { EntryFiles } from './entry-files.ts';
import { codeOf } from './error-code.ts';
import { fileOf } from './folder-names.ts';
import { type FileFound, readEntryFile } from './read-file.ts';
import { type Flushing, openTemporary, placeNew, retryHeld, type WriteRetries } from './write-file.ts';

/** What a file holds: its etag, null when there is none, `unreadable` when something else stands in its place. */
export function toEtag(found: FileFound): string | null {
  if (found.kind === 'absent') return null;
  return found.kind === 'bytes' ? etagOf(found.bytes) : 'unreadable';
}

export const etagOnDisk = (folder: string, file: string): string | null => toEtag(readEntryFile(folder, file));

/** The file is neither in the state before the change nor in the one after it. */
export class Moved extends Error {
  readonly id: string;

  constructor(id: string) {
    super(`${id} was changed by somebody else`);
    this.id = id;
  }
}

export type FileChange = Pick<JournalRow, 'id' | 'before_etag' | 'after_etag' | 'document'>;

export interface FileWriting extends WriteRetries {
  readonly folder: string;
  readonly files: EntryFiles;
  readonly log: Log;
  flushing(): Flushing;
  flushFolder(folder: string, how: Flushing): Promise<void>;
}

/**
 * Brings one file from the state before to the state after. Looking and renaming happen in one turn; done twice, also by
 * two processes, it comes to the same. `temporary` holds the new bytes, flushed. Answers whether it is used up.
 */
export async function installFile(
  { folder, files, ...retries }: FileWriting,
  change: FileChange,
  temporary: string | undefined,
): Promise<boolean> {
  const file = fileOf(change.id);
  const path = join(folder, file);
  let isUsedUp = false;
  await retryHeld(() => {
    const present = etagOnDisk(folder, file);
    if (present === change.after_etag) return;
    if (present !== change.before_etag) throw new Moved(change.id);
    files.mutate(() => {
      if (temporary === undefined) unlinkSync(path);
      else if (change.before_etag === null) placeNew(temporary, path);
      else renameSync(temporary, path);
    }, 'folder');
    isUsedUp = true;
  }, retries).catch((error: unknown) => {
    // Something came to stand there, or went, in the last microsecond.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') throw new Moved(change.id);
    throw error;
  });
  return isUsedUp;
}

/** The new bytes beside the entries, flushed; undefined for a removal. */
export async function stage(
  { folder, files, flushing }: FileWriting,
  document: string | null,
): Promise<string | undefined> {
  if (document === null) return undefined;
  const temporary = files.mutate(() => openTemporary(folder, document), 'folder');
  try {
    await temporary.flush(flushing());
  } catch (error) {
    rmSync(temporary.path, { force: true });
    throw error;
  }
  return temporary.path;
}

export const discard = ({ files }: FileWriting, temporaries: readonly (string | undefined)[]): void => {
  const left = temporaries.filter((path) => path !== undefined);
  if (left.length === 0) return;
  files.mutate(() => {
    for (const path of left) rmSync(path, { force: true });
  }, 'folder');
};

export type Ending = 'done' | 'moved';

/** What another process, or this one before it was killed, left undone. */
export async function finishRow(writing: FileWriting, row: JournalRow): Promise<Ending> {
  const present = etagOnDisk(writing.folder, fileOf(row.id));
  if (present === row.after_etag) return 'done';
  if (present !== row.before_etag) return 'moved';
  const temporary = await stage(writing, row.document);
  try {
    await installFile(writing, row, temporary);
    return 'done';
  } catch (error) {
    if (error instanceof Moved) return 'moved';
    throw error;
  } finally {
    discard(writing, [temporary]);
  }
}
