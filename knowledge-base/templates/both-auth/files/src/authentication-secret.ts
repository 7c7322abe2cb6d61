import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const file = '.authentication-secret';

const isThere = (error: unknown) => (error as { code?: unknown }).code === 'EEXIST';

// For development: made at the first start and kept out of git. Servers get theirs from FEATHERS_SECRET, so that
// several of them take each other's tokens.
export const ownSecret = () => {
  if (process.env.NODE_ENV === 'production') {
    throw new Error('Set FEATHERS_SECRET to at least 32 random characters');
  }
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!isThere(error)) throw error;
  }
  return readFileSync(file, 'utf8');
};
