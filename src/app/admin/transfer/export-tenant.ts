import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { instructionTopic } from '#domains/instructions/instruction-ids.ts';
import type { TenantId } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { flushFolder } from '#kernel/paths/flush-folder.ts';
import { type Migration, schemaVersion } from '#kernel/storage/migration.ts';
import type { Storage, Topic } from '#kernel/storage/port.ts';
import { type Row, readPage } from '#kernel/storage/transfer.ts';
import { describeTables, type Table, transferredTables } from '#kernel/storage/transfer-tables.ts';
import { adminFaults } from '../admin-faults.ts';
import { type AdminProgress, type AdminStep, runSteps } from '../admin-step.ts';
import { makeFile, placeFile, writeAll } from '../durable-files.ts';
import { codeOf, isThere, orCleanUp } from '../file-faults.ts';
import { toOperatorCall } from '../operator-call.ts';
import { makeCompanions, placeCompanions, refuseForeignCompanions } from './companions.ts';
import { type ExportHeader, type ExportTrailer, encodeRow, exportVersion, toLine } from './export-format.ts';
import { type InstructionFiles, instructionTable, type LeftOut } from './instruction-files.ts';
import { withSnapshot } from './snapshot.ts';

export interface ExportOptions {
  readonly storage: Storage;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly program: string;
  readonly tenant: TenantId;
  /** The file to be made. */
  readonly to: string;
  /** Where entries are files. */
  readonly instructionFiles?: InstructionFiles | undefined;
  /** Which tables; without it, all. */
  readonly tables?: ((name: string) => boolean) | undefined;
  /** Whether usage and feedback are also written beside the export, to be read by others. */
  readonly hasCompanions?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
  readonly afterExport?: readonly AdminStep[] | undefined;
}

export interface ExportResult {
  readonly file: string;
  readonly tenant: TenantId;
  readonly rows: number;
  readonly bytes: number;
  /** Other files that were written beside it. */
  readonly beside?: readonly string[];
  /** Files of the instructions folder that no export can hold. */
  readonly leftOut?: readonly LeftOut[];
}

/** Whoever asked named the target; of the folder beside it that fills up first nobody has heard. */
async function makeScratch(scratch: string, to: string): Promise<void> {
  try {
    await mkdir(scratch, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw Object.assign(error as Error, { path: to });
    const why = `${to} cannot be made: there is no folder ${dirname(to)}; make it first`;
    throw adminFaults.FILES_UNAVAILABLE({ why }, {}, { cause: error });
  }
}

type Written = Pick<ExportResult, 'rows' | 'bytes' | 'leftOut'>;

/** How often a tenant that is being changed is read anew. */
const attemptsCount = 3;

/** All rows of a tenant that mean something elsewhere, in one file. It gets its name when it is whole. */
export async function exportTenant(options: ExportOptions): Promise<ExportResult> {
  const { storage, migrations, clock, program, tenant, to, signal, progress = () => {}, afterExport = [] } = options;

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
      yield page;
      after = page.at(-1);
    }
  }

  async function writeTables(from: Storage, handle: FileHandle, scratch: string): Promise<Written> {
    const names = transferredTables(migrations).filter(options.tables ?? (() => true));
    const tables = await from.read(call(), (db) => describeTables(db, from.capabilities, names));
    const hash = createHash('sha256');
    const counts: Record<string, number> = {};
    let rows = 0;
    let bytes = 0;
    const leftOut: LeftOut[] = [];

    async function put(text: string): Promise<void> {
      const chunk = Buffer.from(text);
      hash.update(chunk);
      await writeAll(handle, chunk, bytes);
      bytes += chunk.length;
    }

    await put(toLine(headerOf(tables)));
    for (const table of tables) {
      counts[table.name] = 0;
      const isOfFiles = files !== undefined && table.name === instructionTable;
      const pages = isOfFiles ? files.pages(tenant, (file) => leftOut.push(file)) : rowsOf(from, table);
      for await (const page of pages) {
        signal?.throwIfAborted();
        await put(page.map((row) => encodeRow(table, row)).join(''));
        rows += page.length;
        counts[table.name]! += page.length;
        progress(rows, undefined, `exporting ${table.name}`);
      }
    }
    const trailer: ExportTrailer = { end: true, counts, sha256: hash.copy().digest('hex') };
    await put(toLine(trailer));
    if (options.hasCompanions) await makeCompanions(from, call, scratch, toIso(clock.now()));
    return { rows, bytes, ...(leftOut.length > 0 && { leftOut }) };
  }

  /** Without a copy to read from, one state was read only if nothing was changed from the first page to the last. */
  async function writeStill(topic: Topic | undefined, handle: FileHandle, attemptOnce: () => Promise<Written>) {
    for (let attempt = 0; attempt < attemptsCount; attempt += 1) {
      const before = await storage.version(tenant, topic);
      await handle.truncate(0);
      const result = await attemptOnce();
      if ((await storage.version(tenant, topic)) === before) return result;
    }
    throw adminFaults.EXPORT_MOVED({ tenant });
  }

  /** Of SQLite there is a copy; of the files beside it there is none, and they belong to what the store says of them. */
  function write(handle: FileHandle, scratch: string): Promise<Written> {
    const { backupTo } = storage;
    if (backupTo === undefined) return writeStill(undefined, handle, () => writeTables(storage, handle, scratch));
    const writeCopy = () =>
      withSnapshot(backupTo, { migrations, clock }, scratch, (snapshot) => writeTables(snapshot, handle, scratch));
    return files === undefined ? writeCopy() : writeStill(instructionTopic, handle, writeCopy);
  }

  if (await isThere(to)) throw adminFaults.TARGET_TAKEN({ path: to });
  if (options.hasCompanions) await refuseForeignCompanions(dirname(to));
  const scratch = `${to}.partial-${randomBytes(4).toString('hex')}`;
  return orCleanUp(scratch, async () => {
    await makeScratch(scratch, to);
    const file = join(scratch, 'export.jsonl');
    const result = await makeFile(file, (handle) => write(handle, scratch));
    await placeFile(file, to);
    const beside = options.hasCompanions ? await placeCompanions(scratch, dirname(to)) : undefined;
    await flushFolder(dirname(to));
    await rm(scratch, { recursive: true, force: true });
    await runSteps(afterExport, progress);
    return { file: to, tenant, ...result, ...(beside !== undefined && { beside }) };
  });
}
