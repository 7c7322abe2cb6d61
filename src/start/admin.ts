import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { migrations } from '#app/admin/store-schema.ts';
import { createBulkInstructions } from '#app/bulk-instructions.ts';
import type { App } from '#app/compose.ts';
import { openToLook } from '#app/open-storage.ts';
import type { LoadedSettings } from '#config/load-settings.ts';
import { renderConfig } from '#config/render-config.ts';
import { type Scope, toTenantId } from '#kernel/call.ts';
import type { Admin } from '#surfaces/cli/admin.ts';
import { tellOfNearbyInstructions } from './nearby-instructions.ts';
import { owner } from './owner.ts';

const dayMs = 86_400_000;

const keyCommands = (app: App): Admin['keys'] => ({
  async create({ name, tenant, scopes, expiresDays }) {
    const { text, key } = await app.access().createKey({
      tenant: toTenantId(tenant),
      name,
      scopes: scopes as readonly Scope[],
      ...(expiresDays === undefined ? {} : { expiresAt: app.clock.now() + expiresDays * dayMs }),
    });
    return { key: text, ...key };
  },
  list: async ({ tenant }) => ({ keys: await app.access().listKeys(toTenantId(tenant)) }),
  revoke: ({ id, tenant }) => app.access().revokeKey(toTenantId(tenant), id),
});

function copyCommands(app: App, { settings }: LoadedSettings): Pick<Admin, 'backup' | 'restore' | 'export' | 'import'> {
  const { home, clock } = app;
  const { keyFile, instructionsDir } = settings;
  const program = app.version;
  return {
    async backup({ to, withKeys, filesOnly }, { signal, progress }) {
      const { backup, backupNameAt } = await import('#app/admin/backup/backup.ts');
      const storage = await app.storage.opened();
      const folder = resolve(to ?? backupNameAt(clock.now()));
      const keys = app.keys();
      return backup({
        home,
        to: folder,
        withKeys,
        filesOnly,
        storage,
        keys,
        keyFile,
        instructionsDir,
        migrations,
        clock,
        program,
        signal,
        progress,
      });
    },
    async restore({ from, force, newKeys }, { signal, progress }) {
      const { restore } = await import('#app/admin/backup/restore.ts');
      return restore({ from: resolve(from), home, keyFile, force, newKeys, migrations, clock, signal, progress });
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
        signal,
        progress,
      });
    },
    async import({ from, mode, tenant }, { signal, progress }) {
      const { importTenant } = await import('#app/admin/transfer/import-tenant.ts');
      const storage = await app.storage.opened();
      const into = tenant === undefined ? undefined : toTenantId(tenant);
      return importTenant({ storage, migrations, clock, from: resolve(from), mode, tenant: into, signal, progress });
    },
  };
}

async function examine(app: App, { settings, warnings, noEffect, provenance }: LoadedSettings) {
  const { runDoctor } = await import('#app/admin/doctor/run-doctor.ts');
  const { clock, log } = app;
  const storage = settings.databaseUrl === undefined ? app.storage : openToLook(settings.databaseUrl, { clock, log });
  const checks = await runDoctor({
    nodeVersion: process.versions.node,
    platform: process.platform,
    home: app.home,
    tempDir: tmpdir(),
    keyFile: settings.keyFile,
    dialect: app.storage.dialect,
    openStorage: () => storage.opened(),
    migrations,
    clock,
    config: { warnings, noEffect },
    http: { host: settings.host, port: settings.port },
    instructions: {
      dir: settings.instructionsDir,
      cwd: process.cwd(),
      isSet: provenance.instructionsDir.origin !== 'default',
    },
  });
  await storage.close();
  return checks;
}

/** The commands that are no tools; what each needs is loaded when it runs. */
export function createAdmin(app: App, loaded: LoadedSettings, print: (text: string) => void): Admin {
  return {
    async serve() {
      await tellOfNearbyInstructions(loaded);
      await (await import('./serve.ts')).runServe(app, loaded.settings, print);
    },
    stdio: async () => (await import('./stdio.ts')).runStdio(loaded),
    doctor: () => examine(app, loaded),
    config: () => renderConfig(loaded),
    async migrate() {
      await app.storage.opened();
      return { schema: migrations.at(-1)?.id ?? 0, store: app.storage.dialect };
    },
    ...copyCommands(app, loaded),
    async generate({ check }) {
      const { generate } = await import('#app/generate/generate.ts');
      return generate(process.cwd(), check);
    },
    instructions: createBulkInstructions(app, loaded.settings, owner),
    keys: keyCommands(app),
  };
}
