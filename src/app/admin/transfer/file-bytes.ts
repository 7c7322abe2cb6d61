import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { bucketPattern, type FileAddress, toFileUrl } from '#domains/truth/files/file-address.ts';
import type { FileBlobs } from '#domains/truth/files/file-blobs.ts';
import { listFiles } from '#domains/truth/files/file-store.ts';
import { truthLimits } from '#domains/truth/truth-limits.ts';
import type { Call, TenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Row } from '#kernel/storage/transfer.ts';
import type { Table } from '#kernel/storage/transfer-tables.ts';
import { adminFaults } from '../admin-faults.ts';
import { type DomainRows, textOf } from './domain-rows.ts';
import { exportLimits } from './export-format.ts';
import type { SkippedFile } from './instruction-files.ts';
import type { Chunk } from './read-chunks.ts';

const filesTable = 'truth_files';

const column = (name: string, type: 'text' | 'integer' | 'blob') =>
  ({ name, type, isNullable: false, hasDefault: false }) as const;
const key = [column('bucket', 'text'), column('sha256', 'text'), column('part', 'integer')];

/** No table of the store: the bytes of uploaded files, which are in the data folder or on S3, in parts that fit into a line. */
export const fileBytesTable: Table = {
  name: 'truth_file_bytes',
  columns: [...key, column('bytes', 'blob')],
  key,
  hashes: [],
};

export const isFileBytes = ({ table }: Pick<Chunk, 'table'>): boolean => table.name === fileBytesTable.name;

/** Before the rows of the files: an import that is killed must not leave a file without its bytes. */
export const withFileBytes = (tables: readonly Table[]): readonly Table[] =>
  tables.flatMap((table) => (table.name === filesTable ? [fileBytesTable, table] : [table]));

/** Joins small chunks and cuts large ones; an empty file has one empty part. */
async function* toParts(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  let count = 0;
  for await (const chunk of source) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    for (; waiting.length >= exportLimits.partBytes; waiting = waiting.subarray(exportLimits.partBytes)) {
      yield waiting.subarray(0, exportLimits.partBytes);
      count += 1;
    }
  }
  if (waiting.length > 0 || count === 0) yield waiting;
}

/** Undefined if the bytes are sound. Reads them once more, so that damaged bytes do not get into the export at all. */
async function problemOf(blobs: FileBlobs, tenant: TenantId, sha256: string): Promise<string | undefined> {
  const opened = await blobs.read(tenant, sha256);
  if (opened === undefined) return 'its bytes are missing';
  try {
    for await (const _ of opened.stream);
    return undefined;
  } catch (error) {
    if (error instanceof Fault && error.code === faults.INTEGRITY_ERROR.kind.code) return 'its bytes are damaged';
    throw error;
  }
}

export interface FileBytesSource {
  readonly blobs: FileBlobs;
  readonly from: Pick<Storage, 'read'>;
  call(): Call;
  leftOut(file: SkippedFile): void;
  /** Called once for each file whose bytes are exported. */
  exported(): void;
}

/** All files of the tenant in key order, each hash once. Missing and damaged bytes are reported and left out. */
export async function* fileBytesPages(source: FileBytesSource): AsyncGenerator<readonly Row[]> {
  const { blobs, from, call, leftOut, exported } = source;
  const limit = truthLimits.filesPageCount;
  const done = new Set<string>();
  for (let last: FileAddress = { bucket: '', sha256: '' }; ; ) {
    const after = last;
    const page = await from.read(call(), (db) => listFiles(db, after, limit));
    for (const { bucket, sha256 } of page) {
      if (done.has(sha256)) continue;
      done.add(sha256);
      const { tenant } = call();
      const problem = await problemOf(blobs, tenant, sha256);
      const opened = problem === undefined ? await blobs.read(tenant, sha256) : undefined;
      if (opened === undefined) {
        leftOut({ file: toFileUrl({ bucket, sha256 }), problem: problem ?? 'it was deleted during the export' });
        continue;
      }
      let part = 0;
      for await (const bytes of toParts(opened.stream)) {
        yield [{ bucket, sha256, part, bytes }];
        part += 1;
      }
      exported();
    }
    if (page.length < limit) return;
    last = page.at(-1)!;
  }
}

interface CheckedFile extends FileAddress {
  readonly hash: Hash;
  bytes: number;
  parts: number;
  line: number;
}

const refuse = (line: number, why: string) => adminFaults.IMPORT_INVALID({ line, why });

