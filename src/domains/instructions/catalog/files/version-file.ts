import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from './file-errors.ts';
import { versionFile } from './folder-names.ts';
import { createTemporaryFile } from './write-file.ts';

const counterCharsMax = 32;

const inPlace = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const toCounter = (text: string): number => {
  const counter = Number(text.trim());
  return Number.isSafeInteger(counter) && counter > 0 ? counter : 0;
};

/** Also sets the time: two updates within one tick of the file system's clock would look like one. */
function countUp(fd: number): void {
  const stat = fstatSync(fd);
  if (!stat.isFile() || stat.size > counterCharsMax) throw new Error('not a version file');
  const before = Buffer.alloc(counterCharsMax);
  const counter = toCounter(before.toString('utf8', 0, readSync(fd, before, 0, counterCharsMax, 0)));
  writeSync(fd, `${counter + 1}\n`, 0);
  const seconds = (performance.timeOrigin + performance.now()) / 1_000;
  futimesSync(fd, seconds, seconds);
}

function makeFirst(folder: string, path: string): void {
  const temporary = createTemporaryFile(folder, '1\n');
  temporary.close();
  try {
    renameSync(temporary.path, path);
  } catch (error) {
    rmSync(temporary.path, { force: true });
    throw error;
  }
}

function touch(folder: string, path: string): void {
  let fd: number;
  try {
    // In place: creating a file after a flush takes longer than the rest of the change.
    fd = openSync(path, inPlace);
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') makeFirst(folder, path);
    return;
  }
  try {
    countUp(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Signals a change to other processes. It is only a hint, so it is neither flushed nor required: a sweep finds the
 * change anyway.
 */
export function touchVersion(folder: string): void {
  try {
    touch(folder, join(folder, versionFile));
  } catch {
    // A sweep finds the change.
  }
}
