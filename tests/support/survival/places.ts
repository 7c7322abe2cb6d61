import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder } from '#tests/support/program.ts';

type Env = Readonly<Record<string, string>>;

/** A data folder or database that several programs use. */
export interface SharedPlace {
  readonly env: Env;
  readonly folder: string;
  /** Resolves when the database has no connections of ended processes. */
  settled(): Promise<void>;
}

export interface TablePlace extends SharedPlace {
  readonly admin: pg.Client;
}

/** The hook of the current test: concurrent tests do not share one. */
export type OnFinished = (work: () => void | Promise<void>) => void;

/** Additional settings of a memory, given the folder. */
export type EnvOf = (folder: string) => Env;

const toPlace = (folder: string, more: EnvOf): SharedPlace => ({
  env: {
    FOURFOLD_HOME: join(folder, 'home'),
    FOURFOLD_LOG_LEVEL: 'error',
    // Most of the time of a round is spent on starting.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    ...more(folder),
  },
  folder,
  async settled() {},
});

export function makeFilesPlace(onFinished: OnFinished, more: EnvOf = () => ({})): SharedPlace {
  const { folder, remove } = makeFolder();
  onFinished(remove);
  return toPlace(folder, more);
}

export async function makeTablePlace(onFinished: OnFinished, more: EnvOf = () => ({})): Promise<TablePlace> {
  const { folder, remove } = makeFolder();
  const { url, adminUrl, drop } = await createTestDatabase();
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  onFinished(async () => {
    await admin.end();
    await drop();
    remove();
  });
  const place = toPlace(folder, more);
  return {
    ...place,
    env: { ...place.env, FOURFOLD_DATABASE_URL: url },
    admin,
    /** A commit that was sent before the kill may complete after it. */
    async settled() {
      for (;;) {
        const { rowCount } = await admin.query(
          'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1',
        );
        if (rowCount === 0) return;
      }
    },
  };
}
