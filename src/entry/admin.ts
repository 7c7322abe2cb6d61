import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { homeNames } from '#app/admin/home-layout.ts';
import type { App } from '#app/compose.ts';
import { tenantsFolderOf } from '#app/instructions.ts';
import { openWithoutMigrating } from '#app/open-storage.ts';
import { findServedAddress } from '#app/served-address.ts';
import type { ExtraToolset } from '#app/toolsets.ts';
import { isTruthTable } from '#app/truth-transfer.ts';
import type { LoadedSettings } from '#config/load-settings.ts';
import { renderConfig } from '#config/render-settings.ts';
import type { Settings } from '#config/settings.ts';
import type { ApiKey } from '#kernel/access/api-key-store.ts';
import { localOwner, localTenant, type Scope, type TenantId, toTenantId } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { migrations } from '#migrations/all.ts';
import type { Admin, AdminRun } from '#surfaces/cli/admin.ts';
import { toSignInLink, toUrl } from '#surfaces/http/addresses.ts';
import { warnAboutNearbyInstructions } from './nearby-instructions.ts';

const dayMs = 86_400_000;

const toShownTime = (at: number | undefined) => (at === undefined ? undefined : toIso(at));

const toShownKey = <K extends ApiKey>({ createdAt, expiresAt, revokedAt, lastUsedAt, ...key }: K) => ({
  ...key,
  createdAt: toIso(createdAt),
  expiresAt: toShownTime(expiresAt),
  revokedAt: toShownTime(revokedAt),
  lastUsedAt: toShownTime(lastUsedAt),
});

/** An id is random, so it names one key of all tenants. */
async function tenantOfKey(app: App, id: string): Promise<TenantId> {
  const found = (await app.access().listAllKeys()).find((key) => key.id === id);
  if (found === undefined)
    throw faults.NOT_FOUND({ what: `key ${id}, in any tenant` }, { fix: 'fourfold keys list shows the ids.' });
  return found.tenant;
}

const linkTo = (home: string, { host, port }: Settings, text: string): string =>
  toSignInLink(findServedAddress(home) ?? toUrl(host, port), text);

const keyCommands = (app: App, settings: Settings): Admin['keys'] => ({
  async link({ tenant, scopes }) {
    const { text } = await app.access().createLink({ tenant: toTenantId(tenant), scopes: scopes as readonly Scope[] });
    return { link: linkTo(app.home, settings, text) };
  },
  async create({ name, tenant, scopes, expiresDays }) {
    const { text, key } = await app.access().createKey({
      tenant: toTenantId(tenant),
      name,
      scopes: scopes as readonly Scope[],
      ...(expiresDays === undefined ? {} : { expiresAt: app.clock.now() + expiresDays * dayMs }),
    });
    return { key: text, ...toShownKey(key) };
  },
  async list({ tenant, all }) {
    const access = app.access();
    const keys = all ? await access.listAllKeys() : await access.listKeys(toTenantId(tenant));
    return { keys: keys.map(toShownKey) };
  },
  async revoke({ id, tenant, all }) {
    const owner = all ? await tenantOfKey(app, id) : toTenantId(tenant);
    return { tenant: owner, ...toShownKey(await app.access().revokeKey(owner, id)) };
  },
});

/** Calls a tool as the owner of the store. */
async function callTool(app: App, name: string, args: object, tenant: TenantId, { signal, progress }: AdminRun) {
  const outcome = await app.invoke({
    name,
    args,
    caller: { ...localOwner, tenant },
    surface: 'cli',
    progress,
    ...(signal === undefined ? {} : { signal }),
  });
  if (!outcome.ok) throw outcome.fault;
  return outcome.value;
}

