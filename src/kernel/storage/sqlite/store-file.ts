import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import { systemClock } from '../../clock/clock.ts';
import { flushFolderSync } from '../../paths/flush-folder.ts';

/**
 * Detects that the open files are no longer the ones at their paths. SQLite does not notice: it continues to write to a
 * deleted file, and everything written is gone when the process ends.
 */
export interface StoreFile {
  /** Why nothing must be written, or undefined. Becomes undefined again when the same files are back. */
  problem(): string | undefined;
  /** The same for the main file alone; SQLite removes the others when it closes the file. */
  mainProblem(): string | undefined;
  /** When the files were last seen in place. */
  readonly seenAt: number;
}

/** The log holds commits that are not in the main file yet, and the shared memory holds the locks of all processes. */
const parts = ['', '-wal', '-shm'] as const;

/** Device and inode; on Windows the volume and the file id. The size and the times change with each write. */
function identityOf(path: string): string {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'missing' : `${found.dev}:${found.ino}`;
  } catch (error) {
    return `unreadable (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`;
  }
}

/** To be called after the first read, when SQLite has opened all three files. */
export function watchStoreFile(file: string): StoreFile {
  const opened = parts.map((part) => identityOf(`${file}${part}`));
  let seenAt = systemClock.now();
  const problemOf = (part: (typeof parts)[number], i: number): string | undefined => {
    const found = identityOf(`${file}${part}`);
    return found === opened[i] ? undefined : describe(part, found);
  };
  return {
    get seenAt() {
      return seenAt;
    },
    problem() {
      for (const [i, part] of parts.entries()) {
        const problem = problemOf(part, i);
        if (problem !== undefined) return problem;
      }
      seenAt = systemClock.now();
      return undefined;
    },
    mainProblem: () => problemOf('', 0),
  };
}

function describe(part: (typeof parts)[number], found: string): string {
  const what = part === '' ? 'its file' : `the file that ends in ${part}`;
  if (found === 'missing')
    return `${what} was deleted or moved while the program runs: put it back, or restart after restoring a backup or the rescue copy`;
  if (found.startsWith('unreadable')) return `${what} can no longer be accessed: ${found}`;
  return `another file has taken the place of ${what} while the program runs: restart the program`;
}

const rescueName = (file: string, now: number): string =>
  `${basename(file)}.rescue-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

/** A complete copy that another process has written since our files were last in place. */
function findRescue(file: string, since: number): string | undefined {
  const folder = dirname(file);
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(file)}.rescue-`))
    .find((name) => {
      const { size, ctimeMs } = statSync(join(folder, name));
      return size > 0 && ctimeMs >= since;
    });
}

function flushFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Gives the copy its name only when it is complete, and never replaces a file: the name is reserved first. */
function placeCopy(copy: string, file: string): string {
  for (let attempt = 0; ; attempt += 1) {
    const name = `${rescueName(file, systemClock.now())}${attempt === 0 ? '' : `-${attempt}`}`;
    const target = join(dirname(file), name);
    try {
      closeSync(openSync(target, 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      continue;
    }
    renameSync(copy, target);
    return name;
  }
}

/** Copies everything that the open connection sees to a file next to the store. Returns its name. */
export async function writeRescueCopy(
  db: Pick<Database.Database, 'backup'>,
  file: string,
  seenAt: number,
): Promise<string> {
  const known = findRescue(file, seenAt);
  if (known !== undefined) return known;
  const copy = join(dirname(file), `.${basename(file)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  try {
    await db.backup(copy);
    chmodSync(copy, 0o600);
    flushFile(copy);
    const name = placeCopy(copy, file);
    flushFolderSync(dirname(file));
    return name;
  } finally {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true });
  }
}
