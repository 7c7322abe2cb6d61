import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { errorCodeOf } from '../catalog/files/file-errors.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { fetchAll } from './catalog-client.ts';
import { exportCatalog } from './export-catalog.ts';
import { seedCatalog } from './starter-catalog.ts';

export interface ResetDeps extends BulkDeps {
  readonly clock: Clock;
  /** `<home>/backups`: outside the folder that is reset. */
  readonly backupsFolder: string;
  /** Undefined when entries are rows of the store. */
  readonly instructionsFolder?: string | undefined;
}

const stampOf = (at: number): string => toIso(at).replace(/[-:]|\.\d+/g, '');

/** Also copies what is not an entry: gates, owners, and invalid files. */
async function copyFolder(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    if (entry.isFile()) await copyFile(join(from, entry.name), join(to, entry.name));
    else if (entry.isDirectory()) {
      await mkdir(join(to, entry.name), { recursive: true, mode: 0o700 });
      await copyFolder(join(from, entry.name), join(to, entry.name));
    }
  }
}

/** Also writes the catalog to one file next to the copy, which `instructions import` can restore into either store. */
async function backUp(deps: ResetDeps): Promise<string> {
  const folder = join(deps.backupsFolder, `instructions-${stampOf(deps.clock.now())}`);
  await mkdir(deps.backupsFolder, { recursive: true, mode: 0o700 });
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw errorCodeOf(error) === 'EEXIST'
      ? faults.CONFLICT(
          { why: `${folder} already exists; try again in a second` },
          { fix: 'Run fourfold instructions reset again in a second.' },
        )
      : error;
  });
  await exportCatalog(deps, { to: join(folder, 'catalog.json'), format: 'json' });
  if (deps.instructionsFolder !== undefined) {
    await mkdir(join(folder, 'files'), { mode: 0o700 });
    await copyFolder(deps.instructionsFolder, join(folder, 'files'));
  }
  return folder;
}

async function removeAll({ ask, progress, signal }: ResetDeps): Promise<number> {
  const { entries } = await fetchAll(ask);
  let removed = 0;
  for (let at = 0; at < entries.length; at += instructionLimits.removeChunkCount) {
    signal?.throwIfAborted();
    progress(at, entries.length, 'removing');
    const ids = entries.slice(at, at + instructionLimits.removeChunkCount).map(({ id }) => id);
    const answer = (await ask('instructions/remove', { ids, confirm: true })) as { readonly removed: number };
    removed += answer.removed;
  }
  return removed;
}

/** Always makes a backup first; removed entries are in the archive, too. */
export async function resetCatalog(deps: ResetDeps, { mode }: { readonly mode: 'empty' | 'seed' }) {
  const backup = await backUp(deps);
  const removed = await removeAll(deps);
  return { backup, removed, seeded: mode === 'seed' ? await seedCatalog(deps) : undefined };
}
