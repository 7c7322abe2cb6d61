import { randomUUID } from 'node:crypto';
import { closeSync, fsync, fsyncSync, linkSync, openSync, renameSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { backoffMs, errorCodeOf } from './file-errors.ts';
import { toTemporaryName } from './folder-names.ts';

const fsyncAsync = promisify(fsync);

/** A single flush is faster synchronously; several run in parallel on the thread pool. */
export type FlushMode = 'sync' | 'async';

async function flush(fd: number, how: FlushMode): Promise<void> {
  if (how === 'sync') fsyncSync(fd);
  else await fsyncAsync(fd);
}

export interface WriteRetries {
  readonly writeRetries: number;
  readonly writeBackoffMs: number;
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
}

export type TemporaryFile = ReturnType<typeof createTemporaryFile>;

/** Created and filled synchronously, under a name that is not mistaken for an entry. */
export function createTemporaryFile(folder: string, text: string) {
  const path = join(folder, toTemporaryName(randomUUID()));
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeAll(fd, Buffer.from(text));
  } catch (error) {
    closeSync(fd);
    rmSync(path, { force: true });
    throw error;
  }
  let isOpen = true;
  function close(): void {
    if (isOpen) closeSync(fd);
    isOpen = false;
  }
  return {
    path,
    /** Closes the file after its bytes are on disk. */
    async flush(how: FlushMode) {
      try {
        await flush(fd, how);
      } finally {
        close();
      }
    },
    /** Closes the file without flushing. May be called twice. */
    close,
  };
}

/** A new name is durable only after its folder is flushed; Windows has no such call and needs none. */
export async function flushFolder(folder: string, how: FlushMode): Promise<void> {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    await flush(fd, how);
  } finally {
    closeSync(fd);
  }
}

/** Error codes of file systems without hard links. */
const noHardLinkCodes: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Links instead of renaming, because a rename would overwrite a file that appeared a moment ago. */
export function linkNewFile(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!noHardLinkCodes.has(errorCodeOf(error))) throw error;
    renameSync(temporary, path);
    return;
  }
  unlinkSync(temporary);
}

/** Error codes of a file that an editor or a scanner keeps open for a moment. */
const lockedCodes: ReadonlySet<string> = new Set(['EBUSY', 'EPERM', 'EACCES']);

export async function retryWhileLocked(
  work: () => void,
  { writeRetries, writeBackoffMs }: WriteRetries,
): Promise<void> {
  for (let round = 0; ; round += 1) {
    try {
      work();
      return;
    } catch (error) {
      if (round >= writeRetries || !lockedCodes.has(errorCodeOf(error))) throw error;
    }
    await pause(backoffMs(writeBackoffMs, round));
  }
}
