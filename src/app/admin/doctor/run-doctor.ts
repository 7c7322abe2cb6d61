import { join } from 'node:path';
import type { FileBlobs } from '#domains/truth/files/file-blobs.ts';
import { createAudit } from '#kernel/audit/audit.ts';
import { createCheckpoints } from '#kernel/audit/checkpoints.ts';
import { findRemovedTenants } from '#kernel/audit/item-changes.ts';
import { localTenant, type TenantId, toTenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { listTenants } from '#kernel/jobs/tenants.ts';
import { openKeys } from '#kernel/keys/keys.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { findMissing } from '../../check-home.ts';
import { tenantsFolderOf } from '../../instructions.ts';
import { auditKeyOf, storeFile } from '../../open-storage.ts';
import { adminFaults } from '../admin-faults.ts';
import { exists } from '../file-faults.ts';
import { homeNames } from '../home-layout.ts';
import { toOperatorCall } from '../operator-call.ts';
import { type AuditCheckOptions, checkAudit } from './check-audit.ts';
import type { ContentCheckOptions } from './check-content.ts';
import { checkEmbedding, type EmbeddingCheckOptions, readEmbeddingProgress } from './check-embedding.ts';
import {
  type ConfigCheckOptions,
  checkConfig,
  checkInstructions,
  checkNode,
  checkPort,
  type InstructionsCheckOptions,
  type PortCheckOptions,
} from './check-environment.ts';
import { checkDisk, checkFolder, checkKeys } from './check-folder.ts';
import { type DoctorCheck, runCheck } from './doctor-check.ts';

export interface DoctorDeps {
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly tempDir: string;
  readonly keyFile: string;
  readonly isStoreLocal: boolean;
  /**
   * Must not create a key file. A local store is opened only if it exists and has the current version, so nothing is
   * migrated.
   */
  openStorage(): Promise<Storage>;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly config: ConfigCheckOptions;
  readonly http: PortCheckOptions;
  readonly instructions: InstructionsCheckOptions;
  readonly fileBlobs?: FileBlobs;
  readonly embedding?: EmbeddingCheckOptions;
  readonly tenants?: readonly TenantId[];
  readonly auditCopyFile?: string | undefined;
  /** Checks everything, regardless of how long it takes. */
  readonly isThorough?: boolean;
  /** Compares every item with its hash. */
  readonly deep?: Pick<ContentCheckOptions, 'progress'> | undefined;
  readonly auditLimits?: AuditCheckOptions['limits'];
}

/** Checks everything that a start depends on. Never throws, creates nothing, and suggests a fix for each problem. */
export async function runDoctor(deps: DoctorDeps): Promise<readonly DoctorCheck[]> {
  const { home, tempDir, platform, keyFile, isStoreLocal, migrations, clock, isThorough = false } = deps;
  const folder = { home, tempDir, platform };
  const file = storeFile(home);
  const callFor = (tenant: TenantId) => toOperatorCall({ tenant, tool: 'doctor', clock });

  async function runSqliteCheck(): Promise<readonly DoctorCheck[]> {
    // Loaded here, so that a driver that fails to load becomes a failed check.
    const { checkSqlite } = await import('./check-sqlite.ts');
    const missing = findMissing({ home, keyFile, isStoreLocal });
    if (missing !== undefined && !(await exists(file))) throw adminFaults.DATA_MISSING(missing);
    return checkSqlite({ file, migrations, platform, isThorough });
  }

  async function runPostgresCheck(): Promise<readonly DoctorCheck[]> {
    const { checkPostgres } = await import('./check-postgres.ts');
    return checkPostgres({ storage: await deps.openStorage(), call: callFor(localTenant), migrations });
  }

  const isSqliteCurrent = async (): Promise<boolean> =>
    (await exists(file)) && (await (await import('./check-sqlite.ts')).isCurrent({ file, migrations }));

  const hasStore = isStoreLocal ? await exists(file).catch(() => true) : 'unknown';
  const keys = await runCheck('keys', async () => [await checkKeys({ keyFile, platform, hasStore })]);
  const store = await runCheck('store', isStoreLocal ? runSqliteCheck : runPostgresCheck);
  const isStoreBroken = store.some(({ status }) => status === 'fail');

  /** The store check has already reported why the store cannot be opened. */
  const canBeRead = async (): Promise<boolean> => !isStoreBroken && (!isStoreLocal || (await isSqliteCurrent()));

  async function runInstructionFilesCheck(): Promise<readonly DoctorCheck[]> {
    if (!isStoreLocal) return [];
    const { checkInstructionFiles } = await import('./check-instruction-files.ts');
    const { dir, canonicalOff = false } = deps.instructions;
    return checkInstructionFiles({ folder: dir, tenantsFolder: tenantsFolderOf(home), canonicalOff });
  }

  async function runNotebooksCheck(): Promise<readonly DoctorCheck[]> {
    if (!(await canBeRead())) return [];
    const { checkNotebooks } = await import('./check-totals.ts');
    return [await checkNotebooks(await deps.openStorage(), () => callFor(localTenant))];
  }

  async function runTruthCheck(): Promise<readonly DoctorCheck[]> {
    if (!(await canBeRead())) return [];
    const { checkTruth } = await import('./check-totals.ts');
    return [await checkTruth(await deps.openStorage(), callFor(localTenant))];
  }

  async function runContentCheck(): Promise<readonly DoctorCheck[]> {
    if (deps.deep === undefined || !(await canBeRead())) return [];
    const { checkContent } = await import('./check-content.ts');
    const { fileBlobs } = deps;
    const blobsFolder = join(home, homeNames.blobs);
    const storage = await deps.openStorage();
    return checkContent({ storage, migrations, callFor, blobsFolder, fileBlobs, ...deps.deep });
  }

  async function runFilesCheck(): Promise<readonly DoctorCheck[]> {
    if (deps.fileBlobs === undefined) return [];
    const { checkFileService } = await import('./check-content.ts');
    return checkFileService(deps.fileBlobs);
  }

  async function runEmbeddingCheck(): Promise<readonly DoctorCheck[]> {
    if (deps.embedding === undefined) return [];
    const progress = (await canBeRead())
      ? await readEmbeddingProgress(await deps.openStorage(), callFor(localTenant))
      : '';
    return [await checkEmbedding(deps.embedding, progress)];
  }

  /** A check must not create missing keys. */
  async function runAuditCheck(): Promise<readonly DoctorCheck[]> {
    if (!(await exists(keyFile)) || !(await canBeRead())) return [];
    const key = auditKeyOf(openKeys(keyFile));
    const checkpoints = createCheckpoints(join(home, homeNames.checkpoints), key, { file: deps.auditCopyFile });
    const storage = await deps.openStorage();
    // A tenant whose whole trail was deleted still has its checkpoint.
    const inStore = deps.tenants ?? (await listTenants(storage));
    const lost = [...checkpoints.read().byTenant.keys()].map(toTenantId).filter((name) => !inStore.includes(name));
    const removed = await storage.read(callFor(localTenant), (db) => findRemovedTenants(db, lost));
    const tenants = [...inStore, ...lost.filter((name) => !removed.has(name))];
    const audit = createAudit({ storage, key, checkpoints, now: () => clock.now() });
    const limits = deps.auditLimits === undefined ? {} : { limits: deps.auditLimits };
    const now = () => clock.now();
    return checkAudit({ storage, audit, checkpoints, key, tenants, isThorough, callFor, now, ...limits });
  }

  return [
    ...(await runCheck('node', () => [checkNode(deps.nodeVersion)])),
    ...(await runCheck('data folder', () => checkFolder(folder))),
    ...(await runCheck('disk', async () => [await checkDisk(folder)])),
    ...(await runCheck('configuration', () => checkConfig(deps.config))),
    ...store,
    ...keys,
    ...(await runCheck('audit', runAuditCheck)),
    ...(await runCheck('port', async () => [await checkPort(deps.http)])),
    ...(await runCheck('instructions', async () => [await checkInstructions(deps.instructions)])),
    ...(await runCheck('instructions', runInstructionFilesCheck)),
    ...(await runCheck('notebooks', runNotebooksCheck)),
    ...(await runCheck('truth', runTruthCheck)),
    ...(await runCheck('files', runFilesCheck)),
    ...(await runCheck('embedding', runEmbeddingCheck)),
    ...(await runCheck('content', runContentCheck)),
  ];
}
