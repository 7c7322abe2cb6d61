import { cp, mkdir, readdir, rename, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toIso } from '#kernel/clock/clock.ts';
import { flushFolder } from '#kernel/paths/flush-folder.ts';
import { flushTree } from '../durable-files.ts';
import { absentAs, isThere } from '../file-faults.ts';

export const asideSuffix = (at: number): string => `before-restore-${toIso(at).replace(/[-:]|\.\d+/g, '')}`;

async function freeName(wanted: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!(await isThere(name))) return name;
  }
}

/** Beside the data folder; inside it where its parent is another disk or may not be written, as with a container's volume. */
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
 * Moves what is in the data folder out of the way; nothing is deleted. `stays` is copied instead, and `ours` left alone.
 * Answers where it all went, or undefined when there was nothing.
 */
export async function moveAside(
  home: string,
  at: number,
  stays: string | undefined,
  ours: string,
): Promise<string | undefined> {
  const names = (await readdir(home).catch(absentAs([]))).filter((name) => name !== ours && !isEarlierAside(name));
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
