import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { versionFile } from './folder-names.ts';
import { lookAt } from './read-file.ts';
import { openTemporary, type Temporary } from './write-file.ts';

const counterCharsMax = 32;

function readCounter(path: string): number {
  const stat = lookAt(path);
  if (stat === undefined || !stat.isFile() || stat.size > counterCharsMax) return 0;
  const counter = Number(readFileSync(path, 'utf8').trim());
  return Number.isSafeInteger(counter) && counter > 0 ? counter : 0;
}

/**
 * Tells others that something changed. A hint that may get lost with the power, so it is not flushed; and where there is
 * no room for it, or something else stands in its place, the change itself is there all the same and found by a sweep.
 */
export function touchVersion(folder: string): void {
  const path = join(folder, versionFile);
  let temporary: Temporary | undefined;
  try {
    temporary = openTemporary(folder, `${readCounter(path) + 1}\n`);
    temporary.close();
    renameSync(temporary.path, path);
  } catch {
    if (temporary !== undefined) rmSync(temporary.path, { force: true });
  }
}
