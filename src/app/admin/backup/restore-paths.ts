import { cp, mkdir, readdir, rename, rmdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { toIso } from '#kernel/clock/clock.ts';
import { flushFolder, flushTree, hashFile } from '../durable-files.ts';
import { exists, ifMissing } from '../file-faults.ts';
import { homeNames, storeParts } from '../home-layout.ts';
import { backupNames, type Manifest } from './manifest.ts';

export const asideSuffix = (at: number): string => `before-restore-${toIso(at).replace(/[-:]|\.\d+/g, '')}`;

async function freeName(wanted: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!(await exists(name))) return name;
  }
}

/** Next to the data folder, or inside it if the parent is another disk or read-only, as with a container volume. */
async function makeAside(home: string, at: number): Promise<string> {
  const beside = await freeName(`${home}.${asideSuffix(at)}`);
  try {
    await mkdir(beside, { mode: 0o700 });
    if ((await stat(beside)).dev === (await stat(home)).dev) return beside;
    await rmdir(beside);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  const inside = await freeName(join(home, asideSuffix(at)));
  await mkdir(inside, { mode: 0o700 });
  return inside;
}

const isEarlierAside = (name: string): boolean => name.startsWith('before-restore-');

/**
 * Moves the contents of the data folder aside; nothing is deleted. `stays` is copied instead, and `ours` is left alone.
 * Returns the new folder, or undefined if there was nothing to move.
 */
export async function moveAside(
  home: string,
  at: number,
  stays: string | undefined,
  ours: string,
): Promise<string | undefined> {
  const names = (await readdir(home).catch(ifMissing([]))).filter((name) => name !== ours && !isEarlierAside(name));
  if (names.every((name) => name === stays)) return undefined;
  const aside = await makeAside(home, at);
  for (const name of names) {
    if (name === stays) await cp(join(home, name), join(aside, name), { recursive: true, preserveTimestamps: true });
    else await rename(join(home, name), join(aside, name));
  }
  await flushTree(aside);
  await flushFolder(home);
  return aside;
}

export type ListedFile = Manifest['body']['files'][number];

/** The key file may be outside the data folder. */
export interface RestoreTarget {
  readonly home: string;
  readonly keyFile: string;
}

/** The name of the key file in the data folder; undefined if it is elsewhere. */
export function keyNameInHome({ home, keyFile }: RestoreTarget): string | undefined {
  const [first] = relative(home, keyFile).split(sep);
  return first === undefined || first === '..' || /^[A-Za-z]:/.test(first) ? undefined : first;
}

export function targetPath({ path }: Pick<ListedFile, 'path'>, { home, keyFile }: RestoreTarget): string {
  if (path === backupNames.store) return join(home, homeNames.store);
  if (path === backupNames.key) return keyFile;
  return join(home, ...path.split('/').slice(1));
}

export const isSame = async (file: string, { bytes, sha256 }: ListedFile): Promise<boolean> =>
  (await stat(file)).size === bytes && (await hashFile(file)).sha256 === sha256;

function nameOf({ path }: ListedFile): string {
  if (path === backupNames.store) return homeNames.store;
  if (path === backupNames.key) return 'another key file';
  return path.split('/')[1]!;
}

/**
 * Existing files that block the restore. A file with the same content does not, so that a killed restore can be
 * repeated.
 */
export async function findTaken(files: readonly ListedFile[], target: RestoreTarget): Promise<readonly string[]> {
  const taken = new Set<string>();
  for (const file of storeParts(target.home)) if (await exists(file)) taken.add(basename(file));
  for (const file of files) {
    const place = targetPath(file, target);
    const isOther = (await exists(place)) && !(await isSame(place, file));
    if (isOther) taken.add(nameOf(file));
  }
  return [...taken];
}