/** Checks the parts of each file in a first pass over the export, one part in memory at a time. */
function createFileCheck() {
  const sizes = new Map<string, number>();
  let open: CheckedFile | undefined;

  function finish(): void {
    if (open === undefined) return;
    const { sha256, hash, bytes, line } = open;
    if (hash.digest('hex') !== sha256) throw refuse(line, `the bytes of the file ${sha256} do not match its hash`);
    sizes.set(sha256, bytes);
    open = undefined;
  }

  function add(row: Row, line: number): void {
    const [bucket, sha256] = [textOf(row, 'bucket'), textOf(row, 'sha256')];
    if (open?.bucket !== bucket || open.sha256 !== sha256) {
      finish();
      if (!bucketPattern.test(bucket) || !/^[0-9a-f]{64}$/.test(sha256)) throw refuse(line, 'it names no file');
      open = { bucket, sha256, hash: createHash('sha256'), bytes: 0, parts: 0, line };
    }
    const bytes = row['bytes'] as Uint8Array;
    if (row['part'] !== open.parts) throw refuse(line, `part ${open.parts} of the file ${sha256} is missing`);
    open.hash.update(bytes);
    open.parts += 1;
    open.bytes += bytes.length;
    open.line = line;
    if (open.bytes > truthLimits.fileBytes) throw refuse(line, `the file ${sha256} has more than 50 MB`);
  }

  return {
    sizes,
    finish,
    inspect(chunk: Chunk): void {
      const lineOf = (i: number): number => chunk.lastLine - chunk.rows.length + 1 + i;
      if (isFileBytes(chunk)) for (const [i, row] of chunk.rows.entries()) add(row, lineOf(i));
      else finish();
      if (chunk.table.name !== filesTable) return;
      for (const [i, row] of chunk.rows.entries()) {
        const bytes = sizes.get(textOf(row, 'sha256')) ?? row['bytes'];
        if (bytes !== row['bytes']) throw refuse(lineOf(i), 'its size is not that of its bytes');
      }
    },
  };
}

/** A file that is stored while its parts arrive. */
function openWriter(blobs: FileBlobs, tenant: TenantId) {
  const source = new PassThrough({ highWaterMark: exportLimits.partBytes });
  // The writer reads the stream; without a listener, an error before that would end the process.
  source.on('error', () => {});
  const stored = blobs.put(tenant, source);
  stored.catch(() => {});
  return {
    async add(bytes: Uint8Array): Promise<void> {
      if (!source.write(bytes)) await Promise.race([once(source, 'drain'), stored]);
    },
    async end(): Promise<string> {
      source.end();
      return (await stored).sha256;
    },
    async abandon(): Promise<void> {
      source.destroy(new Error('the import ended early'));
      await stored.catch(() => {});
    },
  };
}

/** [TR53] Restores the bytes of an export, or only the wanted ones. Older exports have none. */
export function createFileRows(blobs: FileBlobs, tenant: TenantId, isWanted: (sha256: string) => boolean = () => true) {
  const check = createFileCheck();
  let writer: ReturnType<typeof openWriter> | undefined;
  let bytesCount = 0;
  let filesCount = 0;

  /** The size is known from the first pass, so that a file is durable before anything after it is written. */
  async function take(row: Row, line: number): Promise<void> {
    const sha256 = textOf(row, 'sha256');
    if (!isWanted(sha256)) return;
    const bytes = row['bytes'] as Uint8Array;
    writer ??= openWriter(blobs, tenant);
    await writer.add(bytes);
    bytesCount += bytes.length;
    if (bytesCount < (check.sizes.get(sha256) ?? 0)) return;
    if ((await writer.end()) !== sha256) throw refuse(line, 'the export has changed during the import');
    writer = undefined;
    bytesCount = 0;
    filesCount += 1;
  }

  const rows: DomainRows = {
    handles: isFileBytes,
    mustBeNew: (chunk) => !isFileBytes(chunk),
    withoutTrashed: (chunk) => chunk,
    inspect: async (chunk) => check.inspect(chunk),
    validate: () => check.finish(),
    begin: async () => {},
    async write(chunk) {
      for (const row of chunk.rows) await take(row, chunk.lastLine);
      return 0;
    },
    finish: async () => 0,
  };
  return {
    rows,
    /** After the first pass. */
    has: (sha256: string) => check.sizes.has(sha256),
    filesCount: () => filesCount,
    close: async () => writer?.abandon(),
  };
}
