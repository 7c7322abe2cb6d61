import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileAddress, toFileUrl } from '#domains/truth/files/file-address.ts';
import { createFolderBlobs, type FileBlobs } from '#domains/truth/files/file-blobs.ts';
import { listFiles } from '#domains/truth/files/file-store.ts';
import { truthLimits } from '#domains/truth/truth-limits.ts';
import { type Call, localTenant, type TenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { listTenants } from '#kernel/jobs/tenants.ts';
import { checkPage, type DamagedRow, nameOfDamaged } from '#kernel/storage/find-damage.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { hashedTablesOf } from '#kernel/storage/row-hash.ts';
import type { Row } from '#kernel/storage/transfer.ts';
import { describeTables } from '#kernel/storage/transfer-tables.ts';
import type { RepairResult } from '../backup/repair-items.ts';
import { hashFile } from '../durable-files.ts';
import { ifMissing } from '../file-faults.ts';
import type { AdminProgress } from '../operator-call.ts';
import { type DoctorCheck, fail, ok, warn } from './doctor-check.ts';

export interface ContentCheckOptions {
  readonly storage: Storage;
  readonly migrations: readonly Migration[];
  /** The folder of uploaded files. */
  readonly blobsFolder: string;
  /** With the files of a service; the folder if undefined. */
  readonly fileBlobs?: FileBlobs | undefined;
  callFor(tenant: TenantId): Call;
  readonly progress?: AdminProgress | undefined;
}

/** Damaged items by tenant, in table order. */
export async function* findDamagedRows(
  options: Omit<ContentCheckOptions, 'blobsFolder' | 'fileBlobs'>,
  counted: (rowsCount: number) => void = () => {},
): AsyncGenerator<DamagedRow & { readonly tenant: TenantId }> {
  const { storage, migrations, callFor, progress = () => {} } = options;
  const hashed = hashedTablesOf(migrations);
  const names = [...new Set(hashed.map(({ table }) => table))];
  let rowsCount = 0;
  for (const tenant of await listTenants(storage)) {
    const tables = await storage.read(callFor(tenant), (db) => describeTables(db, storage.capabilities, names, hashed));
    for (const table of tables) {
      for (let after: Row | undefined; ; ) {
        const from = after;
        const page = await storage.read(callFor(tenant), (db) => checkPage(db, table, from));
        rowsCount += page.rowsCount;
        counted(page.rowsCount);
        progress(rowsCount, undefined, `checking ${table.name}`);
        for (const one of page.damaged) yield { ...one, tenant };
        if (page.last === undefined) break;
        after = page.last;
      }
    }
  }
}

/** Paths of uploaded files whose content does not match their name. */
export async function findDamagedBlobs(folder: string): Promise<{ count: number; damaged: readonly string[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifMissing([]));
  const files = entries.filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name));
  const damaged: string[] = [];
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const found = await hashFile(path).catch(ifMissing(undefined));
    if (found !== undefined && found.sha256 !== name) damaged.push(path);
  }
  return { count: files.length, damaged };
}

/** Bytes in the data folder are compared by their path; those of a service are read here. */
async function findProblem(blobs: FileBlobs, tenant: TenantId, sha256: string): Promise<'missing' | 'damaged' | ''> {
  if (blobs.service === undefined) return (await blobs.has(tenant, sha256)) ? '' : 'missing';
  const opened = await blobs.read(tenant, sha256);
  if (opened === undefined) return 'missing';
  try {
    for await (const _ of opened.stream);
    return '';
  } catch (error) {
    if (error instanceof Fault && error.code === faults.INTEGRITY_ERROR.kind.code) return 'damaged';
    throw error;
  }
}

