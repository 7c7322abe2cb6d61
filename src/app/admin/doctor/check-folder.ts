import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { openKeys } from '#kernel/keys/keys.ts';
import { ifMissing } from '../file-faults.ts';
import { homeNames } from '../home-layout.ts';
import { type DoctorCheck, fail, ok, warn } from './doctor-check.ts';

interface KeyCheckOptions {
  readonly keyFile: string;
  readonly platform: NodeJS.Platform;
  /** A store without its keys is a loss; neither means a first start. For a shared database it is unknown. */
  readonly hasStore: boolean | 'unknown';
}

const keysName = 'keys';

export async function checkKeys({ keyFile, platform, hasStore }: KeyCheckOptions): Promise<DoctorCheck> {
  const found = await stat(keyFile).catch(ifMissing(undefined));
  if (found === undefined) {
    if (hasStore === false) return ok(keysName, `${keyFile} is created at the first start`);
    if (hasStore === 'unknown') {
      return warn(
        keysName,
        `the key file ${keyFile} does not exist; the first start creates one`,
        'If other servers use the database, copy their key file there first: all servers must share one.',
      );
    }
    return fail(
      keysName,
      `the key file ${keyFile} is missing: the audit trail cannot be verified, and existing API keys are invalid`,
      'Put the key file back before the next start creates a new one: from a backup made with --with-keys, or from your own copy.',
    );
  }
  openKeys(keyFile);
  if (platform !== 'win32' && (found.mode & 0o077) !== 0) {
    return warn(keysName, `${keyFile} can be read by other users of this machine`, `Run: chmod 600 ${keyFile}`);
  }
  return ok(keysName, keyFile);
}

export const diskLimits = { freeFailBytes: 50 * 1024 * 1024, freeWarnBytes: 500 * 1024 * 1024 } as const;

/** Filesystem types of statfs(2) on which locks or flushes are not reliable. */
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

/** Filesystems that are lost when the machine or the container restarts. */
const temporary: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs, which is in memory'],
  [0x858458f6, 'ramfs, which is in memory'],
  [0x794c7630, 'an overlay, which is deleted with its container'],
]);

interface DiskFacts {
  /** Undefined if the platform does not report it. */
  readonly type: number | undefined;
  readonly freeBytes: number;
  readonly isInTemp: boolean;
}

const toText = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${(bytes / 1024 ** 3).toFixed(1)} GiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`;

export function toDiskCheck({ type, freeBytes, isInTemp }: DiskFacts): DoctorCheck {
  const free = `${toText(freeBytes)} free`;
  const kind = type === undefined ? undefined : type >>> 0;
  const network = kind === undefined ? undefined : networks.get(kind);
  const fleeting = kind === undefined ? undefined : temporary.get(kind);
  const move = 'Move the data folder to a local disk: set FOURFOLD_HOME.';
  if (freeBytes < diskLimits.freeFailBytes) return fail('disk', free, 'Free disk space: without it every write fails.');
  if (network !== undefined)
    return fail('disk', `the data folder is on ${network}, where several processes can damage the store`, move);
  if (fleeting !== undefined) return warn('disk', `the data folder is on ${fleeting}`, move);
  if (isInTemp) return warn('disk', 'the data folder is in the folder for temporary files, which may be deleted', move);
  if (freeBytes < diskLimits.freeWarnBytes) return warn('disk', free, 'Free disk space soon.');
  return ok('disk', free);
}

export interface FolderCheckOptions {
  readonly home: string;
  readonly tempDir: string;
  readonly platform: NodeJS.Platform;
}

const name = 'data folder';

/** The folder, or its nearest existing parent. */
async function nearest(folder: string): Promise<string> {
  const found = await stat(folder).catch(ifMissing(undefined));
  return found !== undefined || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

/** Tries to write: permissions alone do not reveal a read-only or full disk. */
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

export async function checkFolder({ home, platform }: FolderCheckOptions): Promise<readonly DoctorCheck[]> {
  const there = await nearest(home);
  const found = await stat(there);
  const elsewhere = 'or choose another folder with FOURFOLD_HOME';
  if (!found.isDirectory()) return [fail(name, `${there} is a file, not a folder`, `Move it away, ${elsewhere}.`)];
  const trouble = await findWriteTrouble(there);
  if (trouble !== undefined) {
    return [
      fail(
        name,
        `${there} is not writable (${trouble})`,
        `Give this user write permission, free disk space, ${elsewhere}.`,
      ),
    ];
  }
  if (there !== home) return [ok(name, `${home} is created at the first start`)];
  const checks: DoctorCheck[] = [];
  if (platform !== 'win32' && (found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8);
    checks.push(
      warn(name, `${home} can be entered by other users of this machine (mode ${mode})`, `Run: chmod 700 ${home}`),
    );
  }
  if ((await readdir(home)).some((entry) => entry.startsWith('.restoring-'))) {
    checks.push(
      warn(name, `a restore into ${home} was interrupted or is running`, 'If no restore is running, run it again.'),
    );
  }
  const rescue = (await readdir(home)).find((entry) => entry.startsWith(`${homeNames.store}.rescue-`));
  if (rescue !== undefined) {
    checks.push(
      warn(
        name,
        `${rescue} was written when the store was deleted or moved while a program used it`,
        'If the store is missing or older, stop all processes and rename the copy to fourfold.db. Otherwise delete the copy.',
      ),
    );
  }
  return checks.length > 0 ? checks : [ok(name, home)];
}

const isWithin = (path: string, folder: string): boolean => {
  const [first] = relative(folder, path).split(sep);
  return first !== '..' && !/^[A-Za-z]:/.test(first ?? '');
};

export async function checkDisk({ home, tempDir, platform }: FolderCheckOptions): Promise<DoctorCheck> {
  const { type, bavail, bsize } = await statfs(await nearest(home));
  return toDiskCheck({
    type: platform === 'linux' ? type : undefined,
    freeBytes: bavail * bsize,
    isInTemp: isWithin(home, tempDir),
  });
}
