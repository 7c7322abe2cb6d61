import { join } from 'node:path';
import { openKeys } from '#kernel/keys/keys.ts';
import { adminFaults } from '../admin-faults.ts';
import { isThere } from '../file-faults.ts';
import { backupNames, checkMac, keyIdOf, type Manifest } from './manifest.ts';

/** Under which keys the restored store will be read: those of the backup, those that are here already, or new ones. */
export type KeyChoice = 'from-backup' | 'kept' | 'new';

export interface KeyQuestion {
  readonly from: string;
  readonly keyFile: string;
  readonly manifest: Manifest;
  readonly newKeys: boolean;
}

/** Refuses a restore that would leave a store behind whose chain nobody can verify, unless that is wanted. */
export async function chooseKeys({ from, keyFile, manifest, newKeys }: KeyQuestion): Promise<KeyChoice> {
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
