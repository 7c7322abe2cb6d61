import { stat } from 'node:fs/promises';
import { openKeys } from '#kernel/keys/keys.ts';
import { absentAs } from '../file-faults.ts';
import { type DoctorCheck, fail, ok, warn } from './doctor-check.ts';

export interface KeyQuestion {
  readonly keyFile: string;
  readonly platform: NodeJS.Platform;
  /** A store without its keys is a loss; no store and no keys is a first start. Of a database nobody knows. */
  readonly hasStore: boolean | 'unknown';
}

const name = 'keys';

export async function checkKeys({ keyFile, platform, hasStore }: KeyQuestion): Promise<DoctorCheck> {
  const found = await stat(keyFile).catch(absentAs(undefined));
  if (found === undefined) {
    if (hasStore === false) return ok(name, `${keyFile} is made at the first start`);
    if (hasStore === 'unknown') {
      return warn(
        name,
        `there is no key file ${keyFile}; the first start makes one`,
        'If the database is in use already, put the key file of the other servers there first: they must share one.',
      );
    }
    return fail(
      name,
      `the key file ${keyFile} is missing: the audit trail cannot be verified, and no API key made before is valid`,
      'Put the key file back before the next start, which would make a new one: from a backup made --with-keys, or from your own copy.',
    );
  }
  openKeys(keyFile);
  if (platform !== 'win32' && (found.mode & 0o077) !== 0) {
    return warn(name, `${keyFile} can be read by other users of this machine`, `Run: chmod 600 ${keyFile}`);
  }
  return ok(name, keyFile);
}
