import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { absentAs } from '../file-faults.ts';
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

interface DiskFacts {
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

export interface FolderQuestion {
  readonly home: string;
  readonly tempDir: string;
  readonly platform: NodeJS.Platform;
}

const name = 'data folder';

/** The folder itself, or what of the path to it is there. */
async function nearest(folder: string): Promise<string> {
  const found = await stat(folder).catch(absentAs(undefined));
  return found !== undefined || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

/** By trying: permissions alone do not tell of a disk that is read-only or full. */
async function findWriteTrouble(folder: string): Promise<string | undefined> {
  const probe = join(folder, `.doctor-${randomBytes(4).toString('hex')}`);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    await writeFile(probe, 'x', { flag: 'wx', mode: 0o600, flush: true });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}

export async function checkFolder({ home, platform }: FolderQuestion): Promise<readonly DoctorCheck[]> {
  const there = await nearest(home);
  const found = await stat(there);
  const elsewhere = 'or name another folder with FOURFOLD_HOME';
  if (!found.isDirectory()) return [fail(name, `${there} is a file, not a folder`, `Move it away, ${elsewhere}.`)];
  const trouble = await findWriteTrouble(there);
  if (trouble !== undefined) {
    return [
      fail(
        name,
        `${there} cannot be written (${trouble})`,
        `Give this user the right to write there, make room, ${elsewhere}.`,
      ),
    ];
  }
  if (there !== home) return [ok(name, `${home} is made at the first start`)];
  const checks: DoctorCheck[] = [];
  if (platform !== 'win32' && (found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8);
    checks.push(
      warn(name, `${home} can be entered by other users of this machine (mode ${mode})`, `Run: chmod 700 ${home}`),
    );
  }
  if ((await readdir(home)).some((entry) => entry.startsWith('.restoring-'))) {
    checks.push(
      warn(
        name,
        `a restore into ${home} did not come to its end, or is running now`,
        'Run the restore again if none is running.',
      ),
    );
  }
  return checks.length > 0 ? checks : [ok(name, home)];
}

const isWithin = (path: string, folder: string): boolean => {
  const [first] = relative(folder, path).split(sep);
  return first !== '..' && !/^[A-Za-z]:/.test(first ?? '');
};

export async function checkDisk({ home, tempDir, platform }: FolderQuestion): Promise<DoctorCheck> {
  const { type, bavail, bsize } = await statfs(await nearest(home));
  return judgeDisk({
    type: platform === 'linux' ? type : undefined,
    freeBytes: bavail * bsize,
    isInTemp: isWithin(home, tempDir),
  });
}
