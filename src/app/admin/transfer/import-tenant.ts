import { stat } from 'node:fs/promises';
import { anyInstruction, instructionTopic } from '#domains/instructions/instruction-ids.ts';
import { type TenantId, toTenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import type { Collection } from '#kernel/search/collection.ts';
import { markIndexesOutdated } from '#kernel/search/mark-outdated.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { findExistingKey, type Row, transferLimits, writeRows } from '#kernel/storage/transfer.ts';
import { describeTables, transferredTables } from '#kernel/storage/transfer-tables.ts';
import { adminFaults } from '../admin-faults.ts';
import { type AdminProgress, type AdminStep, runSteps } from '../admin-step.ts';
import { toFileFault } from '../file-faults.ts';
import { toOperatorCall } from '../operator-call.ts';
import { type CheckedHeader, readHeader } from './check-header.ts';
import { checkInstructionRows, type InstructionFiles, instructionTable } from './instruction-files.ts';
import { createLibraryRows } from './library-rows.ts';
import { createNotebookRows } from './notebook-rows.ts';
import { joinOwnRows, type OwnRows, type OwnRowsDeps } from './own-rows.ts';
import { type Chunk, readChunks } from './read-chunks.ts';

/** What happens to a row whose key is taken: the import is refused, the row there is kept, or it is overwritten. */
export type ImportMode = 'fail' | 'skip' | 'replace';

export interface ImportOptions {
  readonly storage: Storage;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly from: string;
  readonly mode: ImportMode;
  /** Where the rows go; without it, to the tenant they came from. */
  readonly tenant?: TenantId | undefined;
  /** Where entries are files; without it they are rows like all others. */
  readonly instructionFiles?: InstructionFiles | undefined;
  /** What is searched of the rows: indexes are not in an export, so they are made anew here. */
  readonly searched?: readonly Collection[] | undefined;
  readonly actor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
  readonly afterImport?: readonly AdminStep[] | undefined;
  /** Hears which tables got rows: what is made from them and not in the export is made anew by whoever knows how. */
  onWritten?(table: string): void;
}

export interface ImportResult {
  readonly tenant: TenantId;
  readonly mode: ImportMode;
  readonly read: number;
  readonly written: number;
}

const keyText = (row: Row): string =>
  Object.entries(row)
    .map(([name, value]) => `${name} ${String(value).slice(0, 100)}`)
    .join(', ');

/** Two passes: the first looks at everything and writes nothing, so that whatever is wrong with the export changes nothing. */
export async function importTenant(options: ImportOptions): Promise<ImportResult> {
  const { storage, migrations, clock, from, mode, actor, signal, progress = () => {}, afterImport = [] } = options;
  const files = storage.capabilities.isLocal ? options.instructionFiles : undefined;
  const isOfFiles = ({ table }: Chunk): boolean => files !== undefined && table.name === instructionTable;

  const callFor = (tenant: TenantId) => toOperatorCall({ tenant, tool: 'import', clock, actor, signal });

  /** Whoever was told to stop still marks: rows may be in. */
  const markIndexes = (tenant: TenantId): Promise<void> =>
    storage.write({ ...toOperatorCall({ tenant, tool: 'import', clock, actor }), audit: 'none' }, (db) =>
      markIndexesOutdated(db, options.searched ?? []),
    );

  async function refuseTaken(tenant: TenantId, chunk: Chunk): Promise<void> {
    const { table, rows } = chunk;
    if (isOfFiles(chunk)) {
      const id = await files?.findTaken(tenant, rows);
      if (id === undefined) return;
      throw adminFaults.IMPORT_TAKEN({ table: table.name, key: `id ${id}`, isPartial: false });
    }
    for (let at = 0; at < rows.length; at += transferLimits.keysCount) {
      const some = rows.slice(at, at + transferLimits.keysCount);
      const taken = await storage.read(callFor(tenant), (db) => findExistingKey(db, table, some));
      if (taken !== undefined)
        throw adminFaults.IMPORT_TAKEN({ table: table.name, key: keyText(taken), isPartial: false });
    }
  }

  async function check(tenant: TenantId, checked: CheckedHeader, own: OwnRows, totalBytes: number): Promise<void> {
    for await (const chunk of readChunks(from, checked)) {
      signal?.throwIfAborted();
      if (chunk.table.name === instructionTable) checkInstructionRows(chunk);
      await own.look(chunk);
      if (mode === 'fail' && own.isRefusable(chunk)) await refuseTaken(tenant, own.withoutCopies(chunk));
      progress(chunk.endsAt, 2 * totalBytes, `checking ${chunk.table.name}`);
    }
  }

  async function writeChunk(tenant: TenantId, chunk: Chunk): Promise<number> {
    const { table, columns, rows, hash } = chunk;
    const inFiles = isOfFiles(chunk) ? await files?.write(tenant, rows, mode) : undefined;
    return storage.write(callFor(tenant), function* (db) {
      const written = inFiles ?? (yield* writeRows(db, table, columns, rows, mode === 'replace' ? 'replace' : 'keep'));
      if (mode === 'fail' && written < rows.length) {
        throw adminFaults.IMPORT_TAKEN({ table: table.name, key: 'one of the last rows', isPartial: true });
      }
      if (written > 0) options.onWritten?.(table.name);
      if (written > 0) yield* db.changed('import', table.name, mode === 'replace' ? 'update' : 'create', hash);
      // Servers that have the entries in memory look at all of them again, and write down what is new.
      if (written > 0 && table.name === instructionTable && inFiles === undefined) {
        yield* db.changed(instructionTopic, anyInstruction, 'update', hash);
      }
      return written;
    });
  }

  try {
    const { size } = await stat(from);
    const reader = callFor(options.tenant ?? toTenantId('local'));
    const names = transferredTables(migrations);
    const tables = await storage.read(reader, (db) => describeTables(db, storage.capabilities, names));
    const checked = await readHeader(from, tables, migrations);
    const tenant = options.tenant ?? toTenantId(checked.header.tenant);
    const deps: OwnRowsDeps = { storage, ids: createIds(clock), mode, call: () => callFor(tenant) };
    const own = joinOwnRows([createNotebookRows(deps), createLibraryRows(deps)]);
    await check(tenant, checked, own, size);
    own.choose();
    let read = 0;
    let written = 0;
    // Before: rows that are in are found also when the import is killed. After: a server may have looked meanwhile.
    await markIndexes(tenant);
    try {
      await own.begin();
      for await (const chunk of readChunks(from, checked)) {
        signal?.throwIfAborted();
        read += chunk.rows.length;
        written += own.isOwn(chunk) ? await own.write(chunk) : await writeChunk(tenant, own.withoutCopies(chunk));
        progress(size + chunk.endsAt, 2 * size, `importing ${chunk.table.name}`);
      }
      written += await own.finish(() => readChunks(from, checked));
    } finally {
      await markIndexes(tenant);
    }
    await runSteps(afterImport, progress);
    return { tenant, mode, read, written };
  } catch (error) {
    throw toFileFault(error);
  }
}
