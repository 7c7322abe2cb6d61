import { mkdirSync } from 'node:fs';
import { faults } from '#kernel/fault/kernel-faults.ts';

/** The data folder, for its owner alone. */
export function makeHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw faults.STORE_UNAVAILABLE({ why: `the data folder ${home} cannot be made (${(error as Error).message})` });
  }
}
