import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writes the whole file or none: it gets its name only when it is on disk. For exported files, readable by all. */
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
