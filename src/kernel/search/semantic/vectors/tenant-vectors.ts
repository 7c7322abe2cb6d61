import type { Call } from '../../../call.ts';
import { createPacer } from '../../../clock/yield-to-event-loop.ts';
import type { Reader, Storage, Work } from '../../../storage/port.ts';
import { coalesce } from '../../keyword/index/coalesce.ts';
import { searchLimits } from '../../search-limits.ts';
import type { Arena } from './arena.ts';
import { decodeRows } from './quantise.ts';
import { findHead, type GoneRow, type HeadRow, listGone, listVectors, type StoredRow } from './vector-store.ts';
import { createVectorTable, type VectorTable } from './vector-table.ts';

export interface TenantVectorsDeps {
  readonly storage: Storage;
  readonly arena: Arena;
  readonly collection: string;
  readonly model: string;
  readonly dimension: number;
  /** The index reads under its own call, because many callers share the result. */
  toCall(): Call;
}

export type TenantVectors = ReturnType<typeof createTenantVectors>;

const noHead: HeadRow = { seq: 0, swept: 0 };

/** The vectors of one model in one collection of one tenant, as this process knows them. */
export function createTenantVectors(deps: TenantVectorsDeps) {
  const { storage, arena, collection, model, dimension, toCall } = deps;
  let table = createVectorTable(arena, dimension);
  let seq = 0;

  function begin(): void {
    table.clear();
    table = createVectorTable(arena, dimension);
    seq = 0;
  }

  /** Reads the rows after a number in pages, oldest first, and yields to the event loop between them. */
  async function eachPage<R extends GoneRow>(
    list: (db: Reader, after: GoneRow) => Work<readonly R[]>,
    visit: (row: R) => void,
  ): Promise<void> {
    const rest = createPacer(searchLimits.sliceMs);
    // Ids are not empty, so this sorts before the first row of the next number.
    let after: GoneRow = { seq: seq + 1, id: '' };
    for (;;) {
      const rows = await storage.read(toCall(), (db) => list(db, after));
      for (const row of rows) visit(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < searchLimits.vectorPageCount) return;
      after = { seq: last.seq, id: last.id };
      await rest();
    }
  }

  function take(row: StoredRow): void {
    const isOurs = row.model === model && row.dimension === dimension;
    const rows = isOurs ? decodeRows(row.bytes, row.parts, dimension) : undefined;
    // Of another model or damaged: the document will be embedded again.
    if (rows === undefined) table.remove(row.id);
    else table.put(row.id, row.facets, rows);
  }

  async function refresh(): Promise<VectorTable> {
    const head = await storage.read(toCall(), function* (db) {
      return (yield* findHead(db, collection)) ?? noHead;
    });
    if (head.seq === seq) return table;
    // The store was restored, or records were swept that this process has not read: start again.
    if (head.seq < seq || seq < head.swept) begin();
    if (seq > 0) {
      const list = function* (db: Reader, after: GoneRow): Work<readonly GoneRow[]> {
        return yield* listGone(db, collection, after, searchLimits.vectorPageCount);
      };
      await eachPage(list, ({ id }) => table.remove(id));
    }
    const list = function* (db: Reader, after: GoneRow): Work<readonly StoredRow[]> {
      return yield* listVectors(db, collection, after, searchLimits.vectorPageCount);
    };
    await eachPage(list, take);
    // Commits during the read may be included already; they are read again the next time.
    seq = head.seq;
    return table;
  }

  return {
    /** Sees everything acknowledged before the call. Reads only what is new. */
    refresh: coalesce(refresh),
    byteCount: () => searchLimits.vectorDocumentBytes + table.byteCount(),
    /** Frees the memory. Not during a refresh or search. */
    clear: () => table.clear(),
  };
}