function copyCommands(
  app: App,
  { settings }: LoadedSettings,
): Pick<Admin, 'backup' | 'restore' | 'export' | 'import' | 'importMemories'> {
  const { home, clock } = app;
  const { keyFile, instructionsDir } = settings;
  const program = app.version;
  async function openInstructionFiles() {
    const { createInstructionFiles } = await import('#app/admin/transfer/instruction-files.ts');
    return createInstructionFiles({ folder: instructionsDir, tenantsFolder: tenantsFolderOf(home) });
  }
  async function openUploads() {
    const { openFileBlobs } = await import('#app/file-blobs.ts');
    return openFileBlobs(settings);
  }
  return {
    async backup({ to, withKeys, filesOnly }, { signal, progress }) {
      const [{ runBackup }, { backupNameAt }] = await Promise.all([
        import('#app/admin/backup/backups.ts'),
        import('#app/admin/backup/backup.ts'),
      ]);
      const folder = resolve(to ?? backupNameAt(clock.now()));
      return runBackup({ ...app, settings, program }, { to: folder, withKeys, filesOnly, signal, progress });
    },
    async restore({ from, force, newKeys }, { signal, progress }) {
      const { restore } = await import('#app/admin/backup/restore.ts');
      const restored = await restore({
        ...{ from: resolve(from), home, keyFile, force, newKeys, migrations, clock, signal, progress },
      });
      // Opening the memory forgets again what the backup brought back.
      if (existsSync(join(home, homeNames.tombstones))) await app.truth();
      return restored;
    },
    async export({ to, tenant }, { signal, progress }) {
      const { exportTenant } = await import('#app/admin/transfer/export-tenant.ts');
      const storage = await app.storage.opened();
      return exportTenant({
        storage,
        migrations,
        clock,
        program,
        tenant: toTenantId(tenant),
        to: resolve(to),
        instructionFiles: await openInstructionFiles(),
        fileBlobs: await openUploads(),
        writesSummaryFiles: true,
        signal,
        progress,
      });
    },
    async import({ file, mode, tenant }, { signal, progress }) {
      const { importTenant } = await import('#app/admin/transfer/import-tenant.ts');
      const { searchedCollections } = await import('#app/admin/transfer/import-tenant.ts');
      const storage = await app.storage.opened();
      const into = tenant === undefined ? undefined : toTenantId(tenant);
      const written = new Set<string>();
      const result = await importTenant({
        storage,
        migrations,
        clock,
        from: resolve(file),
        mode,
        tenant: into,
        instructionFiles: await openInstructionFiles(),
        fileBlobs: await openUploads(),
        searched: searchedCollections,
        tombstones: (await import('#app/tombstone-file.ts')).openTombstones(app.keys()),
        signal,
        progress,
        onWritten: (table) => written.add(table),
      });
      // An export has no snapshots: they are reduced again from the imported observations.
      if ([...written].some(isTruthTable))
        await callTool(app, 'truth_rebuild', {}, result.tenant, { signal, progress });
      return result;
    },
    importMemories: async ({ tenant, ...input }, run) =>
      (await callTool(app, 'memories_import', input, toTenantId(tenant ?? localTenant), run)) as {
        readonly errorsCount: number;
      },
  };
}

/** Returns undefined if the package is not installed. Loads no model and calls no service. */
async function nameOfModel({ embeddingModel, embeddingBatchSize }: LoadedSettings['settings']) {
  const { openEmbedder } = await import('#kernel/embed/open-embedder.ts');
  const embedder = await openEmbedder(
    { isOn: true, model: embeddingModel, batchCount: embeddingBatchSize },
    {
      outbound() {
        throw new Error('bug: no embedding service is configured');
      },
    },
  );
  await embedder?.close();
  return embedder?.id;
}

type DoctorOptions = Parameters<Admin['doctor']>[0];

