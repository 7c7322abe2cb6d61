import { copyFile, mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { anyInstruction, instructionTopic } from '#domains/instructions/instruction-ids.ts';
import { createFolderBlobs } from '#domains/truth/files/file-blobs.ts';
import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { markIndexesOutdated } from '#kernel/search/mark-outdated.ts';
import { type DamagedRow, hashColumnOf, nameOfDamaged } from '#kernel/storage/find-damage.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { hashedTablesOf, hashRow, isRowIntact } from '#kernel/storage/row-hash.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { findRow, type Row, updateRow } from '#kernel/storage/transfer.ts';
import { describeTables, transferredTables } from '#kernel/storage/transfer-tables.ts';
import { findDamagedBlobs, findDamagedRows } from '../doctor/check-content.ts';
import { copyDurably, flushFolder, hashFile } from '../durable-files.ts';
import { exists, ifMissing } from '../file-faults.ts';
import { homeNames } from '../home-layout.ts';
import { type AdminProgress, toOperatorCall } from '../operator-call.ts';
import { readHeader } from '../transfer/check-header.ts';
import { createFileRows, isFileBytes, withFileBytes } from '../transfer/file-bytes.ts';
import { searchedCollections } from '../transfer/import-tenant.ts';
import { type Chunk, readChunks } from '../transfer/read-chunks.ts';
import { withCurrentExport } from '../transfer/upgrade-export.ts';
import { backupNames } from './manifest.ts';
import { verifyBackup } from './verify-backup.ts';

export interface RepairOptions {
  /** The folder of a backup, or the file of an export. */
  readonly from: string;
  readonly home: string;
  readonly storage: Storage;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
}

/** Without a backup: the damaged items stay as they are and are served again. */
export async function acceptItems(options: Omit<RepairOptions, 'from' | 'home'>): Promise<readonly string[]> {
  const { storage, migrations, clock, signal, progress } = options;
  const callFor = (tenant: TenantId) => toOperatorCall({ tenant, tool: 'accept-damaged', clock, signal });
  const accepted: string[] = [];
  for await (const { tenant, table, hashed, row } of findDamagedRows({
    storage,
    migrations,
    callFor,
    progress,
  })) {
    if (hashed.isDerived === true) continue;
    const column = hashColumnOf(hashed);
    const hash = hashRow(hashed, row);
    await storage.write(callFor(tenant), function* (db) {
      const columns = table.columns.filter(({ name }) => name === column);
      yield* updateRow(db, table, columns, row, { [column]: hash });
      yield* markChanged(db, table.name, hash);
    });
    accepted.push(nameOfDamaged({ table, row }));
  }
  return accepted;
}

function* markChanged(db: Writer, table: string, hash: string): Work<void> {
  // The topic of an import, after which every process reads its caches again.
  yield* db.changed('import', table, 'update', hash);
  if (table === 'instructions') yield* db.changed(instructionTopic, anyInstruction, 'update', hash);
  yield* markIndexesOutdated(db, searchedCollections);
}

export interface RepairResult {
  /** Items that are again as they were before the damage. */
  readonly restored: readonly string[];
  /** Items that changed after the backup: the older content is better than none. */
  readonly older: readonly string[];
  readonly missing: readonly string[];
}

type Damaged = DamagedRow & { readonly tenant: TenantId };

/** Finds the sound copy of a damaged row. */
type Lookup = (damaged: Damaged) => Promise<Row | undefined>;

const keyOf = ({ table, row, tenant }: Pick<Damaged, 'table' | 'row' | 'tenant'>): string =>
  JSON.stringify([tenant, table.name, ...table.key.map(({ name }) => row[name])]);

/**
 * Restores single damaged items. Only the content is taken from the backup: positions, counts and other values that a
 * hash does not cover stay as they are.
 */
export async function repairItems(options: RepairOptions): Promise<RepairResult> {
  const { home, storage, migrations, clock, signal, progress = () => {} } = options;
  const callFor = (tenant: TenantId) => toOperatorCall({ tenant, tool: 'repair', clock, signal });
  const restored: string[] = [];
  const older: string[] = [];
  const missing: string[] = [];

  async function collect(): Promise<readonly Damaged[]> {
    const found: Damaged[] = [];
    for await (const one of findDamagedRows({ storage, migrations, callFor, progress })) {
      signal?.throwIfAborted();
      if (one.hashed.isDerived !== true) found.push(one);
    }
    return found;
  }

  async function write(damaged: Damaged, sound: Row): Promise<void> {
    const { table, hashed, row, tenant } = damaged;
    const column = hashColumnOf(hashed);
    const hash = hashRow(hashed, sound);
    const columns = table.columns.filter(({ name }) => name === column || hashed.columns.includes(name));
    await storage.write(callFor(tenant), function* (db) {
      yield* updateRow(db, table, columns, row, { ...sound, [column]: hash });
      yield* markChanged(db, table.name, hash);
    });
    const isSame = hash === row[column] || hash === hashRow(hashed, row);
    (isSame ? restored : older).push(nameOfDamaged(damaged));
  }

  /**
   * Tables that the version of the backup did not have: their rows come from a migration, and may depend on its time.
   */
  const newerTables = (schema: number): ReadonlySet<string> =>
    new Set(migrations.filter(({ id }) => id > schema).flatMap(({ tenantTables }) => tenantTables));

  async function repairRows(damaged: readonly Damaged[], schema: number, lookUp: Lookup): Promise<void> {
    const newer = newerTables(schema);
    const isUsable = ({ table, hashed, row }: Damaged, sound: Row): boolean =>
      isRowIntact(hashed, sound) && (!newer.has(table.name) || row[hashColumnOf(hashed)] === hashRow(hashed, sound));
    for (const one of damaged) {
      const sound = await lookUp(one);
      if (sound === undefined || !isUsable(one, sound)) missing.push(nameOfDamaged(one));
      else await write(one, sound);
    }
  }

  /** An older backup has no hashes: a copy of it is migrated first, which computes them. */
  async function repairFromBackup(folder: string): Promise<void> {
    const { body } = await verifyBackup(folder, migrations, (...step) => progress(...step));
    const damaged = await collect();
    if (damaged.length > 0 && body.store === 'sqlite') {
      const scratch = await mkdtemp(join(tmpdir(), 'fourfold-repair-'));
      try {
        const file = join(scratch, backupNames.store);
        await copyFile(join(folder, backupNames.store), file);
        const copy = openSqlite({ file, migrations, clock, log: silentLog, auditKey: new Uint8Array(32) });
        try {
          await repairRows(damaged, body.schema, ({ table, row, tenant }) =>
            copy.read(callFor(tenant), (db) => findRow(db, table, row)),
          );
        } finally {
          await copy.close();
        }
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    } else missing.push(...damaged.map(nameOfDamaged));
    await repairBlobs(join(folder, backupNames.files, homeNames.blobs));
  }

  async function repairBlobs(from: string): Promise<void> {
    const folder = join(home, homeNames.blobs);
    for (const path of (await findDamagedBlobs(folder)).damaged) {
      const copy = join(from, relative(folder, path));
      const isSound = (await exists(copy)) && path.endsWith((await hashFile(copy)).sha256);
      if (isSound) {
        await copyDurably(copy, `${path}.repair`);
        await rename(`${path}.repair`, path);
        await flushFolder(dirname(path));
      }
      (isSound ? restored : missing).push(path);
    }
  }

  /** The rows of an export have no other hash than that of the whole file, which `readChunks` checks at the end. */
  async function repairFromExport(file: string): Promise<void> {
    const damaged = await collect();
    const hashed = hashedTablesOf(migrations);
    const names = transferredTables(migrations);
    const tables = await storage.read(callFor('local' as TenantId), (db) =>
      describeTables(db, storage.capabilities, names, hashed),
    );
    const checked = await readHeader(file, withFileBytes(tables), migrations);
    const tenant = checked.header.tenant as TenantId;
    const wanted = new Map(damaged.map((one) => [keyOf(one), one]));
    const sound = new Map<string, Row>();
    const bytes = await prepareBytes(tenant);
    for await (const chunk of readChunks(file, checked)) await bytes.uploaded.rows.inspect(chunk);
    await withCurrentExport(file, checked, { migrations, clock, signal, progress }, async (current) => {
      const again = current === file ? checked : await readHeader(current, tables, migrations);
      for await (const chunk of readChunks(current, again)) {
        const { table, rows } = chunk;
        signal?.throwIfAborted();
        for (const row of isFileBytes(chunk) ? [] : rows) {
          const key = keyOf({ table, row, tenant });
          if (wanted.has(key)) sound.set(key, row);
        }
      }
    });
    await repairRows(damaged, checked.header.schema, async (one) => {
      const row = sound.get(keyOf(one));
      return row === undefined ? undefined : { ...row, [hashColumnOf(one.hashed)]: hashRow(one.hashed, row) };
    });
    await bytes.repair(() => readChunks(file, checked));
  }

  /** An export has the files of one tenant; those of others stay damaged. */
  async function prepareBytes(tenant: TenantId) {
    const folder = join(home, homeNames.blobs);
    const blobs = createFolderBlobs(folder);
    const { damaged } = await findDamagedBlobs(folder);
    const own = new Map<string, string>();
    for (const path of damaged)
      if (await blobs.withPath(tenant, basename(path), async (at) => at === resolve(path)))
        own.set(basename(path), path);
    const uploaded = createFileRows(blobs, tenant, (sha256) => own.has(sha256));
    async function repair(chunks: () => AsyncIterable<Chunk>): Promise<void> {
      if (damaged.length === 0) return;
      uploaded.rows.validate();
      try {
        for await (const chunk of chunks()) if (isFileBytes(chunk)) await uploaded.rows.write(chunk);
      } finally {
        await uploaded.close();
      }
      for (const path of damaged)
        (own.get(basename(path)) === path && uploaded.has(basename(path)) ? restored : missing).push(path);
    }
    return { uploaded, repair };
  }

  const from = await realpath(resolve(options.from)).catch(ifMissing(resolve(options.from)));
  const isFile = (await stat(from).catch(ifMissing(undefined)))?.isFile() === true;
  await (isFile ? repairFromExport(from) : repairFromBackup(from));
  return { restored, older, missing };
}
