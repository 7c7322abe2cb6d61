import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Clock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { openKeys } from '#kernel/keys/keys.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import { lockStore } from '#kernel/storage/sqlite/inspect.ts';
import { adminFaults } from '../admin-faults.ts';
import { exists, ifMissing, toFileFault } from '../file-faults.ts';
import { homeNames } from '../home-layout.ts';
import type { AdminProgress } from '../operator-call.ts';
import { backupNames, checkMac, keyIdOf, type Manifest } from './manifest.ts';
import {
  asideSuffix,
  findTaken,
  keyNameInHome,
  type ListedFile,
  moveAside,
  type RestoreTarget,
} from './restore-paths.ts';
import { createStaging, type Staging } from './staging.ts';
import { verifyBackup } from './verify-backup.ts';

/** The keys of the restored store: those of the backup, the existing ones, or new ones. */
type KeyChoice = 'from-backup' | 'kept' | 'new';

interface KeyQuestion {
  readonly from: string;
  readonly keyFile: string;
  readonly manifest: Manifest;
  readonly newKeys: boolean;
}

/** Rejects a restore after which the audit chain cannot be verified, unless the caller accepts that. */
async function chooseKeys({ from, keyFile, manifest, newKeys }: KeyQuestion): Promise<KeyChoice> {
  const { withKeys, keyId } = manifest.body;
  if (withKeys) {
    checkMac(openKeys(join(from, backupNames.key)), manifest);
    return 'from-backup';
  }
  if (await exists(keyFile)) {
    const keys = openKeys(keyFile);
    if (keyIdOf(keys) === keyId) {
      checkMac(keys, manifest);
      return 'kept';
    }
    if (!newKeys)
      throw adminFaults.KEYS_MISSING({ why: `The backup was made under other keys than those in ${keyFile}` });
    return 'kept';
  }
  if (!newKeys)
    throw adminFaults.KEYS_MISSING({ why: `The backup has no keys, and the key file ${keyFile} does not exist` });
  return 'new';
}

export interface RestoreOptions extends RestoreTarget {
  readonly from: string;
  /** Moves existing files aside instead of rejecting the restore. */
  readonly force?: boolean | undefined;
  /** Continues without the keys of the backup. */
  readonly newKeys?: boolean | undefined;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  /** Aborts the restore before its first change. */
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
}

export interface RestoreResult {
  readonly home: string;
  readonly madeAt: string;
  readonly schema: number;
  readonly files: number;
  readonly keys: KeyChoice;
  /** Where the previous contents of the data folder are now. */
  readonly movedAside: string | undefined;
  /** Settings that are not in the backup and must be set again. */
  readonly withheld: readonly string[];
}

/** A damaged store cannot report whether it is in use; it is moved aside anyway, not deleted. */
async function refuseUsed(home: string): Promise<void> {
  const file = join(home, homeNames.store);
  if (!(await exists(file))) return;
  const hold = lockStore(file);
  if (hold === 'in-use') throw adminFaults.STORE_IN_USE({ file });
  // Release before the move: closing a connection deletes the log by name, and that name will belong to the new store.
  if (hold !== 'unreadable') hold.release();
}

/** Undefined if nothing was ever forgotten. */
const readTombstones = (home: string): Promise<Buffer | undefined> =>
  readFile(join(home, homeNames.tombstones)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });

async function createKeys({ keyFile }: RestoreTarget): Promise<void> {
  await mkdir(dirname(keyFile), { recursive: true, mode: 0o700 });
  openKeys(keyFile);
}

/** The store comes last: the rest of the program treats a folder without a store as empty. */
const inOrder = (files: readonly ListedFile[]): readonly ListedFile[] =>
  files.toSorted((a, b) => Number(a.path === backupNames.store) - Number(b.path === backupNames.store));

async function clearTheWay(
  target: RestoreTarget,
  keys: KeyChoice,
  at: number,
  staging: Staging,
): Promise<string | undefined> {
  const keyName = keyNameInHome(target);
  // Keep a key that is still in use: a kill at this point must not separate the store from its key.
  const movedAside = await moveAside(target.home, at, keys === 'kept' ? keyName : undefined, staging.name);
  const isElsewhere = keyName === undefined && (await exists(target.keyFile));
  if (keys === 'from-backup' && isElsewhere) await rename(target.keyFile, `${target.keyFile}.${asideSuffix(at)}`);
  return movedAside;
}

/**
 * Restores a backup into the data folder. Everything is verified and copied to the same disk before the first change.
 */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { force = false, newKeys = false, migrations, clock, signal, progress = () => {} } = options;
  const target: RestoreTarget = { home: resolve(options.home), keyFile: resolve(options.keyFile) };
  const staging = createStaging(target, progress);

  async function prepare() {
    const from = await realpath(options.from).catch(ifMissing(resolve(options.from)));
    const manifest = await verifyBackup(from, migrations, (...step) => {
      signal?.throwIfAborted();
      progress(...step);
    });
    const keys = await chooseKeys({ from, keyFile: target.keyFile, manifest, newKeys });
    const { files } = manifest.body;
    const taken = force ? [] : await findTaken(files, target);
    if (taken.length > 0) throw adminFaults.HOME_TAKEN({ home: target.home, names: taken.join(', ') });
    if (force) await refuseUsed(target.home);
    await staging.fill(from, files, signal);
    // Check again: copying takes time, and a process may have opened the store meanwhile.
    if (force) await refuseUsed(target.home);
    return { body: manifest.body, keys };
  }

  async function placeAll(files: readonly ListedFile[], movedAside: string | undefined): Promise<void> {
    try {
      await staging.place(inOrder(files));
    } catch (error) {
      const fault = toFileFault(error);
      if (movedAside === undefined || !(fault instanceof Fault)) throw fault;
      throw new Fault(fault.kind, `${fault.message} (the previous files are in ${movedAside})`, fault.details, {
        cause: error,
      });
    }
  }

  try {
    const { body, keys } = await prepare();
    const tombstones = await readTombstones(target.home);
    const movedAside = force ? await clearTheWay(target, keys, clock.now(), staging) : undefined;
    // Before the store is there: a store without its key is refused.
    if (keys === 'new') await createKeys(target);
    await placeAll(body.files, movedAside);
    // What was forgotten after the backup is forgotten again when the store is opened.
    if (tombstones !== undefined) await writeFile(join(target.home, homeNames.tombstones), tombstones, { mode: 0o600 });
    await staging.clear('all');
    const { at: madeAt, schema, files, withheld } = body;
    return { home: target.home, madeAt, schema, files: files.length, keys, movedAside, withheld };
  } catch (error) {
    await staging.clear('own').catch(() => {});
    throw toFileFault(error);
  }
}
