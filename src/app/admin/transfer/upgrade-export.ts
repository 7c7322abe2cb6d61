import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toTenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { type Migration, schemaVersion } from '#kernel/storage/migration.ts';
import { hashedTablesOf } from '#kernel/storage/row-hash.ts';
import { openSqlite, type SqliteStorage } from '#kernel/storage/sqlite/open.ts';
import { writeRows } from '#kernel/storage/transfer.ts';
import { describeTables, transferredTables } from '#kernel/storage/transfer-tables.ts';
import { type AdminProgress, toOperatorCall } from '../operator-call.ts';
import { type CheckedHeader, readHeader } from './check-header.ts';
import type { ExportHeader } from './export-format.ts';
import { exportTenant } from './export-tenant.ts';
import { isFileBytes, withFileBytes } from './file-bytes.ts';
import { readChunks } from './read-chunks.ts';

export interface UpgradeOptions {
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
}

/** The migrations of the version that wrote the export. */
const migrationsOf = ({ schema }: ExportHeader, migrations: readonly Migration[]): readonly Migration[] =>
  migrations.filter(({ id }) => id <= schema);

async function load(
  storage: SqliteStorage,
  from: string,
  tenant: string,
  { migrations, clock, signal, progress = () => {} }: UpgradeOptions,
): Promise<void> {
  const call = () => ({
    ...toOperatorCall({ tenant: toTenantId(tenant), tool: 'upgrade', clock, signal }),
    ...({ audit: 'none', durability: 'soon' } as const),
  });
  const names = transferredTables(migrations);
  const tables = await storage.read(call(), (db) =>
    describeTables(db, storage.capabilities, names, hashedTablesOf(migrations)),
  );
  const checked = await readHeader(from, withFileBytes(tables), migrations);
  for await (const chunk of readChunks(from, checked)) {
    signal?.throwIfAborted();
    if (isFileBytes(chunk)) continue;
    const { table, columns, rows } = chunk;
    await storage.write(call(), (db) => writeRows(db, table, columns, rows, 'keep'));
    progress(0, undefined, `upgrading ${table.name}`);
  }
}

/**
 * Passes on an export as this version would have written it. The rows of an older one go through the migrations, in a
 * temporary store, so that an import gives the same result as an upgrade of the whole store. The bytes of files, which
 * migrations do not change, are left out.
 */
export async function withCurrentExport<T>(
  from: string,
  { header }: CheckedHeader,
  options: UpgradeOptions,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const { migrations, clock, signal } = options;
  if (header.schema === schemaVersion(migrations)) return await work(from);
  const old = migrationsOf(header, migrations);
  const folder = await mkdtemp(join(tmpdir(), 'fourfold-upgrade-'));
  const place = { file: join(folder, 'store.db'), clock, log: silentLog, auditKey: new Uint8Array(32) };
  const within = async (known: readonly Migration[], use: (storage: SqliteStorage) => Promise<unknown>) => {
    const storage = openSqlite({ ...place, migrations: known });
    storage.prepareForBulk?.();
    try {
      await use(storage);
    } finally {
      await storage.close();
    }
  };
  try {
    await within(old, (storage) => load(storage, from, header.tenant, { ...options, migrations: old }));
    const wanted = new Set([
      ...header.tables.map(({ name }) => name),
      ...migrations.filter((one) => !old.includes(one)).flatMap(({ tenantTables }) => tenantTables),
    ]);
    const to = join(folder, 'export.jsonl');
    // Nothing else writes to this store, so no snapshot is needed.
    await within(migrations, ({ backupTo: _, ...storage }) =>
      exportTenant({
        ...{ storage, migrations, clock, signal, to, program: header.program, tenant: toTenantId(header.tenant) },
        tables: (name) => wanted.has(name),
      }),
    );
    return await work(to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
