import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TenantId } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { schemaVersion } from '#kernel/storage/migrate.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { type Row, readPage } from '#kernel/storage/transfer.ts';
import { describeTables, type Table, transferredTables } from '#kernel/storage/transfer-tables.ts';
import { type AdminProgress, type AdminStep, runSteps } from '../admin-step.ts';
import { flushFolder, makeFile, placeFile, writeAll } from '../durable-files.ts';
import { adminFaults } from '../faults.ts';
import { isThere, orCleanUp } from '../file-faults.ts';
import { toOperatorCall } from '../operator-call.ts';
import { type ExportHeader, type ExportTrailer, encodeRow, exportVersion, toLine } from './export-format.ts';
import { isSqlite, withSnapshot } from './snapshot.ts';

export interface ExportOptions {
  readonly storage: Storage;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly program: string;
  readonly tenant: TenantId;
  /** The file to be made. */
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
  readonly afterExport?: readonly AdminStep[] | undefined;
}

export interface ExportResult {
  readonly file: string;
  readonly tenant: TenantId;
  readonly rows: number;
  readonly bytes: number;
}

/** How often a tenant that is being changed is read anew. */
const attemptsCount = 3;

/** All rows of a tenant that mean something elsewhere, in one file. It gets its name when it is whole. */
export async function exportTenant(options: ExportOptions): Promise<ExportResult> {
  const { storage, migrations, clock, program, tenant, to, signal, progress = () => {}, afterExport = [] } = options;

  const call = () => toOperatorCall({ tenant, tool: 'export', clock, signal });

  const headerOf = (tables: readonly Table[]): ExportHeader => ({
    format: 'fourfold-export',
    version: exportVersion,
    program,
    schema: schemaVersion(migrations),
    tenant,
    at: toIso(clock.now()),
    tables: tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) })),
  });

  async function writeTables(from: Storage, handle: FileHandle): Promise<Omit<ExportResult, 'file' | 'tenant'>> {
    const names = transferredTables(migrations);
    const tables = await from.read(call(), (db) => describeTables(db, from.dialect, names));
    const hash = createHash('sha256');
    const counts: Record<string, number> = {};
    let rows = 0;
    let bytes = 0;

    async function put(text: string): Promise<void> {
      const chunk = Buffer.from(text);
      hash.update(chunk);
      await writeAll(handle, chunk, bytes);
      bytes += chunk.length;
    }

    await put(toLine(headerOf(tables)));
    for (const table of tables) {
      counts[table.name] = 0;
      let after: Row | undefined;
      for (;;) {
        signal?.throwIfAborted();
        const page = await from.read(call(), (db) => readPage(db, table, after));
        if (page.length === 0) break;
        await put(page.map((row) => encodeRow(table, row)).join(''));
        after = page.at(-1);
        rows += page.length;
        counts[table.name]! += page.length;
        progress(rows, undefined, `exporting ${table.name}`);
      }
    }
    const trailer: ExportTrailer = { end: true, counts, sha256: hash.copy().digest('hex') };
    await put(toLine(trailer));
    return { rows, bytes };
  }

  /** Without a copy to read from, one state was read only if nothing was changed from the first page to the last. */
  async function writeStill(handle: FileHandle): Promise<Omit<ExportResult, 'file' | 'tenant'>> {
    for (let attempt = 0; attempt < attemptsCount; attempt += 1) {
      const before = await storage.version(tenant, undefined);
      await handle.truncate(0);
      const result = await writeTables(storage, handle);
      if ((await storage.version(tenant, undefined)) === before) return result;
    }
    throw adminFaults.EXPORT_MOVED({ tenant });
  }

  if (await isThere(to)) throw adminFaults.TARGET_TAKEN({ path: to });
  const scratch = `${to}.partial-${randomBytes(4).toString('hex')}`;
  return orCleanUp(scratch, async () => {
    await mkdir(scratch, { mode: 0o700 });
    const file = join(scratch, 'export.jsonl');
    const result = await makeFile(file, (handle) =>
      isSqlite(storage)
        ? withSnapshot(storage, { migrations, clock }, scratch, (snapshot) => writeTables(snapshot, handle))
        : writeStill(handle),
    );
    await placeFile(file, to);
    await flushFolder(dirname(to));
    await rm(scratch, { recursive: true, force: true });
    await runSteps(afterExport, progress);
    return { file: to, tenant, ...result };
  });
}
