import { Fault } from '../../fault/fault.ts';
import { faults } from '../../fault/kernel-faults.ts';

export function codeOf(error: unknown): string {
  // Any thrown value passes through here; the reason of an aborted signal has a numeric code.
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

const reasons: readonly (readonly [prefix: string, why: string])[] = [
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_READONLY', 'its folder or file is read-only'],
  ['SQLITE_CANTOPEN', 'its file cannot be opened: check the folder and its permissions'],
  ['SQLITE_CORRUPT', 'its file is damaged: restore a backup'],
  ['SQLITE_NOTADB', 'its file is not a database: move it away or restore a backup'],
  ['SQLITE_IOERR', 'the disk reported an error'],
  ['SQLITE_PROTOCOL', 'its locks do not work: check the file system'],
  ['SQLITE_NOMEM', 'the program is out of memory'],
  ['SQLITE_PERM', 'permission to read its file is denied'],
];

/** Store failures become faults. Anything else is a bug and stays as it is. */
export function toStoreFault(error: unknown): unknown {
  if (error instanceof Fault) return error;
  const code = codeOf(error);
  if (isBusy(error)) return faults.STORE_BUSY(undefined, {}, { cause: error });
  const reason = reasons.find(([prefix]) => code.startsWith(prefix));
  return reason === undefined ? error : faults.STORE_UNAVAILABLE({ why: reason[1] }, {}, { cause: error });
}
