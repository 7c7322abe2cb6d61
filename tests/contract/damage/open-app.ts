import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { compose } from '#app/compose.ts';
import { storeFile } from '#app/open-storage.ts';
import { loadSettings } from '#config/load-settings.ts';
import { localTenant } from '#kernel/call.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { asAdmin } from '#tests/support/postgres/test-login.ts';
import { inSchema } from '../storage/postgres-engine.ts';

export type EngineName = 'SQLite' | 'PostgreSQL';

/** The whole program on a store that the test can damage. */
export async function openApp(engine: EngineName) {
  const home = mkdtempSync(join(tmpdir(), 'ff-damage-'));
  const database = engine === 'PostgreSQL' ? await createTestDatabase() : undefined;
  const { settings } = loadSettings({
    argv: [],
    env: {
      FOURFOLD_HOME: home,
      FOURFOLD_LOG_LEVEL: 'silent',
      MCP_ENABLE_MUTATION: '1',
      ...(database !== undefined && { FOURFOLD_DATABASE_URL: database.url }),
    },
    cwd: home,
    platform: process.platform,
  });
  const open = () => compose(settings, 'stdio');
  let app = open();
  onTestFinished(async () => {
    await app.close();
    await database?.drop();
    rmSync(home, { recursive: true, force: true });
  });
  const caller = { tenant: localTenant, actor: 'ada', scopes: new Set(['admin'] as const) };

  async function ask(name: string, args: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const outcome = await app.invoke({ name, args, caller, surface: 'cli' });
    if (outcome.ok) return JSON.parse(outcome.text) as Readonly<Record<string, unknown>>;
    const { code, message, details, fix } = outcome.fault;
    return { code, message, details, fix };
  }

  /** Closes the program, changes rows without it, and starts it again without its caches. */
  async function damage(statement: string): Promise<void> {
    await app.close();
    if (database === undefined) {
      const other = new Database(storeFile(home));
      other.exec(statement);
      other.close();
    } else await asAdmin(database.adminUrl, (client) => client.query(`${inSchema}; ${statement}`));
    app = open();
  }

  return {
    home,
    settings,
    database,
    ask,
    damage,
    storage: () => app.storage.opened(),
    truth: () => app.truth(),
    async reopen() {
      await app.close();
      app = open();
    },
    /** For what must happen while no process has the store open. */
    async closed(work: () => unknown) {
      await app.close();
      await work();
      app = open();
    },
    /** Fails the test if the call fails. */
    async good(name: string, args: object = {}): Promise<Readonly<Record<string, unknown>>> {
      const answer = await ask(name, args);
      if (typeof answer['code'] === 'string') throw new Error(`${name}: ${JSON.stringify(answer)}`);
      return answer;
    },
  };
}
