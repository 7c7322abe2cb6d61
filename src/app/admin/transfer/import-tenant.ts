import { stat } from 'node:fs/promises';
import { instructionDocuments } from '#domains/instructions/catalog/search-documents.ts';
import { anyInstruction, instructionTopic } from '#domains/instructions/instruction-ids.ts';
import { knowledgeDocuments } from '#domains/knowledge/search/collection.ts';
import { notebookDocuments } from '#domains/notebooks/search/notebook-documents.ts';
import { entityDocuments } from '#domains/truth/entities/search/entity-collection.ts';
import type { FileBlobs } from '#domains/truth/files/file-blobs.ts';
import type { Tombstones } from '#domains/truth/forgetting/tombstones.ts';
import { recordDocuments } from '#domains/truth/records/record-documents.ts';
import { type TenantId, toTenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import type { Collection } from '#kernel/search/collection.ts';
import { markIndexesOutdated } from '#kernel/search/mark-outdated.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { hashedTablesOf } from '#kernel/storage/row-hash.ts';
import { findExistingKey, type Row, transferLimits, writeRows } from '#kernel/storage/transfer.ts';
import { describeTables, transferredTables } from '#kernel/storage/transfer-tables.ts';
import { adminFaults } from '../admin-faults.ts';
import { toFileFault } from '../file-faults.ts';
import { type AdminProgress, toOperatorCall } from '../operator-call.ts';
import { type CheckedHeader, readHeader } from './check-header.ts';
import { type DomainRows, type DomainRowsDeps, joinDomainRows } from './domain-rows.ts';
import { createFileRows, isFileBytes, withFileBytes } from './file-bytes.ts';
import { refuseForgottenRows } from './forgotten-rows.ts';
import { checkInstructionRows, type InstructionFiles, instructionTable } from './instruction-files.ts';
import { createLibraryRows } from './library-rows.ts';
import { createNotebookRows } from './notebook-rows.ts';
import { type Chunk, readChunks } from './read-chunks.ts';
import { withCurrentExport } from './upgrade-export.ts';

/** All collections that are searched. An export has no indexes: each store builds its own. */
export const searchedCollections: readonly Collection[] = [
  instructionDocuments,
  knowledgeDocuments,
  notebookDocuments,
  recordDocuments,
  entityDocuments,
];

/** When schemas were active in this tenant. What the tenant has stays: its past answers depend on it. */
const isHistory = ({ table }: Chunk): boolean => table.name === 'truth_schema_activations';

/** For a row whose key exists: reject the import, keep the existing row, or replace it. */
export type ImportMode = 'fail' | 'skip' | 'replace';

export interface ImportOptions {
  readonly storage: Storage;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly from: string;
  readonly mode: ImportMode;
  /** The target tenant; default: the tenant of the export. */
  readonly tenant?: TenantId | undefined;
  /** Set if entries are files; otherwise they are ordinary rows. */
  readonly instructionFiles?: InstructionFiles | undefined;
  /** Where the bytes of uploaded files go; without it, an export that contains some is refused. */
  readonly fileBlobs?: FileBlobs | undefined;
  /** Collections whose indexes must be rebuilt after the import. */
  readonly searched?: readonly Collection[] | undefined;
  /** Refuses what was forgotten after it was exported. */
  readonly tombstones?: Pick<Tombstones, 'macOf'> | undefined;
  readonly actor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
  /** Reports tables with new rows, so that the caller can rebuild derived data. */
  onWritten?(table: string): void;
}

const keyText = (row: Row): string =>
  Object.entries(row)
    .map(([name, value]) => `${name} ${String(value).slice(0, 100)}`)
    .join(', ');

/** Two passes: the first checks everything and writes nothing, so that an invalid export changes nothing. */
export async function importTenant(options: ImportOptions) {
  const { storage, migrations, clock, from, mode, actor, signal, progress = () => {} } = options;
  const files = storage.capabilities.isLocal ? options.instructionFiles : undefined;
  const isOfFiles = ({ table }: Chunk): boolean => files !== undefined && table.name === instructionTable;

  const callFor = (tenant: TenantId) => toOperatorCall({ tenant, tool: 'import', clock, actor, signal });

  /** Without the signal: an aborted import has already written rows. */
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

  async function check(tenant: TenantId, checked: CheckedHeader, own: DomainRows, totalBytes: number): Promise<void> {
    for await (const chunk of readChunks(from, checked)) {
      signal?.throwIfAborted();
      if (chunk.table.name === instructionTable) checkInstructionRows(chunk);
      await own.inspect(chunk);
      if (options.tombstones !== undefined) {
        await refuseForgottenRows(storage, options.tombstones, callFor(tenant), chunk);
      }
      if (mode === 'fail' && own.mustBeNew(chunk) && !isHistory(chunk))
        await refuseTaken(tenant, own.withoutTrashed(chunk));
      progress(chunk.endsAt, 2 * totalBytes, `checking ${chunk.table.name}`);
    }
  }

  async function writeChunk(tenant: TenantId, chunk: Chunk): Promise<number> {
    const { table, columns, rows, hash } = chunk;
    const inFiles = isOfFiles(chunk) ? await files?.write(tenant, rows, mode) : undefined;
    const onTaken = mode === 'replace' && !isHistory(chunk) ? 'replace' : 'keep';
    return storage.write(callFor(tenant), function* (db) {
      const written = inFiles ?? (yield* writeRows(db, table, columns, rows, onTaken));
      if (mode === 'fail' && written < rows.length && !isHistory(chunk)) {
        throw adminFaults.IMPORT_TAKEN({ table: table.name, key: 'one of the last rows', isPartial: true });
      }
      if (written > 0) options.onWritten?.(table.name);
      if (written > 0) yield* db.changed('import', table.name, mode === 'replace' ? 'update' : 'create', hash);
      // Makes servers that hold entries in memory read all of them again.
      if (written > 0 && table.name === instructionTable && inFiles === undefined) {
        yield* db.changed(instructionTopic, anyInstruction, 'update', hash);
      }
      return written;
    });
  }

  /** `file` is the export, or the upgraded copy of an older one, which has no bytes of files. */
  async function writeAll(
    tenant: TenantId,
    file: string,
    checked: CheckedHeader,
    given: CheckedHeader,
    own: DomainRows,
  ) {
    const { size } = await stat(file);
    let read = 0;
    let written = 0;
    // Mark before, in case the import is killed, and after, in case a server rebuilt its index meanwhile.
    await markIndexes(tenant);
    try {
      await own.begin();
      if (checked !== given)
        for await (const chunk of readChunks(from, given)) if (isFileBytes(chunk)) await own.write(chunk);
      for await (const chunk of readChunks(file, checked)) {
        signal?.throwIfAborted();
        if (!isFileBytes(chunk)) read += chunk.rows.length;
        written += own.handles(chunk) ? await own.write(chunk) : await writeChunk(tenant, own.withoutTrashed(chunk));
        progress(size + chunk.endsAt, 2 * size, `importing ${chunk.table.name}`);
      }
      written += await own.finish(() => readChunks(file, checked));
    } finally {
      await markIndexes(tenant);
    }
    return { read, written };
  }

  try {
    const { size } = await stat(from);
    const reader = callFor(options.tenant ?? toTenantId('local'));
    const names = transferredTables(migrations);
    const stored = await storage.read(reader, (db) =>
      describeTables(db, storage.capabilities, names, hashedTablesOf(migrations)),
    );
    const { fileBlobs } = options;
    const checked = await readHeader(from, fileBlobs === undefined ? stored : withFileBytes(stored), migrations);
    const tenant = options.tenant ?? toTenantId(checked.header.tenant);
    const deps: DomainRowsDeps = { storage, ids: createIds(clock), mode, call: () => callFor(tenant) };
    const uploaded = fileBlobs === undefined ? undefined : createFileRows(fileBlobs, tenant);
    const own = joinDomainRows([
      createNotebookRows(deps),
      createLibraryRows(deps),
      ...(uploaded === undefined ? [] : [uploaded.rows]),
    ]);
    await check(tenant, checked, own, size);
    own.validate();
    const upgrade = { migrations, clock, signal, progress };
    const { read, written } = await withCurrentExport(from, checked, upgrade, async (current) => {
      const again = current === from ? checked : await readHeader(current, stored, migrations);
      try {
        return await writeAll(tenant, current, again, checked, own);
      } finally {
        await uploaded?.close();
      }
    });
    return { tenant, mode, read, written, ...(uploaded !== undefined && { files: uploaded.filesCount() }) };
  } catch (error) {
    throw toFileFault(error);
  }
}
