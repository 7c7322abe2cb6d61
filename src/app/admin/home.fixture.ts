import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAudit } from '#kernel/audit/audit.ts';
import { createCheckpoints } from '#kernel/audit/checkpoints.ts';
import { createBlobs } from '#kernel/blob/blobs.ts';
import { localTenant, type TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { openKeys } from '#kernel/keys/keys.ts';
import { silentLog } from '#kernel/log/log.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { listTrash, putInTrash } from '#kernel/storage/trash.ts';
import { migrations as ownMigrations } from '#migrations/all.ts';
import { auditKeyOf, storeFile } from '../open-storage.ts';
import { homeNames } from './home-layout.ts';
import { toOperatorCall } from './operator-call.ts';

/** The contents of every file below a folder, for comparing folders. */
export function readAllFiles(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = paths.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.map((file) => [file.slice(folder.length + 1), readFileSync(file).toString('base64')]),
  );
}

export interface HomeFixtureOptions {
  readonly home?: string;
  readonly migrations?: readonly Migration[];
}

/** A data folder with an open store and everything else that a backup contains. */
export function openHomeFixture({
  home = mkdtempSync(join(tmpdir(), 'ff-home-')),
  migrations = ownMigrations,
}: HomeFixtureOptions = {}) {
  const clock = createManualClock();
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const keyFile = join(home, homeNames.key);
  const keys = openKeys(keyFile);
  const storage = openSqlite({ file: storeFile(home), migrations, clock, log: silentLog, auditKey: auditKeyOf(keys) });
  const checkpoints = createCheckpoints(join(home, homeNames.checkpoints), auditKeyOf(keys));
  const audit = createAudit({ storage, key: auditKeyOf(keys), checkpoints, now: () => clock.now() });
  const callFor = (tenant: TenantId = localTenant) => toOperatorCall({ tenant, tool: 'fixture', clock });

  return {
    home,
    keyFile,
    keys,
    clock,
    migrations,
    storage,
    audit,
    callFor,
    program: '1.2.3',
    put: (id: string, text: string, tenant?: TenantId) =>
      storage.write(callFor(tenant), function* (db) {
        yield* putInTrash(db, 'note', id, text, 'ada');
        yield* db.changed('note', id, 'create', 'h');
      }),
    texts: async (tenant?: TenantId) =>
      (
        await storage.read(callFor(tenant), (db) =>
          listTrash(db, 'note', { at: Number.MAX_SAFE_INTEGER, id: '' }, 10_000),
        )
      ).map(({ id, document }) => `${id}: ${document}`),
    async createFiles(): Promise<void> {
      await createBlobs({ folder: join(home, homeNames.blobs) }).put(Buffer.from('a blob'));
      mkdirSync(join(home, homeNames.instructions), { recursive: true });
      writeFileSync(join(home, homeNames.instructions, 'be-kind.json'), '{"id":"be-kind","body":"Be kind."}');
      writeFileSync(join(home, homeNames.config), '{"logLevel":"warn","databaseUrl":"postgres://me:swordfish@db/x"}');
      await audit.checkpoint(callFor());
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

export type HomeFixture = ReturnType<typeof openHomeFixture>;
