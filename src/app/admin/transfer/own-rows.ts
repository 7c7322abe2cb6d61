import type { Call } from '#kernel/call.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { ImportMode } from './import-tenant.ts';
import type { Chunk } from './read-chunks.ts';

export const trashTable = 'trash';

/** Rows of a memory whose keys are those of the store they came from: it writes them itself, under new ones. */
export interface OwnRows {
  /** Whether these rows are written here and nowhere else. */
  isOwn(chunk: Chunk): boolean;
  /** Whether a row whose key is taken is in the way: of a pad or a library it is, of all that hangs on them nothing is. */
  isRefusable(chunk: Chunk): boolean;
  /** The chunk without the copies of what was removed, which come in when everything else is there. */
  withoutCopies(chunk: Chunk): Chunk;
  /** The first pass: looks at rows, and writes nothing. */
  look(chunk: Chunk): Promise<void>;
  /** After the last look: refuses what does not fit together. */
  choose(): void;
  /** Before the first write. */
  begin(): Promise<void>;
  /** Answers how many rows were written. */
  write(chunk: Chunk): Promise<number>;
  /** After the last write: brings in the copies of what was removed. */
  finish(chunks: () => AsyncIterable<Chunk>): Promise<number>;
}

export interface OwnRowsDeps {
  readonly storage: Storage;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly mode: ImportMode;
  call(): Call;
}

/** Of several memories; no row belongs to two of them. */
export const joinOwnRows = (all: readonly OwnRows[]): OwnRows => ({
  isOwn: (chunk) => all.some((rows) => rows.isOwn(chunk)),
  isRefusable: (chunk) => all.every((rows) => rows.isRefusable(chunk)),
  withoutCopies: (chunk) => all.reduce((left, rows) => rows.withoutCopies(left), chunk),
  async look(chunk) {
    for (const rows of all) await rows.look(chunk);
  },
  choose() {
    for (const rows of all) rows.choose();
  },
  async begin() {
    for (const rows of all) await rows.begin();
  },
  write: async (chunk) => (await all.find((rows) => rows.isOwn(chunk))?.write(chunk)) ?? 0,
  async finish(chunks) {
    let written = 0;
    for (const rows of all) written += await rows.finish(chunks);
    return written;
  },
});

/** Chunks of copies of one kind, which stand in the trash, before all else. */
export async function* copiesIn(chunks: AsyncIterable<Chunk>, topic: string): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    if (chunk.table.name !== trashTable) return;
    const rows = chunk.rows.filter((row) => row['topic'] === topic);
    if (rows.length > 0) yield { ...chunk, rows };
  }
}

export const withoutCopiesOf = (chunk: Chunk, topic: string): Chunk =>
  chunk.table.name === trashTable ? { ...chunk, rows: chunk.rows.filter((row) => row['topic'] !== topic) } : chunk;