/** Files whose bytes are missing, as after the import of an export of an older version, or damaged on a service. */
async function findFilesWithoutBytes(options: ContentCheckOptions) {
  const { storage, migrations, callFor, fileBlobs = createFolderBlobs(options.blobsFolder) } = options;
  const found = { missing: [] as string[], damaged: [] as string[] };
  if (!migrations.some(({ tenantTables }) => tenantTables.includes('truth_files'))) return found;
  const limit = truthLimits.filesPageCount;
  for (const tenant of await listTenants(storage)) {
    for (let last: FileAddress | undefined = { bucket: '', sha256: '' }; last !== undefined; ) {
      const after: FileAddress = last;
      const page = await storage.read(callFor(tenant), (db) => listFiles(db, after, limit));
      for (const file of page) {
        const problem = await findProblem(fileBlobs, tenant, file.sha256);
        if (problem !== '') found[problem].push(toFileUrl(file));
      }
      last = page.length < limit ? undefined : page.at(-1);
    }
  }
  return found;
}

/** Where uploaded files are, if not in the data folder. */
export async function checkFileService(blobs: FileBlobs): Promise<readonly DoctorCheck[]> {
  if (blobs.service === undefined) return [];
  // No file has this hash: the question only shows whether the service answers.
  await blobs.has(localTenant, '0'.repeat(64));
  return [ok('files', `${blobs.service.name} can be read`)];
}

const shownCount = 100;

const listed = (names: readonly string[]): string =>
  names.length <= shownCount
    ? names.join('; ')
    : `${names.slice(0, shownCount).join('; ')}; and ${names.length - shownCount} more`;

const name = 'content';

/** What a repair has done, as lines of the doctor. */
export function toRepairChecks({ restored, older, missing }: RepairResult): readonly DoctorCheck[] {
  const checks: DoctorCheck[] = [];
  if (restored.length > 0) checks.push(ok('repair', `${restored.length} restored: ${listed(restored)}`));
  if (older.length > 0) {
    const detail = `${older.length} restored as they were in the backup; they had changed after it: ${listed(older)}`;
    checks.push(warn('repair', detail, 'Compare them with what you know, or repair them from a newer backup.'));
  }
  if (missing.length > 0) {
    const fix = 'Name another backup, or write the items again.';
    checks.push(fail('repair', `${missing.length} are not in the backup: ${listed(missing)}`, fix));
  }
  return checks.length > 0 ? checks : [ok('repair', 'nothing to restore')];
}

export const toAcceptedCheck = (items: readonly string[]): DoctorCheck =>
  ok('repair', items.length === 0 ? 'nothing to accept' : `${items.length} accepted as they are: ${listed(items)}`);

const repairFix =
  'Restore these items: fourfold doctor --deep --repair-from <backup>, with the folder of a backup or the file of an export.';

/** Compares every item of every tenant with its hash. */
export async function checkContent(options: ContentCheckOptions): Promise<readonly DoctorCheck[]> {
  let rowsCount = 0;
  const originals: string[] = [];
  const derived: string[] = [];
  const damagedRows = findDamagedRows(options, (count) => {
    rowsCount += count;
  });
  for await (const one of damagedRows) {
    const label = one.tenant === 'local' ? nameOfDamaged(one) : `${one.tenant}: ${nameOfDamaged(one)}`;
    (one.hashed.isDerived === true ? derived : originals).push(label);
  }
  const blobs = await findDamagedBlobs(options.blobsFolder);
  const checks: DoctorCheck[] = [];
  if (originals.length > 0)
    checks.push(fail(name, `${originals.length} damaged of ${rowsCount}: ${listed(originals)}`, repairFix));
  if (derived.length > 0) {
    const detail = `${derived.length} damaged snapshots, which are computed again when they are read: ${listed(derived)}`;
    checks.push(warn(name, detail, 'Run fourfold truth rebuild to store them again.'));
  }
  if (blobs.damaged.length > 0)
    checks.push(fail(name, `${blobs.damaged.length} damaged files: ${listed(blobs.damaged)}`, repairFix));
  const { missing, damaged } = await findFilesWithoutBytes(options);
  const fix = 'Import an export of this version with --mode skip, restore a backup, or upload the files again.';
  if (missing.length > 0)
    checks.push(warn(name, `${missing.length} files without their bytes: ${listed(missing)}`, fix));
  if (damaged.length > 0)
    checks.push(
      fail(name, `${damaged.length} damaged in ${options.fileBlobs?.service?.name}: ${listed(damaged)}`, fix),
    );
  if (checks.length > 0) return checks;
  return [ok(name, `${rowsCount} items and ${blobs.count} files are intact`)];
}
