import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A whole file or none: it gets its name when it is on the disk. For files that people asked for, readable by all. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  const scratch = join(dirname(path), `.${basename(path)}.tmp`);
  try {
    const handle = await open(scratch, 'w', 0o644);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(scratch, path);
  } catch (error) {
    await rm(scratch, { force: true });
    throw error;
  }
}
