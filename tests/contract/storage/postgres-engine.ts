import pg from 'pg';
import { systemClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { openPostgres } from '#kernel/storage/postgres/open.ts';
import type { Bound } from '#kernel/storage/sql.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { asAdmin } from '#tests/support/postgres/test-login.ts';
import { type Engine, type TestStore, toStorageOptions } from './engine.ts';
import { contractMigrations } from './tables.ts';

export interface PostgresTestStore extends TestStore {
  readonly url: string;
  readonly adminUrl: string;
}

/** For connections outside the program. */
export const inSchema = 'set search_path to fourfold, public';

export async function createPostgresTestStore(isRehearsing = false): Promise<PostgresTestStore> {
  const { url, adminUrl, drop } = await createTestDatabase();
  const fallback = { migrations: contractMigrations, clock: systemClock, log: silentLog };
  return {
    url,
    adminUrl,
    open: async (options = {}) => openPostgres({ url, ...toStorageOptions(options, fallback, isRehearsing) }),
    async block() {
      const other = new pg.Client({ connectionString: adminUrl });
      await other.connect();
      await other.query(`begin; ${inSchema}; lock table counters, items in exclusive mode`);
      return () => other.end();
    },
    async tamper(statement) {
      await asAdmin(adminUrl, (client) => client.query(`${inSchema}; ${statement}`));
    },
    async look(query) {
      const found = await asAdmin(adminUrl, async (client) => {
        await client.query(inSchema);
        return client.query<Readonly<Record<string, Bound>>>(query);
      });
      return found.rows;
    },
    remove: drop,
  };
}

export const postgresEngine = (isRehearsing: boolean): Engine => ({
  name: isRehearsing ? 'PostgreSQL, rehearsing' : 'PostgreSQL',
  kind: 'postgres',
  isRehearsing,
  create: () => createPostgresTestStore(isRehearsing),
});
