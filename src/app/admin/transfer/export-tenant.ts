import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { instructionTopic } from '#domains/instructions/instruction-ids.ts';
import type { FileBlobs } from '#domains/truth/files/file-blobs.ts';
import type { TenantId } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { type Migration, schemaVersion } from '#kernel/storage/migration.ts';
import type { Storage, StorageOptions, Topic } from '#kernel/storage/port.ts';
import { damaged, hashedTablesOf, isRowIntact } from '#kernel/storage/row-hash.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { type Row, readPage } from '#kernel/storage/transfer.ts';
import { describeTables, type Table, transferredTables } from '#kernel/storage/transfer-tables.ts';
import { adminFaults } from '../admin-faults.ts';
import { createFile, flushFolder, placeFile, writeAll } from '../durable-files.ts';
import { cleanUpOnFailure, codeOf, exists } from '../file-faults.ts';
import { type AdminProgress, toOperatorCall } from '../operator-call.ts';
import { type ExportHeader, type ExportTrailer, encodeRow, exportVersion, toLine } from './export-format.ts';
import { fileBytesPages, fileBytesTable, withFileBytes } from './file-bytes.ts';
import { type InstructionFiles, instructionTable, type SkippedFile } from './instruction-files.ts';
import { placeSummaryFiles, refuseForeignSummaryFiles, writeSummaryFiles } from './summary-files.ts';

/** Works on a temporary copy of the store, so that all pages show the same state. */
async function withSnapshot<T>(
  backupTo: NonNullable<Storage['backupTo']>,
  { migrations, clock }: Pick<StorageOptions, 'migrations' | 'clock'>,
  folder: string,
  work: (snapshot: Storage) => Promise<T>,
): Promise<T> {
  const file = join(folder, 'snapshot.db');
  try {
    await backupTo(file);
    // The copy is not written to, so it needs no audit key.
    const snapshot = openSqlite({ file, migrations, clock, log: silentLog, auditKey: new Uint8Array(32) });
    try {
      return await work(snapshot);
    } finally {
      await snapshot.close();
    }
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
  }
}

export interface ExportOptions {
  readonly storage: Storage;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly program: string;
  readonly tenant: TenantId;
  /** The file to create. */
  readonly to: string;
  /** Set if entries are files. */
  readonly instructionFiles?: InstructionFiles | undefined;
  /** Uploaded files; without it, the export contains their rows but not their bytes. */
  readonly fileBlobs?: FileBlobs | undefined;
  /** Only these tables; default: all. */
  readonly tables?: ((name: string) => boolean) | undefined;
  /** Also writes usage and feedback as readable files next to the export. */
  readonly writesSummaryFiles?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
}

export interface ExportResult {
  readonly file: string;
  readonly tenant: TenantId;
  readonly rows: number;
  readonly bytes: number;
  /** Uploaded files whose bytes are in the export. */
  readonly files?: number;
  /** Other files written next to the export. */
  readonly beside?: readonly string[];
  /** Files of the instructions folder, and bytes of uploaded files, that the export cannot contain. */
  readonly leftOut?: readonly SkippedFile[];
}

