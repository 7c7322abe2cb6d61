import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { instructionLimits } from '../../instruction-limits.ts';
import { codeOf } from './file-errors.ts';

export interface FileBytes {
  readonly kind: 'bytes';
  readonly bytes: Buffer;
  readonly signature: Signature;
  readonly modifiedAt: number;
}

/** What is found under a name. Never waits, whatever stands there. */
export type FileFound =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'refused';
      readonly problem: string;
      readonly signature: Signature;
      /** The system could not, this time: it says nothing about the file. */
      readonly isPassing?: true;
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
export const lookAt = (path: string): Stats | undefined => lstatSync(path, quietly);

/** The folder itself may be reached by a link. */
export function folderSignature(folder: string): string {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat === undefined ? 'absent' : `${stat.ino}/${stat.mtimeMs}/${stat.ctimeMs}`;
}

export function fileSignature(path: string): string {
  const stat = lookAt(path);
  return stat === undefined ? 'absent' : `${stat.ino}/${stat.size}/${stat.mtimeMs}/${stat.ctimeMs}`;
}

function refusalOf(stat: Stats): string | undefined {
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
const passing: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY', 'EINTR', 'EIO']);

/** Of a file that could not even be looked at: the next look finds another. */
const unknownFile: Signature = { ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 };

function refusedBy(error: unknown, done: 'opened' | 'read', stat: Signature): FileFound {
  const code = codeOf(error);
  const refused = { kind: 'refused', problem: `it cannot be ${done} (${code})`, signature: signatureOf(stat) } as const;
  return passing.has(code) ? { ...refused, isPassing: true } : refused;
}

/** `room`: where the bytes may be put, until it is lent again. */
function readBytes(fd: number, size: number, room: Buffer | undefined): Buffer {
  // What comes behind it meanwhile moves the signature: it is read the next time.
  const buffer = room !== undefined && room.length >= size ? room : Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(fd, buffer, length, size - length, null);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

function readOpened(fd: number, room?: Buffer): FileFound {
  let opened: Stats | undefined;
  try {
    opened = fstatSync(fd);
    const signature = signatureOf(opened);
    const problem = refusalOf(opened);
    if (problem !== undefined) return { kind: 'refused', problem, signature };
    return { kind: 'bytes', bytes: readBytes(fd, opened.size, room), signature, modifiedAt: opened.mtimeMs };
  } catch (error) {
    return refusedBy(error, 'read', opened ?? unknownFile);
  } finally {
    closeSync(fd);
  }
}

/**
 * Synchronous: what was read and what is told of it belong to one moment. The name was looked at already; what is opened
 * is judged once more, so that nothing can take its place in between.
 */
export function readAt(path: string, stat: Stats | undefined): FileFound {
  if (stat === undefined) return { kind: 'absent' };
  const refusal = refusalOf(stat);
  if (refusal !== undefined) return { kind: 'refused', problem: refusal, signature: signatureOf(stat) };
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'absent' };
    return refusedBy(error, 'opened', stat);
  }
  return readOpened(fd);
}

/**
 * Saves the look where a listing of the folder called it a regular file: what is opened is judged as well, a link is not
 * opened, and nothing waits. Where the system has no way to say so, the name is looked at first. `room`: see `readBytes`.
 */
export function readListed(path: string, room: Buffer): FileFound {
  if (constants.O_NOFOLLOW === undefined) return readAt(path, lookAt(path));
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch {
    return readAt(path, lookAt(path));
  }
  return readOpened(fd, room);
}

export function readEntryFile(folder: string, file: string): FileFound {
  const path = join(folder, file);
  return readAt(path, lookAt(path));
}
