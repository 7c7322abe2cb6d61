import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { NewApplication } from '#domains/knowledge/knowledge.ts';
import type { Templates } from '#domains/knowledge/templates/templates.ts';
import type { WrittenApplication } from '#domains/knowledge/tools/knowledge-new.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { adminFaults } from './admin/admin-faults.ts';
import { cleanUpOnFailure, exists, ifMissing, toFileFault } from './admin/file-faults.ts';

type Files = ReadonlyMap<string, string>;

async function findObstacles(folder: string, paths: Iterable<string>) {
  const look = (path: string) => lstat(join(folder, path)).catch(ifMissing(undefined));
  const taken: string[] = [];
  /** A folder in place of a file, or a file in place of a folder. These are never replaced. */
  const blocked = new Set<string>();
  for (const path of paths) {
    const found = await look(path);
    if (found?.isDirectory()) blocked.add(path);
    else if (found !== undefined) taken.push(path);
    for (let above = dirname(path); above !== '.'; above = dirname(above)) {
      if ((await look(above))?.isDirectory() === false) blocked.add(above);
    }
  }
  return { taken, blocked: [...blocked] };
}

type Undo = () => Promise<unknown>;

/** Creates a folder and its parents. Undoing removes the new ones, innermost first. */
async function makeFolders(folder: string, undo: Undo[]): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  const made: string[] = [];
  for (let one = folder; one.length >= first.length; one = dirname(one)) made.push(one);
  // From the last step to the first.
  undo.push(...made.toReversed().map((one) => () => rmdir(one)));
}

/** Writes every file into an existing folder, or none after a failure. Replaced files are kept aside until the end. */
async function writeBeside(folder: string, files: Files): Promise<void> {
  const aside = join(folder, `.fourfold-replaced-${randomUUID()}`);
  const undo: Undo[] = [];
  try {
    for (const [path, content] of files) {
      const target = join(folder, path);
      await makeFolders(dirname(target), undo);
      if (await exists(target)) {
        const kept = join(aside, path);
        await mkdir(dirname(kept), { recursive: true });
        await rename(target, kept);
        undo.push(() => rename(kept, target));
      }
      undo.push(() => rm(target, { force: true }));
      await writeFile(target, content, { flag: 'wx' });
    }
  } catch (error) {
    // A file that cannot be moved back stays in the temporary folder.
    for (const step of undo.toReversed()) await step().catch(() => {});
    await removeEmpty(aside);
    throw toFileFault(error);
  }
  await rm(aside, { recursive: true, force: true });
}

/** Only empty folders are removed: a file in one of them may be the last copy. */
async function removeEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]));
  for (const entry of entries) if (entry.isDirectory()) await removeEmpty(join(folder, entry.name));
  await rmdir(folder).catch(() => {});
}

/** Writes to a temporary folder and renames it, so that the folder appears with all its files. */
async function writeNew(folder: string, files: Files): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const staged = join(dirname(folder), `.fourfold-new-${randomUUID()}`);
  await cleanUpOnFailure(staged, async () => {
    for (const [path, content] of files) {
      const file = join(staged, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { flag: 'wx' });
    }
    await rename(staged, folder);
  });
}

/** Writes all files or none, and never replaces a file without `force`. */
export async function newApplication(templates: Templates, wanted: NewApplication): Promise<WrittenApplication> {
  const { folder: named, dryRun, force, ...request } = wanted;
  const tree = await templates.tree(request);
  if (tree === undefined)
    throw faults.INVALID_PARAMS({ why: 'the knowledge base has no templates for this configuration' });
  const folder = resolve(named);
  const { taken, blocked } = await findObstacles(folder, tree.files.keys());
  const [first] = force ? blocked : [...blocked, ...taken];
  if (first !== undefined) {
    const count = blocked.length + (force ? 0 : taken.length);
    throw adminFaults.FILES_TAKEN({ folder, path: first, count });
  }
  if (!dryRun) await ((await exists(folder)) ? writeBeside : writeNew)(folder, tree.files);
  const files = [...tree.files.keys()];
  return { folder, files, replaced: taken, dryRun, next: `cd ${named} && npm install && npm test` };
}
