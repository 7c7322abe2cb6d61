import { stat } from 'node:fs/promises';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type Migration, schemaVersion } from '#kernel/storage/migration.ts';
import {
  inspectStore,
  quickCheck,
  readDurabilitySettings,
  type StoreInspection,
} from '#kernel/storage/sqlite/inspect.ts';
import { exists, ifMissing } from '../file-faults.ts';
import { type DoctorCheck, fail, ok, toFailure, warn } from './doctor-check.ts';

export const storeCheckLimits = { quickCheckBytes: 2 * 1024 ** 3, walBytes: 64 * 1024 ** 2 } as const;

export interface SqliteCheckOptions {
  readonly file: string;
  readonly migrations: readonly Migration[];
  readonly platform: NodeJS.Platform;
  /** Checks the whole file, regardless of its size. */
  readonly isThorough: boolean;
}

const name = 'store';
const restoreFix =
  'Stop all processes and restore a backup: fourfold restore <folder> --force moves the damaged store aside.';

function checkWhole({ file, isThorough }: SqliteCheckOptions, { bytes }: StoreInspection): DoctorCheck {
  if (bytes > storeCheckLimits.quickCheckBytes && !isThorough) {
    return ok('integrity', `skipped: checking ${(bytes / 1024 ** 3).toFixed(1)} GiB takes too long`);
  }
  const verdict = quickCheck(file);
  return verdict === 'ok'
    ? ok('integrity', 'the file is intact')
    : fail('integrity', `the file is damaged: ${verdict}`, restoreFix);
}

function checkDurability(file: string): DoctorCheck {
  try {
    const { sqlite, journalMode, synchronous } = readDurabilitySettings(file);
    const isDurable = journalMode === 'wal' && synchronous === 2;
    const detail = `SQLite ${sqlite}, journal ${journalMode}, synchronous ${synchronous === 2 ? 'full' : synchronous}`;
    return isDurable
      ? ok('durability', detail)
      : fail('durability', `${detail}: acknowledged writes could be lost`, 'Move the data folder to a local disk.');
  } catch (error) {
    return toFailure('durability', error);
  }
}

/** Read-only: a store of another version is neither migrated nor changed. */
export async function checkSqlite(options: SqliteCheckOptions): Promise<readonly DoctorCheck[]> {
  const { file, migrations, platform } = options;
  const found = await stat(file).catch(ifMissing(undefined));
  if (found === undefined) return [ok(name, `${file} is created at the first start`)];
  const inspection = inspectStore(file);
  const known = schemaVersion(migrations);
  const { schema, walBytes } = inspection;
  if (schema > known)
    return [toFailure(name, faults.STORE_NEWER({ found: schema, known })), checkWhole(options, inspection)];
  const checks: DoctorCheck[] = [];
  if (schema < known) {
    checks.push(
      warn(
        name,
        `schema ${schema}; the next start migrates it to ${known}`,
        'Create a backup first: run fourfold backup <folder> with the version that wrote it.',
      ),
    );
  }
  if (platform !== 'win32' && (found.mode & 0o077) !== 0)
    checks.push(warn(name, `${file} can be read by other users of this machine`, `Run: chmod 600 ${file}`));
  if (walBytes > storeCheckLimits.walBytes) {
    checks.push(
      warn(
        name,
        `the write-ahead log has grown to ${Math.floor(walBytes / 1024 ** 2)} MiB`,
        'A long-running reader prevents the checkpoint: restart the fourfold processes.',
      ),
    );
  }
  if (checks.length === 0) checks.push(ok(name, `${file}, schema ${schema}`));
  checks.push(checkWhole(options, inspection));
  if (schema === known) checks.push(checkDurability(file));
  return checks;
}

/** Opening such a store changes nothing. */
export const isCurrent = async ({
  file,
  migrations,
}: Pick<SqliteCheckOptions, 'file' | 'migrations'>): Promise<boolean> =>
  (await exists(file)) && inspectStore(file).schema === schemaVersion(migrations);
