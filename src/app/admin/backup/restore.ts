import { realpath, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clock } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { openKeys } from '#kernel/keys/keys.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import { lockStore } from '#kernel/storage/sqlite/inspect.ts';
import { adminFaults } from '../admin-faults.ts';
import { type AdminProgress, type AdminStep, runSteps } from '../admin-step.ts';
import { absentAs, isThere, toFileFault } from '../file-faults.ts';
import { homeNames } from '../home-layout.ts';
import { backupNames, checkMac, keyIdOf, type Manifest } from './manifest.ts';
import { asideSuffix, moveAside } from './move-aside.ts';
import { findTaken, keyNameInHome, type ListedFile, type RestoreTarget } from './restore-places.ts';
import { createStaging, type Staging } from './staging.ts';
import { verifyBackup } from './verify-backup.ts';

/** Under which keys the restored store will be read: those of the backup, those that are here already, or new ones. */
type KeyChoice = 'from-backup' | 'kept' | 'new';

interface KeyQuestion {
  readonly from: string;
  readonly keyFile: string;
  readonly manifest: Manifest;
  readonly newKeys: boolean;
}

/** Refuses a restore that would leave a store behind whose chain nobody can verify, unless that is wanted. */
async function chooseKeys({ from, keyFile, manifest, newKeys }: KeyQuestion): Promise<KeyChoice> {
  const { withKeys, keyId } = manifest.body;
  if (withKeys) {
    checkMac(openKeys(join(from, backupNames.key)), manifest);
    return 'from-backup';
  }
  if (await isThere(keyFile)) {
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
    throw adminFaults.KEYS_MISSING({ why: `The backup holds no keys, and there is no key file ${keyFile}` });
  return 'new';
}

export interface RestoreOptions extends RestoreTarget {
  readonly from: string;
  /** Moves what is in the data folder aside instead of refusing. */
  readonly force?: boolean | undefined;
  /** Goes on without the keys that the backup was made under. */
  readonly newKeys?: boolean | undefined;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  /** Stops it as long as nothing was changed. */
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
  /** Run in order when everything is in its place. */
  readonly afterRestore?: readonly AdminStep[] | undefined;
}

export interface RestoreResult {
  readonly home: string;
  readonly madeAt: string;
  readonly schema: number;
  readonly files: number;
  readonly keys: KeyChoice;
  /** Where what was here before has gone. */
  readonly movedAside: string | undefined;
  /** Settings that were left out of the backup and must be set again. */
  readonly withheld: readonly string[];
}

/** A file that is no database cannot be asked; it is what one restores over, and it is moved, not deleted. */
async function refuseUsed(home: string): Promise<void> {
  const file = join(home, homeNames.store);
  if (!(await isThere(file))) return;
  const hold = lockStore(file);
  if (hold === 'in-use') throw adminFaults.STORE_IN_USE({ file });
  // Released before the file moves: the end of a connection removes a log by its name, which will soon be the new store's.
  if (hold !== 'unreadable') hold.release();
}

/** The store last: a folder without one is empty to every other part of the program. */
const inOrder = (files: readonly ListedFile[]): readonly ListedFile[] =>
  files.toSorted((a, b) => Number(a.path === backupNames.store) - Number(b.path === backupNames.store));

async function clearTheWay(
  target: RestoreTarget,
  keys: KeyChoice,
  at: number,
  staging: Staging,
): Promise<string | undefined> {
  const keyName = keyNameInHome(target);
  // A key that goes on being used stays: a kill in the middle must not part the store from it.
  const movedAside = await moveAside(target.home, at, keys === 'kept' ? keyName : undefined, staging.name);
  const isElsewhere = keyName === undefined && (await isThere(target.keyFile));
  if (keys === 'from-backup' && isElsewhere) await rename(target.keyFile, `${target.keyFile}.${asideSuffix(at)}`);
  return movedAside;
}

/** Puts a backup into the data folder. Everything is looked at and copied onto the same disk before anything is changed. */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { force = false, newKeys = false, migrations, clock, signal, progress = () => {}, afterRestore = [] } = options;
  const target: RestoreTarget = { home: resolve(options.home), keyFile: resolve(options.keyFile) };
  const staging = createStaging(target, progress);

  async function prepare() {
    const from = await realpath(options.from).catch(absentAs(resolve(options.from)));
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
    // Once more: copying took its time, and somebody may have started the program meanwhile.
    if (force) await refuseUsed(target.home);
    return { body: manifest.body, keys };
  }

  async function placeAll(files: readonly ListedFile[], movedAside: string | undefined): Promise<void> {
    try {
      await staging.place(inOrder(files));
    } catch (error) {
      const fault = toFileFault(error);
      if (movedAside === undefined || !(fault instanceof Fault)) throw fault;
      throw new Fault(fault.kind, `${fault.message} (what was here before is in ${movedAside})`, fault.details, {
        cause: error,
      });
    }
  }

  try {
    const { body, keys } = await prepare();
    const movedAside = force ? await clearTheWay(target, keys, clock.now(), staging) : undefined;
    await placeAll(body.files, movedAside);
    await staging.clear('all');
    await runSteps(afterRestore, progress);
    const { at: madeAt, schema, files, withheld } = body;
    return { home: target.home, madeAt, schema, files: files.length, keys, movedAside, withheld };
  } catch (error) {
    await staging.clear('own').catch(() => {});
    throw toFileFault(error);
  }
}
