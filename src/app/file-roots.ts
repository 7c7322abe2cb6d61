import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { ShownRoots } from '#kernel/paths/allowed-roots.ts';

export interface FileRootsOptions {
  /** The setting; undefined if it is not set. */
  readonly configured: readonly string[] | undefined;
  readonly surface: 'stdio' | 'http' | 'cli';
  readonly cwd: string;
  readonly userHome: string;
  readonly dataFolder: string;
}

export function toReal(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // It does not exist yet.
    return resolve(folder);
  }
}

/** Whether the folder is the path itself or contains it. */
function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way.split(sep)[0] !== '..');
}

/** A client may start the program anywhere, so a folder with everything of a user is not meant to be read. */
function whyNotReadable({ cwd: given, userHome, dataFolder: folder }: FileRootsOptions): string | undefined {
  const [cwd, home, dataFolder] = [toReal(given), toReal(userHome), toReal(folder)];
  if (dirname(cwd) === cwd) return 'the working directory is the root of the file system';
  if (contains(cwd, home)) return 'the working directory is or contains the home folder';
  if (contains(cwd, dataFolder)) return 'the working directory is or contains the data folder';
  return contains(dataFolder, cwd) ? 'the working directory is inside the data folder' : undefined;
}

/** By default, a program on the user's machine may read its working directory; an HTTP server may read nothing. */
export function chooseFileRoots(options: FileRootsOptions): ShownRoots {
  const { configured, surface, cwd } = options;
  if (configured !== undefined) return { roots: configured, whyNone: 'the setting fileRoots is empty' };
  if (surface === 'http') return { roots: [], whyNone: 'over HTTP there is no default' };
  const whyNone = whyNotReadable(options);
  return whyNone === undefined ? { roots: [cwd] } : { roots: [], whyNone };
}
