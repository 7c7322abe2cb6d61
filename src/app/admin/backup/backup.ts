import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { settingsTable } from '#config/settings.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Keys } from '#kernel/keys/keys.ts';
import { type Migration, schemaVersion } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { adminFaults } from '../admin-faults.ts';
import { flushAndHashFile, flushFolder, flushTree, writeDurably } from '../durable-files.ts';
import { cleanUpOnFailure, ifMissing } from '../file-faults.ts';
import { homeNames } from '../home-layout.ts';
import type { AdminProgress } from '../operator-call.ts';
import { type BackupFile, collectCheckpoints, collectConfig, collectFolder, collectKey } from './collect-files.ts';
import { backupNames, keyIdOf, type ManifestBody, manifestName, manifestVersion, toManifestText } from './manifest.ts';

export interface BackupOptions {
  readonly home: string;
  /** The folder to create. */
  readonly to: string;
  readonly withKeys: boolean;
  /** Skips the store; required for PostgreSQL. */
  readonly filesOnly?: boolean | undefined;
  readonly storage: Storage;
  readonly keys: Keys;
  readonly keyFile: string;
  /** The folder of the instruction files; may be outside the data folder. */
  readonly instructionsDir?: string | undefined;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly program: string;
  /** Where uploaded files are that the data folder does not have. They are not copied. */
  readonly filesService?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
}

export interface BackupResult {
  readonly folder: string;
  readonly store: ManifestBody['store'];
  readonly withKeys: boolean;
  readonly files: number;
  readonly bytes: number;
  readonly withheld: readonly string[];
  /** Paths that are not regular files and were not copied. */
  readonly skipped: readonly string[];
  /** Not in the backup: files of another service. */
  readonly notIncluded?: string;
}

const secretNames = Object.entries(settingsTable)
  .filter(([, setting]) => 'secret' in setting && setting.secret)
  .map(([name]) => name);

export const backupNamePrefix = 'fourfold-backup-';
export const backupNameAt = (at: number): string => `${backupNamePrefix}${toIso(at).replace(/[-:]|\.\d+/g, '')}`;

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way));
};

async function checkTarget({ home, to, instructionsDir }: BackupOptions): Promise<void> {
  for (const folder of [home, instructionsDir ?? home]) {
    if (isWithin(to, folder))
      throw faults.CONFIG_ERROR({ why: `${to} is inside ${folder}: a backup there would be lost with the folder` });
  }
  const inside = await readdir(to).catch(ifMissing(undefined));
  if (inside !== undefined && inside.length > 0) throw adminFaults.TARGET_TAKEN({ path: to });
}

/**
 * Copies everything that is needed to restore the data folder. The folder gets its name when it is complete and
 * flushed.
 */
export async function backup(options: BackupOptions): Promise<BackupResult> {
  const { home, to, withKeys, filesOnly = false, storage, keys, progress = () => {} } = options;
  if (storage.backupTo === undefined && !filesOnly) throw adminFaults.BACKUP_ELSEWHERE();
  const scratch = `${to}.partial-${randomBytes(4).toString('hex')}`;
  const files: BackupFile[] = [];
  const skipped: string[] = [];

  function report(message: string): void {
    options.signal?.throwIfAborted();
    progress(files.length, undefined, message);
  }

  async function copyStore(): Promise<void> {
    if (filesOnly || storage.backupTo === undefined) return;
    const file = join(scratch, backupNames.store);
    await storage.backupTo(file);
    files.push({ path: backupNames.store, ...(await flushAndHashFile(file)) });
  }

  async function copyFolder(folder: string, name: string): Promise<void> {
    const collected = await collectFolder(folder, name, scratch, (path) => report(`copying ${path}`));
    files.push(...collected.files);
    skipped.push(...collected.skipped);
  }

  async function fill(): Promise<readonly string[]> {
    // Copy the checkpoints before the store: a checkpoint newer than the copied chain would look like a truncated
    // chain.
    report('copying the checkpoints');
    files.push(...(await collectCheckpoints(home, scratch)));
    report('copying the store');
    await copyStore();
    await copyFolder(join(home, homeNames.blobs), homeNames.blobs);
    await copyFolder(options.instructionsDir ?? join(home, homeNames.instructions), homeNames.instructions);
    report('copying the settings');
    const config = await collectConfig(home, scratch, secretNames);
    files.push(...config.files);
    skipped.push(...config.skipped);
    if (withKeys) files.push(...(await collectKey(options.keyFile, scratch)));
    return config.withheld;
  }

  await checkTarget(options);
  return cleanUpOnFailure(scratch, async () => {
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const withheld = await fill();
    const body: ManifestBody = {
      format: 'fourfold-backup',
      version: manifestVersion,
      program: options.program,
      schema: schemaVersion(options.migrations),
      at: toIso(options.clock.now()),
      store: filesOnly ? 'none' : 'sqlite',
      withKeys,
      keyId: keyIdOf(keys),
      withheld: [...withheld],
      files,
    };
    report('writing the manifest');
    await writeDurably(join(scratch, manifestName), toManifestText(keys, body));
    await flushTree(scratch);
    report('renaming the folder');
    // An empty target folder is removed first. If files appeared in it meanwhile, the rename fails and so does the
    // backup.
    await rmdir(to).catch(ifMissing(undefined));
    await rename(scratch, to);
    await flushFolder(dirname(resolve(to)));
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const { filesService } = options;
    const notIncluded = `uploaded files in ${filesService}: fourfold export contains them, or copy the bucket`;
    return {
      folder: to,
      store: body.store,
      withKeys,
      files: files.length,
      bytes,
      withheld,
      skipped,
      ...(filesService !== undefined && { notIncluded }),
    };
  });
}
