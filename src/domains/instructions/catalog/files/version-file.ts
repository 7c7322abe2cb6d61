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

/** Its time is set as well: two touches within one tick of the disk's clock would look like one. */
function countUp(fd: number): void {
  const stat = fstatSync(fd);
  if (!stat.isFile() || stat.size > counterCharsMax) throw new Error('something else stands there');
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
    // In place: to create a file on a disk that has just flushed takes longer than all the rest of a change.
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
 * Tells others that something changed. A hint that may get lost with the power, so it is not flushed; and where there is
 * no room for it, or something else stands in its place, the change itself is there all the same and found by a sweep.
 */
export function touchVersion(folder: string): void {
  try {
    touch(folder, join(folder, versionFile));
  } catch {
    // As said above: the sweep finds the change.
  }
}
