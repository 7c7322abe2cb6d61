import { randomUUID } from 'node:crypto';
import { closeSync, fsync, fsyncSync, linkSync, openSync, renameSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { backoffMs, errorCodeOf } from './file-errors.ts';
import { toTemporaryName } from './folder-names.ts';

const fsyncAsync = promisify(fsync);

/** One flush alone is over sooner when it is waited for; several at once are not to stand in each other's way. */
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

export interface TemporaryFile {
  readonly path: string;
  /** Closes it when its bytes are on the disk. */
  flush(how: FlushMode): Promise<void>;
  /** Closes it as it is; one that is closed stays so. */
  close(): void;
}

/** A file beside the others that nobody takes for an entry, made and filled in one turn. */
export function createTemporaryFile(folder: string, text: string): TemporaryFile {
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
    async flush(how) {
      try {
        await flush(fd, how);
      } finally {
        close();
      }
    },
    close,
  };
}

/** A name is durable only when its folder is flushed too; Windows has no such call and needs none. */
export async function flushFolder(folder: string, how: FlushMode): Promise<void> {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    await flush(fd, how);
  } finally {
    closeSync(fd);
  }
}

/** What filesystems without hard links answer. */
const noHardLinkCodes: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Gives a new file its name. A rename would overwrite what came to stand there a moment ago, so it is the second choice. */
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

/** What a file that an editor or a scanner holds for a moment answers. */
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
