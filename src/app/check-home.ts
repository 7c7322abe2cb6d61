import { closeSync, existsSync, openSync, readdirSync, readSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { adminFaults } from './admin/admin-faults.ts';
import { homeNames } from './admin/home-layout.ts';

export interface HomeFiles {
  readonly home: string;
  readonly keyFile: string;
  /** False if the store is a database elsewhere. */
  readonly isStoreLocal: boolean;
}

const isFilled = (path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true ? readdirSync(path).length > 0 : (found?.size ?? 0) > 0;
};

const storeMagic = 'SQLite format 3\0';

/** A file that is something else has no audit trail that would need the key. */
function isStore(path: string): boolean {
  if (!isFilled(path) || statSync(path).isDirectory()) return false;
  const start = Buffer.alloc(storeMagic.length);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, start.length, 0);
  } finally {
    closeSync(file);
  }
  return start.toString('latin1') === storeMagic;
}

/** A first upload that fails leaves empty folders, or a temporary file if it was killed, before there is a store. */
const hasUploads = (folder: string): boolean =>
  isFilled(folder) &&
  readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && basename(entry.parentPath) !== 'tmp',
  );

/** What only a store leaves behind. An instructions folder or a key file may exist before the first start. */
function signsOfStore(home: string): readonly string[] {
  const left = readdirSync(home).filter(
    (name) => name.startsWith(`${homeNames.store}.rescue-`) || name.startsWith('fourfold-backup-'),
  );
  // The first start creates the store before its log, but both are empty for a moment.
  const log = existsSync(join(home, homeNames.store)) ? [] : [`${homeNames.store}-wal`];
  const known = [homeNames.checkpoints, ...log].filter((name) => isFilled(join(home, name)));
  const uploads = hasUploads(join(home, homeNames.blobs)) ? [homeNames.blobs] : [];
  return [...known, ...uploads, ...left];
}

/** A missing store or key file that existed before: creating a new one would hide the loss. */
export function findMissing({ home, keyFile, isStoreLocal }: HomeFiles) {
  const store = join(home, homeNames.store);
  // A folder that does not exist or is a file is reported when it is opened.
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  if (!existsSync(keyFile)) {
    const hasStore = isStoreLocal && isStore(store);
    const signs = [hasStore ? store : '', join(home, homeNames.checkpoints)].filter(
      (path) => path !== '' && isFilled(path),
    );
    if (signs[0] !== undefined) return { what: `The key file ${keyFile}`, signs: signs[0] };
  }
  if (!isStoreLocal || isFilled(store)) return undefined;
  const [sign] = signsOfStore(home);
  return sign === undefined ? undefined : { what: `The store ${store}`, signs: join(home, sign) };
}

/** Throws DATA_MISSING, unless the user wants to begin with new files. */
export function checkHome(files: HomeFiles, startEmpty: boolean, clock: Clock): void {
  const missing = findMissing(files);
  if (missing === undefined) return;
  if (!startEmpty) throw adminFaults.DATA_MISSING(missing);
  // They belong to the lost store or key, and would make the new audit trail look truncated or forged.
  const checkpoints = join(files.home, homeNames.checkpoints);
  if (existsSync(checkpoints))
    renameSync(checkpoints, `${checkpoints}.before-${toIso(clock.now()).replaceAll(/[-:.]/g, '')}`);
}
