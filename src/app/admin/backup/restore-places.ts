import { stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { hashFile } from '../durable-files.ts';
import { isThere } from '../file-faults.ts';
import { homeNames, storeParts } from '../home-layout.ts';
import { backupNames, type Manifest } from './manifest.ts';

export type ListedFile = Manifest['body']['files'][number];

/** Where a backup is restored to. The key file may lie outside the data folder. */
export interface RestoreTarget {
  readonly home: string;
  readonly keyFile: string;
}

/** The name in the data folder under which the key file lies; undefined when it lies elsewhere. */
export function keyNameInHome({ home, keyFile }: RestoreTarget): string | undefined {
  const [first] = relative(home, keyFile).split(sep);
  return first === undefined || first === '..' || /^[A-Za-z]:/.test(first) ? undefined : first;
}

/** Where a file of the backup goes. */
export function positionOf({ path }: Pick<ListedFile, 'path'>, { home, keyFile }: RestoreTarget): string {
  if (path === backupNames.store) return join(home, homeNames.store);
  if (path === backupNames.key) return keyFile;
  return join(home, ...path.split('/').slice(1));
}

export const isSame = async (file: string, { bytes, sha256 }: ListedFile): Promise<boolean> =>
  (await stat(file)).size === bytes && (await hashFile(file)).sha256 === sha256;

/** What a file of the backup is in the data folder, for a person to read. */
function nameOf({ path }: ListedFile): string {
  if (path === backupNames.store) return homeNames.store;
  if (path === backupNames.key) return 'another key file';
  return path.split('/')[1]!;
}

/** What is in the way. A file that is there with the same content is not: a restore that was killed can be run again. */
export async function findTaken(files: readonly ListedFile[], target: RestoreTarget): Promise<readonly string[]> {
  const taken = new Set<string>();
  for (const file of storeParts(target.home)) if (await isThere(file)) taken.add(basename(file));
  for (const file of files) {
    const place = positionOf(file, target);
    const isOther = (await isThere(place)) && !(await isSame(place, file));
    if (isOther) taken.add(nameOf(file));
  }
  return [...taken];
}
