import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { versionFile } from './folder-names.ts';
import { lookAt } from './read-file.ts';
import { openTemporary } from './write-file.ts';

const counterCharsMax = 32;

function readCounter(path: string): number {
  const stat = lookAt(path);
  if (stat === undefined || !stat.isFile() || stat.size > counterCharsMax) return 0;
  const counter = Number(readFileSync(path, 'utf8').trim());
  return Number.isSafeInteger(counter) && counter > 0 ? counter : 0;
}

/** Tells others that something changed. A hint that may get lost with the power, so it is not flushed. */
export function touchVersion(folder: string): void {
  const path = join(folder, versionFile);
  const temporary = openTemporary(folder, `${readCounter(path) + 1}\n`);
  temporary.close();
  renameSync(temporary.path, path);
}
