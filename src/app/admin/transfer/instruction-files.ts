import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { etagOf } from '#domains/instructions/catalog/entry-json.ts';
import {
  type CatalogFolders,
  fileNameOf,
  folderOfTenant,
  idOfFile,
  isEntryFile,
  toTemporaryName,
} from '#domains/instructions/catalog/files/folder-names.ts';
import { readEntryFile } from '#domains/instructions/catalog/files/read-file.ts';
import { touchVersion } from '#domains/instructions/catalog/files/version-file.ts';
import { instructionIdPattern, reservedIds } from '#domains/instructions/instruction-ids.ts';
import type { TenantId } from '#kernel/call.ts';
import { yieldToEventLoop } from '#kernel/clock/yield-to-event-loop.ts';
import { flushFolder } from '#kernel/paths/flush-folder.ts';
import type { Row } from '#kernel/storage/transfer.ts';
import { adminFaults } from '../admin-faults.ts';
import { placeFile, writeDurably } from '../durable-files.ts';
import { absentAs, isThere } from '../file-faults.ts';
import { exportLimits } from './export-format.ts';
import type { ImportMode } from './import-tenant.ts';
import type { Chunk } from './read-chunks.ts';

/** The table that stands empty where the entries are files: an export has its rows all the same, made of the files. */
export const instructionTable = 'instructions';

export interface LeftOut {
  readonly file: string;
  readonly problem: string;
}

/** The entries of a home whose store is SQLite, as rows of the table that they are where it is PostgreSQL. */
export interface InstructionFiles {
  /** In the order of the table's key. What is no text at all is told, and left where it is. */
  pages(tenant: TenantId, leftOut: (file: LeftOut) => void): AsyncGenerator<readonly Row[]>;
  /** The id of one of these rows whose file is there. */
  findTaken(tenant: TenantId, rows: readonly Row[]): Promise<string | undefined>;
  /** Answers how many were written; each whole, or not at all. */
  write(tenant: TenantId, rows: readonly Row[], mode: ImportMode): Promise<number>;
}

const textOf = (row: Row, name: string): string => String(row[name]);

/** A row of an export becomes a file, so its id is looked at before anything is done with it. */
export function checkInstructionRows({ rows, lastLine }: Chunk): void {
  for (const [i, row] of rows.entries()) {
    const line = lastLine - rows.length + 1 + i;
    const id = textOf(row, 'id');
    if (!instructionIdPattern.test(id) || reservedIds.has(id))
      throw adminFaults.IMPORT_INVALID({ line, why: 'its id is none of an entry' });
    if (etagOf(textOf(row, 'document')) !== row['etag']) {
      throw adminFaults.IMPORT_INVALID({ line, why: 'its etag is not that of its document' });
    }
  }
}

export function createInstructionFiles(folders: CatalogFolders): InstructionFiles {
  function toRow(folder: string, file: string, leftOut: (file: LeftOut) => void): readonly Row[] {
    const found = readEntryFile(folder, file);
    if (found.kind === 'absent') return [];
    if (found.kind === 'rejected') {
      leftOut({ file, problem: found.problem });
      return [];
    }
    const { bytes, modifiedAt } = found;
    if (!isUtf8(bytes) || bytes.includes(0)) {
      leftOut({ file, problem: 'it is not UTF-8 text' });
      return [];
    }
    return [{ id: idOfFile(file), document: bytes.toString(), etag: etagOf(bytes), at: Math.floor(modifiedAt) }];
  }

  async function writeOne(folder: string, row: Row, mode: ImportMode): Promise<boolean> {
    const path = join(folder, fileNameOf(textOf(row, 'id')));
    if (mode !== 'replace' && (await isThere(path))) {
      if (mode === 'skip') return false;
      throw adminFaults.IMPORT_TAKEN({ table: instructionTable, key: `id ${textOf(row, 'id')}`, isPartial: true });
    }
    const scratch = join(folder, toTemporaryName(randomUUID()));
    try {
      await writeDurably(scratch, textOf(row, 'document'));
      // Dates that a document lacks are those of its file.
      const at = new Date(Number(row['at']));
      await utimes(scratch, at, at);
      await (mode === 'replace' ? rename(scratch, path) : placeFile(scratch, path));
    } finally {
      await rm(scratch, { force: true });
    }
    return true;
  }

  return {
    async *pages(tenant, leftOut) {
      const folder = folderOfTenant(tenant, folders);
      const names = await readdir(folder).catch(absentAs([]));
      const ids = names.filter((name) => isEntryFile(name) && instructionIdPattern.test(idOfFile(name))).map(idOfFile);
      ids.sort();
      for (const name of names) {
        if (isEntryFile(name) && !instructionIdPattern.test(idOfFile(name))) {
          leftOut({ file: name, problem: 'its name is not an id' });
        }
      }
      let page: Row[] = [];
      let bytes = 0;
      for (const id of ids) {
        for (const row of toRow(folder, fileNameOf(id), leftOut)) {
          page.push(row);
          bytes += textOf(row, 'document').length;
        }
        if (page.length < exportLimits.chunkRowsCount && bytes < exportLimits.chunkBytes) continue;
        yield page;
        page = [];
        bytes = 0;
        await yieldToEventLoop();
      }
      if (page.length > 0) yield page;
    },
    async findTaken(tenant, rows) {
      const folder = folderOfTenant(tenant, folders);
      for (const row of rows) {
        const id = textOf(row, 'id');
        if (await isThere(join(folder, fileNameOf(id)))) return id;
      }
      return undefined;
    },
    async write(tenant, rows, mode) {
      const folder = folderOfTenant(tenant, folders);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      let written = 0;
      for (let at = 0; at < rows.length; at += exportLimits.flushesCount) {
        const some = rows.slice(at, at + exportLimits.flushesCount);
        const outcomes = await Promise.allSettled(some.map((row) => writeOne(folder, row, mode)));
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') throw outcome.reason;
          if (outcome.value) written += 1;
        }
      }
      if (written > 0) touchVersion(folder);
      await flushFolder(folder);
      return written;
    },
  };
}
