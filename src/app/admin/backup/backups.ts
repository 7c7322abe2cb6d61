import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Settings } from '#config/settings.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Keys } from '#kernel/keys/keys.ts';
import type { OnDemandStorage } from '#kernel/storage/on-demand-storage.ts';
import { ifMissing, toFileFault } from '../file-faults.ts';
import type { AdminProgress } from '../operator-call.ts';
import { type BackupOptions, type BackupResult, backup, backupNameAt, backupNamePrefix } from './backup.ts';
import { readManifest } from './manifest.ts';

export interface BackupsParts {
  readonly settings: Settings;
  readonly storage: OnDemandStorage;
  readonly keys: () => Keys;
  readonly clock: Clock;
  readonly program: string;
}

export interface BackupRun extends Pick<BackupOptions, 'withKeys' | 'filesOnly'> {
  /** Default: a new folder in the folder of backups. */
  readonly to?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
}

/** One folder in the folder of backups. */
export type KnownBackup = { readonly folder: string } & (
  | { readonly at: string; readonly store: 'sqlite' | 'none'; readonly withKeys: boolean; readonly bytes: number }
  | { readonly problem: string }
);

const listedCount = 50;

/** Next to the data folder: a backup inside it would be lost with it. */
export const backupFolderOf = ({ backupDir, home }: Pick<Settings, 'backupDir' | 'home'>): string =>
  backupDir ?? join(dirname(home), `${basename(home)}-backups`);

async function describe(folder: string): Promise<KnownBackup> {
  try {
    const { at, store, withKeys, files } = (await readManifest(folder)).body;
    return { folder, at, store, withKeys, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  } catch (error) {
    if (error instanceof Fault) return { folder, problem: error.message };
    throw error;
  }
}

export async function runBackup(parts: BackupsParts, { to, ...run }: BackupRun): Promise<BackupResult> {
  const { settings, clock } = parts;
  const [{ migrations }, { openFileBlobs }, storage] = await Promise.all([
    import('#migrations/all.ts'),
    import('#app/file-blobs.ts'),
    parts.storage.opened(),
  ]);
  return backup({
    home: settings.home,
    to: to ?? join(backupFolderOf(settings), backupNameAt(clock.now())),
    storage,
    keys: parts.keys(),
    keyFile: settings.keyFile,
    instructionsDir: settings.instructionsDir,
    migrations,
    clock,
    program: parts.program,
    filesService: openFileBlobs(settings).service?.name,
    ...run,
  });
}

/** The newest first. Only those that were made without another target. */
export async function listBackups(settings: Settings) {
  const folder = backupFolderOf(settings);
  try {
    const names = (await readdir(folder).catch(ifMissing([]))).filter((name) => name.startsWith(backupNamePrefix));
    const complete = names.filter((name) => !name.includes('.partial-')).sort();
    const newest = complete.toReversed().slice(0, listedCount);
    return {
      folder,
      count: complete.length,
      backups: await Promise.all(newest.map((name) => describe(join(folder, name)))),
    };
  } catch (error) {
    throw toFileFault(error);
  }
}
