import { hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { faults } from '../fault/kernel-faults.ts';

/** One secret a deployment; every use has a key of its own derived from it, so that none can stand in for another. */
export interface Keys {
  derive(purpose: string): Buffer;
}

const secretBytes = 32;

export function createKeys(secret: Uint8Array): Keys {
  const derived = new Map<string, Buffer>();
  return {
    derive(purpose) {
      let key = derived.get(purpose);
      if (key === undefined) {
        key = Buffer.from(hkdfSync('sha256', secret, 'fourfold', purpose, secretBytes));
        derived.set(purpose, key);
      }
      return key;
    },
  };
}

function readSecret(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw faults.CONFIG_ERROR({ why: `the key file ${file} cannot be read: ${(error as Error).message}` });
  }
  const secret = Buffer.from(text.trim(), 'base64url');
  if (secret.length !== secretBytes) throw faults.CONFIG_ERROR({ why: `the key file ${file} is damaged: restore it from a backup made --with-keys` });
  return secret;
}

/** Reads the key file, or makes it. Two processes that start together end with the same secret: the first link wins. */
export function openKeys(file: string): Keys {
  const found = readSecret(file);
  if (found !== undefined) return createKeys(found);
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(temporary, `${randomBytes(secretBytes).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const made = readSecret(file);
  if (made === undefined) throw faults.CONFIG_ERROR({ why: `the key file ${file} could not be made` });
  return createKeys(made);
}
