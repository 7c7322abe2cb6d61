import type { App } from '#app/compose.ts';
import type { LoadedSettings } from '#config/load-settings.ts';
import { renderConfig } from '#config/render-config.ts';
import { type Scope, type TenantId, toTenantId } from '#kernel/call.ts';
import type { Admin } from '#surfaces/cli/admin.ts';

const dayMs = 86_400_000;

const keyCommands = (app: App): Admin['keys'] => ({
  async create({ name, tenant, scopes, expiresDays }) {
    const expiresAt = expiresDays === undefined ? undefined : app.clock.now() + expiresDays * dayMs;
    const { text, key } = await app.access().createKey({
      tenant: toTenantId(tenant),
      name,
      scopes: scopes as readonly Scope[],
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    return { key: text, ...key };
  },
  list: async ({ tenant }) => ({ keys: await app.access().listKeys(tenant as TenantId) }),
  revoke: ({ id, tenant }) => app.access().revokeKey(toTenantId(tenant), id),
});

/** The commands that are no tools; what each needs is loaded when it runs. */
export function createAdmin(app: App, loaded: LoadedSettings, print: (text: string) => void): Admin {
  const { settings } = loaded;
  return {
    serve: async () => (await import('./serve.ts')).runServe(app, settings, print),
    stdio: async () => (await import('./stdio.ts')).runStdio(loaded),
    config: () => renderConfig(loaded),
    async migrate() {
      await app.storage.opened();
      return { migrated: true };
    },
    async generate({ check }) {
      const { generate } = await import('#app/generate/generate.ts');
      return generate(process.cwd(), check);
    },
    keys: keyCommands(app),
  };
}
