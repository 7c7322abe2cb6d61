import { join } from 'node:path';
import { createAudit } from '#kernel/audit/audit.ts';
import { createCheckpoints } from '#kernel/audit/checkpoints.ts';
import { localTenant, type TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { openKeys } from '#kernel/keys/keys.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { auditKeyOf, storeFile } from '../../open-storage.ts';
import { isThere } from '../file-faults.ts';
import { homeNames } from '../home-layout.ts';
import { toOperatorCall } from '../operator-call.ts';
import { type AuditQuestion, checkAudit } from './check-audit.ts';
import { checkEmbedding, type EmbeddingQuestion, readEmbeddingProgress } from './check-embedding.ts';
import { checkDisk, checkFolder } from './check-folder.ts';
import { checkInstructions, type InstructionsQuestion } from './check-instructions.ts';
import { checkKeys } from './check-keys.ts';
import { checkPort, type PortQuestion } from './check-port.ts';
import { type DoctorCheck, fail, looking, ok, warn } from './doctor-check.ts';

interface ConfigQuestion {
  readonly warnings: readonly string[];
  /** Variables that are set and do nothing here. */
  readonly noEffect: readonly string[];
}

const name = 'configuration';

function checkConfig({ warnings, noEffect }: ConfigQuestion): readonly DoctorCheck[] {
  const checks = warnings.map((warning) =>
    warn(name, warning, 'Correct it; fourfold config shows every setting and where it came from.'),
  );
  if (noEffect.length > 0)
    checks.push(
      warn(
        name,
        `set, and without effect in this program: ${noEffect.join(', ')}`,
        'They may be removed; nothing needs them.',
      ),
    );
  return checks.length > 0 ? checks : [ok(name, 'every setting is understood')];
}

const oldest = [22, 12] as const;

function checkNode(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  if (isNewEnough) return ok('node', `Node.js ${version}`);
  return fail(
    'node',
    `Node.js ${version} is older than ${oldest.join('.')}`,
    'Install a newer Node.js, or start the program by its own launcher, which brings one.',
  );
}

/** Something that the program works without. */
export interface OptionalPart {
  readonly name: string;
  /** What is not to be had without it. */
  readonly without: string;
  isThere(): boolean | Promise<boolean>;
}

export interface DoctorDeps {
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly tempDir: string;
  readonly keyFile: string;
  /** The store is a file in the data folder. */
  readonly isStoreLocal: boolean;
  /** Must make no key file. With a local store it is called only when the store is there and of this version, so that it migrates nothing. */
  openStorage(): Promise<Storage>;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly config: ConfigQuestion;
  readonly http: PortQuestion;
  readonly instructions: InstructionsQuestion;
  readonly embedding?: EmbeddingQuestion;
  readonly optionalParts?: readonly OptionalPart[];
  /** Whose audit trails are verified. */
  readonly tenants?: readonly TenantId[];
  /** Looks through everything, however long it takes. */
  readonly isThorough?: boolean;
  readonly auditLimits?: AuditQuestion['limits'];
}

const checkPart = async (part: OptionalPart): Promise<DoctorCheck> =>
  ok(part.name, (await part.isThere()) ? 'there' : `not there: ${part.without}`);

/** Looks at everything that a start depends on. Never throws, makes nothing, and says what to do about each thing it finds. */
export async function runDoctor(deps: DoctorDeps): Promise<readonly DoctorCheck[]> {
  const {
    home,
    tempDir,
    platform,
    keyFile,
    isStoreLocal,
    migrations,
    clock,
    tenants = [localTenant],
    isThorough = false,
  } = deps;
  const folder = { home, tempDir, platform };
  const file = storeFile(home);
  const callFor = (tenant: TenantId) => toOperatorCall({ tenant, tool: 'doctor', clock });

  async function lookAtSqlite(): Promise<readonly DoctorCheck[]> {
    // Loaded here: a driver that cannot be loaded is something to be told, not to die of.
    const { checkSqlite } = await import('./check-sqlite.ts');
    return checkSqlite({ file, migrations, platform, isThorough });
  }

  async function lookAtPostgres(): Promise<readonly DoctorCheck[]> {
    const { checkPostgres } = await import('./check-postgres.ts');
    return checkPostgres({ storage: await deps.openStorage(), call: callFor(localTenant), migrations });
  }

  const isSqliteCurrent = async (): Promise<boolean> =>
    (await isThere(file)) && (await (await import('./check-sqlite.ts')).isCurrent({ file, migrations }));

  /** A store that cannot be opened was told of already. */
  const canBeRead = async (isStoreBroken: boolean): Promise<boolean> =>
    !isStoreBroken && (!isStoreLocal || (await isSqliteCurrent()));

  async function lookAtNotebooks(isStoreBroken: boolean): Promise<readonly DoctorCheck[]> {
    if (!(await canBeRead(isStoreBroken))) return [];
    const { checkNotebooks } = await import('./check-notebooks.ts');
    return [await checkNotebooks(await deps.openStorage(), () => callFor(localTenant))];
  }

  async function lookAtTruth(isStoreBroken: boolean): Promise<readonly DoctorCheck[]> {
    if (!(await canBeRead(isStoreBroken))) return [];
    const { checkTruth } = await import('./check-truth.ts');
    return [await checkTruth(await deps.openStorage(), callFor(localTenant))];
  }

  /** How far it is belongs to it. */
  async function lookAtEmbedding(question: EmbeddingQuestion, isStoreBroken: boolean): Promise<readonly DoctorCheck[]> {
    const progress = (await canBeRead(isStoreBroken))
      ? await readEmbeddingProgress(await deps.openStorage(), callFor(localTenant))
      : '';
    return [await checkEmbedding(question, progress)];
  }

  /** A store that cannot be opened was told of already; keys that are missing must not be made by looking. */
  async function lookAtAudit(): Promise<readonly DoctorCheck[]> {
    if (!(await isThere(keyFile))) return [];
    if (isStoreLocal && !(await (await import('./check-sqlite.ts')).isCurrent({ file, migrations }))) return [];
    const key = auditKeyOf(openKeys(keyFile));
    const checkpoints = createCheckpoints(join(home, homeNames.checkpoints), key);
    const storage = await deps.openStorage();
    const audit = createAudit({ storage, key, checkpoints, now: () => clock.now() });
    const limits = deps.auditLimits === undefined ? {} : { limits: deps.auditLimits };
    return checkAudit({ storage, audit, checkpoints, key, tenants, isThorough, callFor, ...limits });
  }

  const hasStore = isStoreLocal ? await isThere(file).catch(() => true) : 'unknown';
  const keys = await looking('keys', async () => [await checkKeys({ keyFile, platform, hasStore })]);
  const store = await looking('store', isStoreLocal ? lookAtSqlite : lookAtPostgres);
  const isStoreBroken = store.some(({ status }) => status === 'fail');
  return [
    ...(await looking('node', () => [checkNode(deps.nodeVersion)])),
    ...(await looking('data folder', () => checkFolder(folder))),
    ...(await looking('disk', async () => [await checkDisk(folder)])),
    ...(await looking('configuration', () => checkConfig(deps.config))),
    ...store,
    ...keys,
    ...(isStoreBroken ? [] : await looking('audit', lookAtAudit)),
    ...(await looking('port', async () => [await checkPort(deps.http)])),
    ...(await looking('instructions', async () => [await checkInstructions(deps.instructions)])),
    ...(await looking('notebooks', () => lookAtNotebooks(isStoreBroken))),
    ...(await looking('truth', () => lookAtTruth(isStoreBroken))),
    ...(await looking('embedding', () =>
      deps.embedding === undefined ? [] : lookAtEmbedding(deps.embedding, isStoreBroken),
    )),
    ...(
      await Promise.all(
        (deps.optionalParts ?? []).map((part) => looking(part.name, async () => [await checkPart(part)])),
      )
    ).flat(),
  ];
}
