import { stat } from 'node:fs/promises';
import { type TenantId, toTenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Migration } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { findTaken, type Row, transferLimits, writeRows } from '#kernel/storage/transfer.ts';
import { describeTables, transferredTables } from '#kernel/storage/transfer-tables.ts';
import { type AdminProgress, type AdminStep, runSteps } from '../admin-step.ts';
import { adminFaults } from '../faults.ts';
import { toFileFault } from '../file-faults.ts';
import { toOperatorCall } from '../operator-call.ts';
import { type CheckedHeader, readHeader } from './check-header.ts';
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
  readonly actor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: AdminProgress | undefined;
  readonly afterImport?: readonly AdminStep[] | undefined;
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

  const callFor = (tenant: TenantId) => toOperatorCall({ tenant, tool: 'import', clock, actor, signal });

  async function refuseTaken(tenant: TenantId, { table, rows }: Chunk): Promise<void> {
    for (let at = 0; at < rows.length; at += transferLimits.keysCount) {
      const some = rows.slice(at, at + transferLimits.keysCount);
      const taken = await storage.read(callFor(tenant), (db) => findTaken(db, table, some));
      if (taken !== undefined)
        throw adminFaults.IMPORT_TAKEN({ table: table.name, key: keyText(taken), isPartial: false });
    }
  }

  async function check(tenant: TenantId, checked: CheckedHeader, totalBytes: number): Promise<void> {
    for await (const chunk of readChunks(from, checked)) {
      signal?.throwIfAborted();
      if (mode === 'fail') await refuseTaken(tenant, chunk);
      progress(chunk.endsAt, 2 * totalBytes, `checking ${chunk.table.name}`);
    }
  }

  const writeChunk = (tenant: TenantId, { table, columns, rows, hash }: Chunk): Promise<number> =>
    storage.write(callFor(tenant), function* (db) {
      const written = yield* writeRows(db, table, columns, rows, mode === 'replace' ? 'replace' : 'keep');
      if (mode === 'fail' && written < rows.length) {
        throw adminFaults.IMPORT_TAKEN({ table: table.name, key: 'one of the last rows', isPartial: true });
      }
      if (written > 0) yield* db.changed('import', table.name, mode === 'replace' ? 'update' : 'create', hash);
      return written;
    });

  try {
    const { size } = await stat(from);
    const reader = callFor(options.tenant ?? toTenantId('local'));
    const names = transferredTables(migrations);
    const tables = await storage.read(reader, (db) => describeTables(db, storage.dialect, names));
    const checked = await readHeader(from, tables, migrations);
    const tenant = options.tenant ?? toTenantId(checked.header.tenant);
    await check(tenant, checked, size);
    let read = 0;
    let written = 0;
    for await (const chunk of readChunks(from, checked)) {
      signal?.throwIfAborted();
      read += chunk.rows.length;
      written += await writeChunk(tenant, chunk);
      progress(size + chunk.endsAt, 2 * size, `importing ${chunk.table.name}`);
    }
    await runSteps(afterImport, progress);
    return { tenant, mode, read, written };
  } catch (error) {
    throw toFileFault(error);
  }
}