/** The user knows only the target, so errors name it and not the temporary folder. */
async function makeScratch(scratch: string, to: string): Promise<void> {
  try {
    await mkdir(scratch, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw Object.assign(error as Error, { path: to });
    const why = `${to} cannot be created: the folder ${dirname(to)} does not exist`;
    throw adminFaults.FILES_UNAVAILABLE({ why }, {}, { cause: error });
  }
}

type ExportCounts = Pick<ExportResult, 'rows' | 'bytes' | 'files' | 'leftOut'>;

/** In a new store a damaged row would count as intact, because the import computes its hash. */
function expectIntact(table: Table, row: Row): void {
  if (table.hashes.every((hashed) => isRowIntact(hashed, row))) return;
  const key = table.key.map(({ name }) => `${name} ${String(row[name])}`).join(', ');
  throw damaged(table.name, `the row of ${table.name} with ${key}`);
}

/** How often a changing tenant is read before the export fails. */
const attemptsCount = 3;

/** Exports all portable rows of a tenant to one file, which gets its name when it is complete. */
export async function exportTenant(options: ExportOptions): Promise<ExportResult> {
  const { storage, migrations, clock, program, tenant, to, signal, progress = () => {} } = options;

  const files = storage.capabilities.isLocal ? options.instructionFiles : undefined;
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

  async function* rowsOf(from: Storage, table: Table): AsyncGenerator<readonly Row[]> {
    let after: Row | undefined;
    for (;;) {
      const page = await from.read(call(), (db) => readPage(db, table, after));
      if (page.length === 0) return;
      for (const row of page) expectIntact(table, row);
      yield page;
      after = page.at(-1);
    }
  }

  async function writeTables(from: Storage, handle: FileHandle, scratch: string): Promise<ExportCounts> {
    const names = transferredTables(migrations).filter(options.tables ?? (() => true));
    const stored = await from.read(call(), (db) =>
      describeTables(db, from.capabilities, names, hashedTablesOf(migrations)),
    );
    const { fileBlobs } = options;
    const tables = fileBlobs === undefined ? stored : withFileBytes(stored);
    let filesCount = 0;
    const hash = createHash('sha256');
    const counts: Record<string, number> = {};
    let rows = 0;
    let bytes = 0;
    const leftOut: SkippedFile[] = [];

    async function put(text: string): Promise<void> {
      const chunk = Buffer.from(text);
      hash.update(chunk);
      await writeAll(handle, chunk, bytes);
      bytes += chunk.length;
    }

    function pagesOf(table: Table): AsyncGenerator<readonly Row[]> {
      const skip = (file: SkippedFile) => void leftOut.push(file);
      if (files !== undefined && table.name === instructionTable) return files.pages(tenant, skip);
      if (fileBlobs === undefined || table !== fileBytesTable) return rowsOf(from, table);
      const exported = () => {
        filesCount += 1;
      };
      return fileBytesPages({ blobs: fileBlobs, from, call, leftOut: skip, exported });
    }

    await put(toLine(headerOf(tables)));
    for (const table of tables) {
      counts[table.name] = 0;
      for await (const page of pagesOf(table)) {
        signal?.throwIfAborted();
        await put(page.map((row) => encodeRow(table, row)).join(''));
        // Parts of files are lines, but not rows.
        if (table !== fileBytesTable) rows += page.length;
        counts[table.name]! += page.length;
        progress(rows, undefined, `exporting ${table.name}`);
      }
    }
    const trailer: ExportTrailer = { end: true, counts, sha256: hash.copy().digest('hex') };
    await put(toLine(trailer));
    if (options.writesSummaryFiles) await writeSummaryFiles(from, call, scratch, toIso(clock.now()));
    return {
      rows,
      bytes,
      ...(fileBlobs !== undefined && { files: filesCount }),
      ...(leftOut.length > 0 && { leftOut }),
    };
  }

  /** Without a snapshot the state is consistent only if nothing changed between the first and the last page. */
  async function writeStill(topic: Topic | undefined, handle: FileHandle, attemptOnce: () => Promise<ExportCounts>) {
    for (let attempt = 0; attempt < attemptsCount; attempt += 1) {
      const before = await storage.version(tenant, topic);
      await handle.truncate(0);
      const result = await attemptOnce();
      if ((await storage.version(tenant, topic)) === before) return result;
    }
    throw adminFaults.EXPORT_MOVED({ tenant });
  }

  /** SQLite has a snapshot, but the instruction files do not; both must match. */
  function write(handle: FileHandle, scratch: string): Promise<ExportCounts> {
    const { backupTo } = storage;
    if (backupTo === undefined) return writeStill(undefined, handle, () => writeTables(storage, handle, scratch));
    const writeCopy = () =>
      withSnapshot(backupTo, { migrations, clock }, scratch, (snapshot) => writeTables(snapshot, handle, scratch));
    return files === undefined ? writeCopy() : writeStill(instructionTopic, handle, writeCopy);
  }

  if (await exists(to)) throw adminFaults.TARGET_TAKEN({ path: to });
  if (options.writesSummaryFiles) await refuseForeignSummaryFiles(dirname(to));
  const scratch = `${to}.partial-${randomBytes(4).toString('hex')}`;
  return cleanUpOnFailure(scratch, async () => {
    await makeScratch(scratch, to);
    const file = join(scratch, 'export.jsonl');
    const result = await createFile(file, (handle) => write(handle, scratch));
    await placeFile(file, to);
    const beside = options.writesSummaryFiles ? await placeSummaryFiles(scratch, dirname(to)) : undefined;
    await flushFolder(dirname(to));
    await rm(scratch, { recursive: true, force: true });
    return { file: to, tenant, ...result, ...(beside !== undefined && { beside }) };
  });
}
