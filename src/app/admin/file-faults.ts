import { lstat, rm } from 'node:fs/promises';
import { adminFaults } from './admin-faults.ts';

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** For `catch`: returns `instead` if the file or folder does not exist, and rethrows every other error. */
export const ifMissing =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return instead;
    throw error;
  };

export const exists = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(ifMissing(undefined))) !== undefined;

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EIO: 'the disk reported an error',
  EEXIST: 'it was created meanwhile',
  ENOTEMPTY: 'it was created meanwhile',
};

/** Turns a file error into a fault; returns every other error as it is. */
export function toFileFault(error: unknown): unknown {
  const reason = reasons[codeOf(error)];
  if (reason === undefined) return error;
  const { path } = error as NodeJS.ErrnoException;
  const why = path === undefined ? `A file could not be read or written: ${reason}` : `${path}: ${reason}`;
  return adminFaults.FILES_UNAVAILABLE({ why }, {}, { cause: error });
}

/** Runs the work; if it fails, deletes `scrap`. */
export async function cleanUpOnFailure<T>(scrap: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The original error matters more than a failed clean-up.
    await rm(scrap, { recursive: true, force: true }).catch(() => {});
    throw toFileFault(error);
  }
}
