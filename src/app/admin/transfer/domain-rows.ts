import type { Call } from '#kernel/call.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import type { Row } from '#kernel/storage/transfer.ts';
import type { ImportMode } from './import-tenant.ts';
import type { Chunk } from './read-chunks.ts';

export const trashTable = 'trash';

/**
 * Imports the rows of one domain. Their keys are unique only in their old store, so the domain writes them with new
 * keys.
 */
export interface DomainRows {
  handles(chunk: Chunk): boolean;
  /** Whether an existing key blocks the import: true for pads and libraries, false for rows that belong to them. */
  mustBeNew(chunk: Chunk): boolean;
  /** Removes trash rows of this domain; they are imported last. */
  withoutTrashed(chunk: Chunk): Chunk;
  /** First pass: checks rows and writes nothing. */
  inspect(chunk: Chunk): Promise<void>;
  /** After the first pass: rejects rows that do not fit together. */
  validate(): void;
  begin(): Promise<void>;
  /** Returns the number of rows written. */
  write(chunk: Chunk): Promise<number>;
  /** After the last write: imports the trash rows. */
  finish(chunks: () => AsyncIterable<Chunk>): Promise<number>;
}

export interface DomainRowsDeps {
  readonly storage: Storage;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly mode: ImportMode;
  call(): Call;
}

/** Combines several domains; no row belongs to two of them. */
export const joinDomainRows = (all: readonly DomainRows[]): DomainRows => ({
  handles: (chunk) => all.some((rows) => rows.handles(chunk)),
  mustBeNew: (chunk) => all.every((rows) => rows.mustBeNew(chunk)),
  withoutTrashed: (chunk) => all.reduce((left, rows) => rows.withoutTrashed(left), chunk),
  async inspect(chunk) {
    for (const rows of all) await rows.inspect(chunk);
  },
  validate() {
    for (const rows of all) rows.validate();
  },
  async begin() {
    for (const rows of all) await rows.begin();
  },
  write: async (chunk) => (await all.find((rows) => rows.handles(chunk))?.write(chunk)) ?? 0,
  async finish(chunks) {
    let written = 0;
    for (const rows of all) written += await rows.finish(chunks);
    return written;
  },
});

export const textOf = (row: Row, name: string): string => String(row[name]);

export function isJson(text: string, test: (value: unknown) => boolean): boolean {
  try {
    return test(JSON.parse(text));
  } catch {
    return false;
  }
}

/** The removed pad or library of a trash row; undefined if the document is invalid. */
export function parseCopy(row: Row, idOf: (copy: Row) => string | undefined): Row | undefined {
  try {
    const copy = JSON.parse(textOf(row, 'document')) as Row;
    return idOf(copy) === row['id'] ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** Records each write in the change log. */
export const createLoggedWrite =
  ({ storage, mode, call }: DomainRowsDeps) =>
  (chunk: Chunk, work: (db: Writer) => Work<number>): Promise<number> =>
    storage.write(call(), function* (db) {
      const written = yield* work(db);
      const what = mode === 'replace' ? 'update' : 'create';
      if (written > 0) yield* db.changed('import', chunk.table.name, what, chunk.hash);
      return written;
    });

/** Trash rows of one topic; the trash is the first table of an export. */
export async function* trashedIn(chunks: AsyncIterable<Chunk>, topic: string): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    if (chunk.table.name !== trashTable) return;
    const rows = chunk.rows.filter((row) => row['topic'] === topic);
    if (rows.length > 0) yield { ...chunk, rows };
  }
}

export const withoutTrashedOf = (chunk: Chunk, topic: string): Chunk =>
  chunk.table.name === trashTable ? { ...chunk, rows: chunk.rows.filter((row) => row['topic'] !== topic) } : chunk;
