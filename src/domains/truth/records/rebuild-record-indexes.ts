import type { Call } from '#kernel/call.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { embeddingOf, keysOf, updateKeys } from './index-record.ts';
import type { RecordEmbeddings } from './record-embeddings.ts';
import {
  countProperties,
  countTypes,
  deleteProperties,
  deleteTotals,
  findRecord,
  findStoredRecords,
  listIds,
  listProperties,
  lockRecord,
  type PropertyRow,
  type StoredRecordRow,
  setTotal,
} from './record-store.ts';
import { toFacets } from './rules/properties.ts';

export interface IndexRebuildDeps {
  readonly storage: Storage;
  readonly embeddings: Pick<RecordEmbeddings, 'put'>;
}

/**
 * Rebuilds filter keys, totals and embeddings of records that were imported directly into the table. Search documents
 * are rebuilt separately (`markIndexesOutdated`). Safe to repeat.
 */
export function createIndexRebuild({ storage, embeddings }: IndexRebuildDeps) {
  function* indexRecord(db: Writer, row: StoredRecordRow): Work<void> {
    const vector = embeddingOf(row);
    yield* updateKeys(db, undefined, row);
    if (vector !== undefined) yield* embeddings.put(db, row.record_id, vector, toFacets(row.type, propertyKeysOf(row)));
  }

  /** Without the key of the embedding. */
  const propertyKeysOf = (row: StoredRecordRow) => keysOf({ ...row, embedding: null });

  interface IndexedPage {
    readonly last: string;
    readonly keysCount: number;
  }

  function* indexPage(db: Writer, after: string): Work<IndexedPage | undefined> {
    const ids = (yield* listIds(db, after, truthLimits.rebuildRecordsCount)).map(({ record_id }) => record_id);
    let keysCount = 0;
    for (const row of yield* findStoredRecords(db, ids)) {
      yield* indexRecord(db, row);
      keysCount += new Set(keysOf(row)).size;
    }
    return ids.length === 0 ? undefined : { last: ids.at(-1)!, keysCount };
  }

  /** Deletes keys that the record does not have. The lock waits for concurrent changes of the record. */
  function* deleteOutdatedKeys(db: Writer, id: string, keys: readonly string[]): Work<void> {
    yield* lockRecord(db, id);
    const row = yield* findRecord(db, id);
    const own = new Set(row === undefined ? [] : keysOf(row));
    const strays = keys.filter((key) => !own.has(key));
    if (strays.length > 0) yield* deleteProperties(db, id, strays);
  }

  function* sweepPage(db: Writer, after: PropertyRow): Work<PropertyRow | undefined> {
    const rows = yield* listProperties(db, after, truthLimits.rebuildRecordsCount);
    const ids = [...new Set(rows.map(({ record_id }) => record_id))].sort();
    const own = new Map((yield* findStoredRecords(db, ids)).map((row) => [row.record_id, new Set(keysOf(row))]));
    for (const id of ids) {
      const keys = rows.filter((row) => row.record_id === id).map(({ property }) => property);
      if (keys.some((key) => own.get(id)?.has(key) !== true)) yield* deleteOutdatedKeys(db, id, keys);
    }
    return rows.at(-1);
  }

  /** Deletes the keys of replaced rows, page by page, so that concurrent searches still find the rest. */
  async function sweep(call: Call): Promise<void> {
    let after: PropertyRow | undefined = { property: '', record_id: '' };
    while (after !== undefined) {
      const from: PropertyRow = after;
      after = await storage.write(call, (db) => sweepPage(db, from));
    }
  }

  function* countAll(db: Writer): Work<number> {
    const types = yield* countTypes(db);
    const count = types.reduce((sum, { n }) => sum + n, 0);
    yield* deleteTotals(db);
    yield* setTotal(db, '', count);
    for (const { type, n } of types) yield* setTotal(db, type, n);
    return count;
  }

  return async (call: Call): Promise<number> => {
    // Nothing visible changes.
    const quiet: Call = { ...call, audit: 'none' };
    let keysCount = 0;
    for (let after = ''; ; ) {
      const entered = await storage.write(quiet, (db) => indexPage(db, after));
      if (entered === undefined) break;
      after = entered.last;
      keysCount += entered.keysCount;
    }
    // All required keys exist now, so a larger number means outdated ones.
    const kept = await storage.read(quiet, function* (db) {
      return (yield* countProperties(db))?.n ?? 0;
    });
    if (kept !== keysCount) await sweep(quiet);
    return storage.write(quiet, countAll);
  };
}
