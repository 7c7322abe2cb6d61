import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { instructionLimits } from '../../instruction-limits.ts';
import { errorCodeOf, toFolderFault } from './file-errors.ts';

export interface FileBytes {
  readonly kind: 'bytes';
  readonly bytes: Buffer;
  readonly signature: Signature;
  readonly modifiedAt: number;
}

/** Reading never blocks, whatever the path names. */
export type FileReadResult =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'rejected';
      readonly problem: string;
      readonly signature: Signature;
      /** A temporary failure of the system; it says nothing about the file. */
      readonly isTransient?: true;
    }
  | FileBytes;

/** Changes whenever the file does, except for two writes within one tick of the file system's clock. */
export type Signature = Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;

const signatureOf = ({ ino, size, mtimeMs, ctimeMs }: Signature): Signature => ({ ino, size, mtimeMs, ctimeMs });

/** Compares numbers: formatting them as text costs as much as the stat itself. */
export const isSameFile = (a: Signature, b: Signature): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;

const quietly = { throwIfNoEntry: false } as const;

/** Undefined when the file does not exist. Does not follow links. */
export const statFile = (path: string): Stats | undefined => lstatSync(path, quietly);

/** Follows links: the folder itself may be one. */
export function folderSignature(folder: string): string {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat === undefined ? 'absent' : `${stat.ino}/${stat.mtimeMs}/${stat.ctimeMs}`;
}

export function fileSignature(path: string): string {
  const stat = statFile(path);
  return stat === undefined ? 'absent' : `${stat.ino}/${stat.size}/${stat.mtimeMs}/${stat.ctimeMs}`;
}

function rejectionOf(stat: Stats): string | undefined {
  if (stat.isSymbolicLink()) return 'a symbolic link';
  if (stat.isDirectory()) return 'a folder';
  if (!stat.isFile()) return 'not a regular file';
  if (stat.size > instructionLimits.fileBytes) return `larger than ${instructionLimits.fileBytes} bytes`;
  return undefined;
}

/** Does not follow links, and does not wait for the writer of a pipe. */
const flags =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

/** Out of a resource for the moment, or the disk did not answer. */
const transientCodes: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY', 'EINTR', 'EIO']);

/** For a file that could not be examined: every later signature differs. */
const unknownFile: Signature = { ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 };

function toRejection(error: unknown, done: 'opened' | 'read', stat: Signature): FileReadResult {
  const code = errorCodeOf(error);
  const rejected = {
    kind: 'rejected',
    problem: `cannot be ${done} (${code})`,
    signature: signatureOf(stat),
  } as const;
  return transientCodes.has(code) ? { ...rejected, isTransient: true } : rejected;
}

/** `reusable` holds the bytes until the next call, if they fit. */
function readBytes(fd: number, size: number, reusable: Buffer | undefined): Buffer {
  // Bytes appended meanwhile change the signature, so they are read next time.
  const buffer = reusable !== undefined && reusable.length >= size ? reusable : Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(fd, buffer, length, size - length, null);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

function readOpened(fd: number, reusable?: Buffer): FileReadResult {
  let opened: Stats | undefined;
  try {
    opened = fstatSync(fd);
    const signature = signatureOf(opened);
    const problem = rejectionOf(opened);
    if (problem !== undefined) return { kind: 'rejected', problem, signature };
    return { kind: 'bytes', bytes: readBytes(fd, opened.size, reusable), signature, modifiedAt: opened.mtimeMs };
  } catch (error) {
    return toRejection(error, 'read', opened ?? unknownFile);
  } finally {
    closeSync(fd);
  }
}

/**
 * Synchronous, so that a read and its report belong to one moment. The opened file is checked again, because it may
 * have been replaced since the stat.
 */
export function readAt(path: string, stat: Stats | undefined): FileReadResult {
  if (stat === undefined) return { kind: 'absent' };
  const rejection = rejectionOf(stat);
  if (rejection !== undefined) return { kind: 'rejected', problem: rejection, signature: signatureOf(stat) };
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return { kind: 'absent' };
    return toRejection(error, 'opened', stat);
  }
  return readOpened(fd);
}

/**
 * Skips the stat for a name that the folder listing called a regular file. The opened file is checked anyway and links
 * are not followed; without O_NOFOLLOW it falls back to a stat.
 */
export function readListed(path: string, reusable: Buffer): FileReadResult {
  if (constants.O_NOFOLLOW === undefined) return readAt(path, statFile(path));
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch {
    return readAt(path, statFile(path));
  }
  return readOpened(fd, reusable);
}

export function readEntryFile(folder: string, file: string): FileReadResult {
  const path = join(folder, file);
  return readAt(path, statFile(path));
}

/** Creates the folder if it is missing. Returns an id that changes when another folder takes its place. */
export function openFolder(folder: string): string {
  try {
    const present = statSync(folder, { throwIfNoEntry: false });
    if (present?.isDirectory() === true) return String(present.ino);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return String(statSync(folder).ino);
  } catch (error) {
    throw toFolderFault(error);
  }
}
