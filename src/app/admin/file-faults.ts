import { lstat, rm } from 'node:fs/promises';
import { adminFaults } from './admin-faults.ts';

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** For `catch`: stands in when the file or folder is not there, and passes every other trouble on. */
export const absentAs =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return instead;
    throw error;
  };

export const isThere = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(absentAs(undefined))) !== undefined;

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission is missing',
  EPERM: 'permission is missing',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EIO: 'the disk reported an error',
  EEXIST: 'it came to be there meanwhile',
  ENOTEMPTY: 'it came to be there meanwhile',
};

/** Trouble with files in our own words; anything else passes as it is. */
export function toFileFault(error: unknown): unknown {
  const reason = reasons[codeOf(error)];
  if (reason === undefined) return error;
  const { path } = error as NodeJS.ErrnoException;
  const why = path === undefined ? `A file could not be read or written: ${reason}` : `${path}: ${reason}`;
  return adminFaults.FILES_UNAVAILABLE({ why }, {}, { cause: error });
}

/** Does the work; when it fails, what it has left in `scrap` goes. */
export async function orCleanUp<T>(scrap: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Why the work failed matters more than what of it could not be cleared away.
    await rm(scrap, { recursive: true, force: true }).catch(() => {});
    throw toFileFault(error);
  }
}
