import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder } from '#tests/support/program.ts';
import { mutationOn } from '../catalog-program.ts';

/** Where programs keep one and the same catalog. */
export interface SharedPlace {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The entries, when they are files. */
  readonly entries: string;
  /** Resolves when nobody works for a process that is gone. */
  settled(): Promise<void>;
}

export interface TablePlace extends SharedPlace {
  readonly admin: pg.Client;
}

/** Of the test itself: tests that run at the same time have no hook in common. */
export type OnFinished = (work: () => void | Promise<void>) => void;

const toPlace = (folder: string): SharedPlace => {
  const entries = join(folder, 'instructions');
  return {
    env: {
      FOURFOLD_HOME: join(folder, 'home'),
      FOURFOLD_LOG_LEVEL: 'error',
      INSTRUCTIONS_DIR: entries,
      // A start is most of what a round costs.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      ...mutationOn,
    },
    folder,
    entries,
    async settled() {},
  };
};

export function makeFilesPlace(onFinished: OnFinished): SharedPlace {
  const { folder, remove } = makeFolder();
  onFinished(remove);
  return toPlace(folder);
}

export async function makeTablePlace(onFinished: OnFinished): Promise<TablePlace> {
  const { folder, remove } = makeFolder();
  const { url, adminUrl, drop } = await createTestDatabase();
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  onFinished(async () => {
    await admin.end();
    await drop();
    remove();
  });
  const place = toPlace(folder);
  return {
    ...place,
    env: { ...place.env, FOURFOLD_DATABASE_URL: url },
    admin,
    /** A commit that was sent before the kill may still be carried out after it. */
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