/** Restores damaged items before the checks, which then show what is left. */
async function repair(app: App, { repairFrom, acceptDamaged }: DoctorOptions, run: AdminRun) {
  if (repairFrom === undefined && !acceptDamaged) return [];
  const { acceptItems, repairItems } = await import('#app/admin/backup/repair-items.ts');
  const { toAcceptedCheck, toRepairChecks } = await import('#app/admin/doctor/check-content.ts');
  const { home, clock } = app;
  const options = { home, storage: await app.storage.opened(), migrations, clock, ...run };
  return [
    ...(repairFrom === undefined ? [] : toRepairChecks(await repairItems({ ...options, from: resolve(repairFrom) }))),
    ...(acceptDamaged ? [toAcceptedCheck(await acceptItems(options))] : []),
  ];
}

async function diagnose(
  app: App,
  { settings, warnings, noEffect, provenance }: LoadedSettings,
  options: DoctorOptions,
  run: AdminRun,
) {
  const { deep, repairFrom, acceptDamaged } = options;
  const repaired = await repair(app, options, run);
  const { runDoctor } = await import('#app/admin/doctor/run-doctor.ts');
  const { clock, log } = app;
  const storage =
    settings.databaseUrl === undefined ? app.storage : openWithoutMigrating(settings.databaseUrl, { clock, log });
  const checks = await runDoctor({
    nodeVersion: process.versions.node,
    platform: process.platform,
    home: app.home,
    tempDir: tmpdir(),
    keyFile: settings.keyFile,
    auditCopyFile: settings.auditCopyFile,
    isStoreLocal: app.storage.capabilities.isLocal,
    openStorage: () => storage.opened(),
    migrations,
    clock,
    isThorough: deep,
    deep: deep || acceptDamaged || repairFrom !== undefined ? { progress: run.progress } : undefined,
    config: { warnings, noEffect },
    http: { host: settings.host, port: settings.port },
    fileBlobs: (await import('#app/file-blobs.ts')).openFileBlobs(settings),
    instructions: {
      dir: settings.instructionsDir,
      cwd: process.cwd(),
      isSet: provenance.instructionsDir.origin !== 'default',
      canonicalOff: settings.canonicalOff,
    },
    embedding: {
      isOn: settings.semanticSearch,
      model: settings.embeddingModel,
      url: settings.embeddingUrl,
      openModel: () => nameOfModel(settings),
    },
  });
  // After a repair the program still has to save a checkpoint; it closes its own store.
  if (storage !== app.storage) await storage.close();
  return [...checks, ...repaired];
}

interface DemoAnswer {
  readonly sign_in: string;
}

/** Commands that are not tools; each loads its code when it runs. */
export function createAdmin(
  app: App,
  loaded: LoadedSettings,
  print: (text: string) => void,
  extraToolsets: readonly ExtraToolset[],
): Admin {
  return {
    async serve() {
      await warnAboutNearbyInstructions(loaded);
      await (await import('./serve.ts')).runServe(app, loaded.settings, print);
    },
    stdio: async () => (await import('./stdio.ts')).runStdio(loaded, extraToolsets),
    doctor: (options, run) => diagnose(app, loaded, options, run),
    config: () => renderConfig(loaded),
    async migrate() {
      await app.storage.opened();
      return { schema: migrations.at(-1)?.id ?? 0, store: app.storage.capabilities.engine };
    },
    ...copyCommands(app, loaded),
    async generate({ check }) {
      const [{ generate }, { generateBaseVectors }] = await Promise.all([
        import('#app/generate/generate.ts'),
        import('#app/generate/base-vectors.ts'),
      ]);
      const root = process.cwd();
      return [...generate(root, check), ...(await generateBaseVectors(root, check, app))].sort();
    },
    demo: {
      async create(run) {
        const { sign_in, ...made } = (await callTool(app, 'demo/create', {}, localTenant, run)) as DemoAnswer;
        return { ...made, link: linkTo(app.home, loaded.settings, sign_in) };
      },
      remove: (run) => callTool(app, 'demo/remove', {}, localTenant, run),
    },
    keys: keyCommands(app, loaded.settings),
  };
}
