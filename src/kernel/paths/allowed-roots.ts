import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { defineFaults, fault } from '../fault/fault.ts';
import { listSome } from '../text/list-some.ts';

/** What may be read, as a caller is shown it. */
export interface ShownRoots {
  readonly roots: readonly string[];
  /** Why there is none. */
  readonly whyNone?: string | undefined;
}

const listRoots = ({ roots, whyNone = 'no folder is configured' }: ShownRoots): string =>
  roots.length === 0
    ? `No folder may be read: ${whyNone}`
    : `No readable file at this path inside the allowed folders: ${roots.join(', ')}`;

export const pathFaults = defineFaults({
  /** One answer for a missing, outside or hidden path or a non-file: it reveals nothing about the outside. */
  PATH_REFUSED: fault({
    rpc: -32004,
    http: 403,
    retryable: false,
    say: (p: ShownRoots) => `${listRoots(p)}. The setting fileRoots (FOURFOLD_FILE_ROOTS) allows other folders`,
    fix: 'Check the path; move the file into an allowed folder, or add its folder to the fileRoots setting.',
  }),
});

/** Names the folders, which are settings, and not the path, which may name a person. */
export const pathRefused = (shown: ShownRoots) =>
  pathFaults.PATH_REFUSED(shown, {
    allowed_roots: shown.roots,
    setting: 'fileRoots',
    ...(shown.roots.length > 0 && {
      fix: `Use a file inside ${listSome(shown.roots)}, or add its folder to the fileRoots setting.`,
    }),
  });

const pathLimits = { pathChars: 4_096 } as const;

export interface AllowedRootsOptions extends ShownRoots {
  /** Folders whose files may be read. A relative path starts at the first. Empty: nothing may be read. */
  readonly roots: readonly string[];
  /** Folders that are never read, even inside a root: the data folder. */
  readonly forbidden?: readonly string[];
}

export interface OpenedFile {
  /** The caller closes it. It reads the checked file, whatever happens to the path afterwards. */
  readonly handle: FileHandle;
  readonly realPath: string;
  readonly stat: BigIntStats;
}

export interface AllowedRoots {
  /** Opens a regular file inside the roots for reading. Throws PATH_REFUSED for everything else. */
  open(path: string): Promise<OpenedFile>;
}

/** The path relative to the folder as steps; undefined if it is outside. */
function stepsInside(folder: string, path: string): readonly string[] | undefined {
  const way = relative(folder, path);
  if (way === '' || isAbsolute(way)) return undefined;
  const steps = way.split(sep);
  return steps[0] === '..' ? undefined : steps;
}

const isHidden = (step: string): boolean => step.startsWith('.');

/** On Windows a colon names a stream of a file, or a device. */
const hasStream = (path: string): boolean => sep === '\\' && path.slice(2).includes(':');

/** Missing: it contains nothing now, but may be created later. */
const toReal = (folder: string): Promise<string> => realpath(folder).catch(() => resolve(folder));

const isSameFile = (a: BigIntStats, b: BigIntStats): boolean => a.ino === b.ino && a.dev === b.dev;

/** Linux knows the path of an open file. Elsewhere the path is resolved again, and `isSameFile` checks the result. */
const toRealPath = (handle: FileHandle, path: string): Promise<string> =>
  readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path));

/**
 * Guards files that a caller names. The file is opened first and checked by its real path afterwards: a path can change
 * between check and open, and a check of its text always misses one spelling.
 */
export function createAllowedRoots({ roots, whyNone, forbidden = [] }: AllowedRootsOptions): AllowedRoots {
  async function isAllowed(realPath: string): Promise<boolean> {
    for (const folder of forbidden) if (stepsInside(await toReal(folder), realPath) !== undefined) return false;
    for (const root of roots) {
      const steps = stepsInside(await toReal(root), realPath);
      if (steps !== undefined && !steps.some(isHidden)) return true;
    }
    return false;
  }

  /** Opening has side effects on some files, so a path clearly outside is not opened. */
  async function isWorthOpening(path: string): Promise<boolean> {
    for (const root of roots) {
      if (stepsInside(resolve(root), path) !== undefined) return true;
      if (stepsInside(await toReal(root), path) !== undefined) return true;
    }
    return false;
  }

  async function judge(handle: FileHandle, path: string): Promise<OpenedFile | undefined> {
    const stat = await handle.stat({ bigint: true });
    if (!stat.isFile()) return undefined;
    const realPath = await toRealPath(handle, path);
    // Is the file at that path now the opened file? lstat: a real path is not a link.
    if (!isSameFile(stat, await lstat(realPath, { bigint: true }))) return undefined;
    return (await isAllowed(realPath)) ? { handle, realPath, stat } : undefined;
  }

  async function tryOpen(path: string): Promise<OpenedFile | undefined> {
    // Non-blocking: opening a pipe would otherwise wait for its writer, and a terminal would become ours.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
    const handle = await open(path, flags);
    let opened: OpenedFile | undefined;
    try {
      opened = await judge(handle, path);
    } finally {
      if (opened === undefined) await handle.close();
    }
    return opened;
  }

  return {
    async open(given) {
      const base = roots[0];
      if (base === undefined || given === '' || given.length > pathLimits.pathChars || given.includes('\0')) {
        throw pathRefused({ roots, whyNone });
      }
      const path = resolve(base, given);
      const opened =
        hasStream(path) || !(await isWorthOpening(path)) ? undefined : await tryOpen(path).catch(() => undefined);
      if (opened === undefined) throw pathRefused({ roots, whyNone });
      return opened;
    },
  };
}
