import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { catalogLimits } from '../catalog-limits.ts';
import { codeOf } from './error-code.ts';

/** What is found under a name. Never waits, whatever stands there. */
export type FileFound =
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly problem: string; readonly signature: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly signature: string; readonly modifiedAt: number };

/** Moves whenever the file does, but for two writes in one tick of the disk's clock. */
export const signatureOf = (stat: Stats): string => `${stat.ino}/${stat.size}/${stat.mtimeMs}/${stat.ctimeMs}`;

/** Undefined when nothing is there. A link is looked at, not followed. */
export const lookAt = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** The folder itself may be reached by a link. */
export function folderSignature(folder: string): string {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat === undefined ? 'absent' : `${stat.ino}/${stat.mtimeMs}/${stat.ctimeMs}`;
}

export function fileSignature(path: string): string {
  const stat = lookAt(path);
  return stat === undefined ? 'absent' : signatureOf(stat);
}

function refusalOf(stat: Stats): string | undefined {
  if (stat.isSymbolicLink()) return 'it is a link';
  if (stat.isDirectory()) return 'it is a folder';
  if (!stat.isFile()) return 'it is no regular file';
  if (stat.size > catalogLimits.fileBytes) return `it is larger than ${catalogLimits.fileBytes} bytes`;
  return undefined;
}

/** No link is followed, and a pipe does not make us wait for its writer. */
const flags =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

function readBytes(fd: number, size: number): Buffer {
  // What comes behind it meanwhile moves the signature: it is read the next time.
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

/**
 * Synchronous: what was read and what is told of it belong to one moment. `stat`: the name was looked at already; what is
 * opened is judged once more, so that nothing can take its place in between.
 */
export function readEntryFile(folder: string, file: string, stat = lookAt(join(folder, file))): FileFound {
  const path = join(folder, file);
  if (stat === undefined) return { kind: 'absent' };
  const refusal = refusalOf(stat);
  if (refusal !== undefined) return { kind: 'refused', problem: refusal, signature: signatureOf(stat) };
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'absent' };
    return { kind: 'refused', problem: `it cannot be opened (${codeOf(error)})`, signature: signatureOf(stat) };
  }
  try {
    const opened = fstatSync(fd);
    const signature = signatureOf(opened);
    const problem = refusalOf(opened);
    if (problem !== undefined) return { kind: 'refused', problem, signature };
    return { kind: 'bytes', bytes: readBytes(fd, opened.size), signature, modifiedAt: opened.mtimeMs };
  } catch (error) {
    return { kind: 'refused', problem: `it cannot be read (${codeOf(error)})`, signature: signatureOf(stat) };
  } finally {
    closeSync(fd);
  }
}
