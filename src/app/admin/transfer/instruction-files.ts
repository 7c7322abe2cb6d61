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
import { describeRival, holdersOf } from '#domains/instructions/catalog/files/served-files.ts';
import { touchVersion } from '#domains/instructions/catalog/files/version-file.ts';
import { instructionIdPattern, reservedIds } from '#domains/instructions/instruction-ids.ts';
import type { TenantId } from '#kernel/call.ts';
import { yieldToEventLoop } from '#kernel/clock/yield-to-event-loop.ts';
import type { Row } from '#kernel/storage/transfer.ts';
import { adminFaults } from '../admin-faults.ts';
import { flushFolder, placeFile, writeDurably } from '../durable-files.ts';
import { exists, ifMissing } from '../file-faults.ts';
import { exportLimits } from './export-format.ts';
import type { ImportMode } from './import-tenant.ts';
import type { Chunk } from './read-chunks.ts';

/** This table is empty if entries are files; an export contains its rows anyway, read from the files. */
export const instructionTable = 'instructions';

export interface SkippedFile {
  readonly file: string;
  readonly problem: string;
}

export type InstructionFiles = ReturnType<typeof createInstructionFiles>;

const textOf = (row: Row, name: string): string => String(row[name]);

/** The id becomes a file name, so it is checked first. */
export function checkInstructionRows({ rows, lastLine }: Chunk): void {
  for (const [i, row] of rows.entries()) {
    const line = lastLine - rows.length + 1 + i;
    const id = textOf(row, 'id');
    if (!instructionIdPattern.test(id) || reservedIds.has(id))
      throw adminFaults.IMPORT_INVALID({ line, why: 'its id is not a valid entry id' });
    if (etagOf(textOf(row, 'document')) !== row['etag']) {
      throw adminFaults.IMPORT_INVALID({ line, why: 'its etag does not match its document' });
    }
  }
}

/** One file per id, in id order. */
function chooseFiles(names: readonly string[], leftOut: (file: SkippedFile) => void): readonly string[] {
  const valid = names.filter((name) => instructionIdPattern.test(idOfFile(name)));
  const holders = holdersOf(valid);
  for (const name of names) {
    const id = idOfFile(name);
    const holder = holders.get(id);
    if (holder === undefined) leftOut({ file: name, problem: 'its name is not an id' });
    else if (holder !== name) leftOut({ file: name, problem: describeRival(id, holder) });
  }
  return [...holders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => name);
}

/** Entries that are files, as rows of the `instructions` table. */
export function createInstructionFiles(folders: CatalogFolders) {
  function toRow(folder: string, file: string, leftOut: (file: SkippedFile) => void): readonly Row[] {
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
    if (mode !== 'replace' && (await exists(path))) {
      if (mode === 'skip') return false;
      throw adminFaults.IMPORT_TAKEN({ table: instructionTable, key: `id ${textOf(row, 'id')}`, isPartial: true });
    }
    const scratch = join(folder, toTemporaryName(randomUUID()));
    try {
      await writeDurably(scratch, textOf(row, 'document'));
      // The file times replace dates that the document lacks.
      const at = new Date(Number(row['at']));
      await utimes(scratch, at, at);
      await (mode === 'replace' ? rename(scratch, path) : placeFile(scratch, path));
    } finally {
      await rm(scratch, { force: true });
    }
    return true;
  }

  return {
    /** In key order. Files that are not text are reported and skipped. */
    async *pages(tenant: TenantId, leftOut: (file: SkippedFile) => void): AsyncGenerator<readonly Row[]> {
      const folder = folderOfTenant(tenant, folders);
      const names = await readdir(folder).catch(ifMissing([]));
      const served = chooseFiles(names.filter(isEntryFile), leftOut);
      let page: Row[] = [];
      let bytes = 0;
      for (const file of served) {
        for (const row of toRow(folder, file, leftOut)) {
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
    /** The id of the first row whose file exists. */
    async findTaken(tenant: TenantId, rows: readonly Row[]): Promise<string | undefined> {
      const folder = folderOfTenant(tenant, folders);
      for (const row of rows) {
        const id = textOf(row, 'id');
        if (await exists(join(folder, fileNameOf(id)))) return id;
      }
      return undefined;
    },
    /** Returns the number of files written; each is written atomically. */
    async write(tenant: TenantId, rows: readonly Row[], mode: ImportMode): Promise<number> {
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
