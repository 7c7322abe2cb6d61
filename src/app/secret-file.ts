import { readFileSync } from 'node:fs';
import { faults } from '#kernel/fault/kernel-faults.ts';

/** The content of a file that a setting names, without the line break at its end. */
export function readSecretFile(setting: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw faults.CONFIG_ERROR({ why: `${setting} cannot be read: ${(error as Error).message}` });
  }
}
