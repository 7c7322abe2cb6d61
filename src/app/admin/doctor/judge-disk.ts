import { type DoctorCheck, fail, ok, warn } from './doctor-check.ts';

export const diskLimits = { freeFailBytes: 50 * 1024 * 1024, freeWarnBytes: 500 * 1024 * 1024 } as const;

/** The numbers by which Linux tells filesystems apart (statfs(2)): those on which locks or flushes cannot be trusted. */
const networks: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x65735546, 'FUSE'],
]);

/** Those that are gone after a restart of the machine or the container. */
const passing: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs, which lives in memory'],
  [0x858458f6, 'ramfs, which lives in memory'],
  [0x794c7630, 'an overlay, which goes with its container'],
]);

export interface DiskFacts {
  /** Undefined where the platform does not tell. */
  readonly type: number | undefined;
  readonly freeBytes: number;
  /** Below the folder for temporary files. */
  readonly isInTemp: boolean;
}

const toText = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${(bytes / 1024 ** 3).toFixed(1)} GiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`;

export function judgeDisk({ type, freeBytes, isInTemp }: DiskFacts): DoctorCheck {
  const free = `${toText(freeBytes)} free`;
  const kind = type === undefined ? undefined : type >>> 0;
  const network = kind === undefined ? undefined : networks.get(kind);
  const fleeting = kind === undefined ? undefined : passing.get(kind);
  const move = 'Move the data folder to a disk of this machine: set FOURFOLD_HOME.';
  if (freeBytes < diskLimits.freeFailBytes)
    return fail('disk', free, 'Make room: a store that cannot grow refuses every write.');
  if (network !== undefined)
    return fail('disk', `the data folder is on ${network}, where several processes can damage the store`, move);
  if (fleeting !== undefined) return warn('disk', `the data folder is on ${fleeting}`, move);
  if (isInTemp) return warn('disk', 'the data folder is among the temporary files, which are cleared', move);
  if (freeBytes < diskLimits.freeWarnBytes) return warn('disk', free, 'Make room soon.');
  return ok('disk', free);
}
