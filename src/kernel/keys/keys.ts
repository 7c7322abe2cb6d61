import { hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { faults } from '../fault/kernel-faults.ts';

/** One secret per deployment; each purpose has its own derived key, so that none can replace another. */
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
  if (secret.length !== secretBytes)
    throw faults.CONFIG_ERROR({ why: `the key file ${file} is damaged: restore it from a backup made --with-keys` });
  return secret;
}

/** A name is durable only after its folder is flushed too; Windows has no such call and needs none. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Processes that start together end with the same secret: the first link wins. */
function makeSecret(file: string): void {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const text = `${randomBytes(secretBytes).toString('base64url')}\n`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(temporary, file);
    flushFolder(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw faults.CONFIG_ERROR({ why: `the key file ${file} could not be made: ${(error as Error).message}` });
  } finally {
    rmSync(temporary, { force: true });
  }
}

export function openKeys(file: string): Keys {
  let secret = readSecret(file);
  if (secret === undefined) {
    makeSecret(file);
    secret = readSecret(file);
  }
  if (secret === undefined) throw faults.CONFIG_ERROR({ why: `the key file ${file} vanished while it was made` });
  return createKeys(secret);
}
