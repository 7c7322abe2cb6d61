import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DoctorCheck, ok, warn } from './doctor-check.ts';

export interface InstructionsQuestion {
  /** The folder of the catalog, and whether somebody chose it. */
  readonly dir: string;
  readonly isSet: boolean;
  readonly cwd: string;
}

const name = 'instructions';

/** A folder that cannot be read is none of ours to speak of. */
const countEntries = async (folder: string): Promise<number> =>
  (await readdir(folder).catch(() => [])).filter((entry) => entry.endsWith('.json')).length;

/** RULINGS R3: somebody with `./instructions` in the working directory most likely means those. */
export async function checkInstructions({ dir, isSet, cwd }: InstructionsQuestion): Promise<DoctorCheck> {
  const near = join(cwd, 'instructions');
  const count = isSet || near === dir ? 0 : await countEntries(near);
  if (count === 0) return ok(name, dir);
  return warn(
    name,
    `${near} holds ${count} files, but the catalog is ${dir}`,
    'Set INSTRUCTIONS_DIR=./instructions to serve them.',
  );
}
