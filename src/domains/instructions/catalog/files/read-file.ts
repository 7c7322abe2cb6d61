import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { instructionLimits } from '../../instruction-limits.ts';
import { errorCodeOf } from './file-errors.ts';

export interface FileBytes {
  readonly kind: 'bytes';
  readonly bytes: Buffer;
  readonly signature: Signature;
  readonly modifiedAt: number;
}

/** What is found under a name. Never waits, whatever stands there. */
export type FileReadResult =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'rejected';
      readonly problem: string;
      readonly signature: Signature;
      /** The system could not, this time: it says nothing about the file. */
      readonly isTransient?: true;
    }
  | FileBytes;

/** Moves whenever the file does, but for two writes in one tick of the disk's clock. */
export type Signature = Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;

const signatureOf = ({ ino, size, mtimeMs, ctimeMs }: Signature): Signature => ({ ino, size, mtimeMs, ctimeMs });

/** Numbers, not a text of them: printing four numbers costs as much as the look at the file itself. */
export const isSameFile = (a: Signature, b: Signature): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;

const quietly = { throwIfNoEntry: false } as const;

/** Undefined when nothing is there. A link is looked at, not followed. */
export const statFile = (path: string): Stats | undefined => lstatSync(path, quietly);

/** The folder itself may be reached by a link. */
export function folderSignature(folder: string): string {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat === undefined ? 'absent' : `${stat.ino}/${stat.mtimeMs}/${stat.ctimeMs}`;
}

export function fileSignature(path: string): string {
  const stat = statFile(path);
  return stat === undefined ? 'absent' : `${stat.ino}/${stat.size}/${stat.mtimeMs}/${stat.ctimeMs}`;
}

function rejectionOf(stat: Stats): string | undefined {
  if (stat.isSymbolicLink()) return 'it is a link';
  if (stat.isDirectory()) return 'it is a folder';
  if (!stat.isFile()) return 'it is no regular file';
  if (stat.size > instructionLimits.fileBytes) return `it is larger than ${instructionLimits.fileBytes} bytes`;
  return undefined;
}

/** No link is followed, and a pipe does not make us wait for its writer. */
const flags =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

/** What a system answers that has too little of something for a moment, or whose disk did not answer. */
const transientCodes: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY', 'EINTR', 'EIO']);

/** Of a file that could not even be looked at: the next look finds another. */
const unknownFile: Signature = { ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 };

function toRejection(error: unknown, done: 'opened' | 'read', stat: Signature): FileReadResult {
  const code = errorCodeOf(error);
  const rejected = {
    kind: 'rejected',
    problem: `it cannot be ${done} (${code})`,
    signature: signatureOf(stat),
  } as const;
  return transientCodes.has(code) ? { ...rejected, isTransient: true } : rejected;
}

/** `room`: where the bytes may be put, until it is lent again. */
function readBytes(fd: number, size: number, reusable: Buffer | undefined): Buffer {
  // What comes behind it meanwhile moves the signature: it is read the next time.
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
 * Synchronous: what was read and what is told of it belong to one moment. The name was looked at already; what is opened
 * is judged once more, so that nothing can take its place in between.
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
 * Saves the look where a listing of the folder called it a regular file: what is opened is judged as well, a link is not
 * opened, and nothing waits. Where the system has no way to say so, the name is looked at first. `room`: see `readBytes`.
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
