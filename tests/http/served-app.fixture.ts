import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '#app/compose.ts';
import { loadSettings } from '#config/load-settings.ts';
import { localTenant, type Scope, toTenantId } from '#kernel/call.ts';
import { openHttp } from '../../src/entry/open-http.ts';
import { createTestDatabase } from '../support/postgres/test-database.ts';

export type EngineName = 'SQLite' | 'PostgreSQL';

export interface ToolResponse<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
}

export type AskTool = <T = Record<string, unknown>>(
  name: string,
  args?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<ToolResponse<T>>;

/** The whole program behind a real HTTP server, on a store of its own. */
export async function openServedApp(engine: EngineName, env: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'ff-served-'));
  const database = engine === 'PostgreSQL' ? await createTestDatabase() : undefined;
  const loaded = loadSettings({
    argv: ['--port', '0'],
    env: {
      FOURFOLD_HOME: home,
      FOURFOLD_LOG_LEVEL: 'silent',
      FOURFOLD_SEMANTIC_SEARCH: '0',
      MCP_ENABLE_MUTATION: '1',
      ...(database !== undefined && { FOURFOLD_DATABASE_URL: database.url }),
      ...env,
    },
    cwd: home,
    platform: process.platform,
  });
  const app = compose(loaded.settings, 'http', [], loaded.provenance);
  // Migrations take longer than a key may wait for the store.
  await app.storage.opened();
  const server = await openHttp(app, loaded.settings);

  const askWith =
    (key: string): AskTool =>
    async (name, args = {}, headers = {}) => {
      const response = await fetch(`${server.url}/api/tools/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(args),
      });
      return { status: response.status, body: (await response.json()) as never };
    };

  return {
    app,
    home,
    url: server.url,
    askWith,
    /** A client with a key of its own. */
    async as(scope: Scope, of: { readonly tenant?: string; readonly name?: string } = {}) {
      const { tenant = localTenant, name = `${scope} of ${tenant}` } = of;
      const { text, key } = await app.access().createKey({ tenant: toTenantId(tenant), name, scopes: [scope] });
      return { ask: askWith(text), text, id: key.id, name };
    },
    async close() {
      await server.close();
      await app.close();
      await database?.drop();
      for (const folder of [home, `${home}-backups`]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type ServedApp = Awaited<ReturnType<typeof openServedApp>>;
