import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { adminFaults } from '../admin-faults.ts';
import { copyDurably, flushFolder, placeFile } from '../durable-files.ts';
import { exists, ifMissing } from '../file-faults.ts';
import type { AdminProgress } from '../operator-call.ts';
import { backupNames } from './manifest.ts';
import { isSame, keyNameInHome, type ListedFile, type RestoreTarget, targetPath } from './restore-paths.ts';

/**
 * A copy of the backup on the target disk. After that only renames are left, which are fast and need no extra space.
 */
export interface Staging {
  readonly name: string;
  fill(from: string, files: readonly ListedFile[], signal: AbortSignal | undefined): Promise<void>;
  place(files: readonly ListedFile[]): Promise<void>;
  /** `all`: also folders that killed restores left behind. */
  clear(which: 'own' | 'all'): Promise<void>;
}

const prefix = '.restoring-';

export function createStaging(target: RestoreTarget, progress: AdminProgress): Staging {
  const { home, keyFile } = target;
  const name = `${prefix}${randomBytes(4).toString('hex')}`;
  const stagedKey = keyNameInHome(target) === undefined ? `${keyFile}${name}` : join(home, name, backupNames.key);
  const stagedPlace = ({ path }: ListedFile): string => (path === backupNames.key ? stagedKey : join(home, name, path));

  return {
    name,
    async fill(from, files, signal) {
      await mkdir(join(home, name), { recursive: true, mode: 0o700 });
      for (const [i, file] of files.entries()) {
        signal?.throwIfAborted();
        progress(i, files.length, `copying ${file.path}`);
        const { sha256 } = await copyDurably(join(from, file.path), stagedPlace(file));
        if (sha256 !== file.sha256)
          throw adminFaults.BACKUP_DAMAGED({ why: `${file.path} changed while it was copied` });
      }
    },
    async place(files) {
      const folders = new Set([dirname(home)]);
      for (const [i, file] of files.entries()) {
        progress(i, files.length, `placing ${file.path}`);
        const place = targetPath(file, target);
        await mkdir(dirname(place), { recursive: true, mode: 0o700 });
        folders.add(dirname(place));
        for (let folder = dirname(place); folder.startsWith(home); folder = dirname(folder)) folders.add(folder);
        if ((await exists(place)) && (await isSame(place, file))) continue;
        await placeFile(stagedPlace(file), place);
      }
      for (const folder of folders) await flushFolder(folder);
    },
    async clear(which) {
      const names = await readdir(home).catch(ifMissing([]));
      const gone = names.filter((found) => (which === 'all' ? found.startsWith(prefix) : found === name));
      for (const found of gone) await rm(join(home, found), { recursive: true, force: true });
      await rm(stagedKey, { force: true });
    },
  };
}
