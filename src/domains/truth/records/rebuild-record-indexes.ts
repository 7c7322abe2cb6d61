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
  readonly ownVectors: Pick<RecordEmbeddings, 'put'>;
}

/**
 * Filters, totals and embeddings of records whose rows came past the program, as an import brings them. The search
 * documents make themselves anew (`markIndexesOutdated`). Can be run again at any time.
 */
export function createIndexRebuild({ storage, ownVectors }: IndexRebuildDeps) {
  function* enter(db: Writer, row: StoredRecordRow): Work<void> {
    const vector = embeddingOf(row);
    yield* updateKeys(db, undefined, row);
    if (vector !== undefined) yield* ownVectors.put(db, row.record_id, vector, toFacets(row.type, propertyKeysOf(row)));
  }

  /** Without that of the embedding. */
  const propertyKeysOf = (row: StoredRecordRow) => keysOf({ ...row, embedding: null });

  interface IndexedPage {
    readonly last: string;
    readonly keysCount: number;
  }

  function* enterSome(db: Writer, after: string): Work<IndexedPage | undefined> {
    const ids = (yield* listIds(db, after, truthLimits.readRecordsCount)).map(({ record_id }) => record_id);
    let keysCount = 0;
    for (const row of yield* findStoredRecords(db, ids)) {
      yield* enter(db, row);
      keysCount += new Set(keysOf(row)).size;
    }
    return ids.length === 0 ? undefined : { last: ids.at(-1)!, keysCount };
  }

  /** Those of the keys that the record does not have; whoever changes it now has changed them too when this goes on. */
  function* dropStrays(db: Writer, id: string, keys: readonly string[]): Work<void> {
    yield* lockRecord(db, id);
    const row = yield* findRecord(db, id);
    const own = new Set(row === undefined ? [] : keysOf(row));
    const strays = keys.filter((key) => !own.has(key));
    if (strays.length > 0) yield* deleteProperties(db, id, strays);
  }

  function* sweepSome(db: Writer, after: PropertyRow): Work<PropertyRow | undefined> {
    const rows = yield* listProperties(db, after, truthLimits.readRecordsCount);
    const ids = [...new Set(rows.map(({ record_id }) => record_id))].sort();
    const own = new Map((yield* findStoredRecords(db, ids)).map((row) => [row.record_id, new Set(keysOf(row))]));
    for (const id of ids) {
      const keys = rows.filter((row) => row.record_id === id).map(({ property }) => property);
      if (keys.some((key) => own.get(id)?.has(key) !== true)) yield* dropStrays(db, id, keys);
    }
    return rows.at(-1);
  }

  /** What a record was found by before its row was replaced. Never all at once: whoever asks meanwhile finds the rest. */
  async function sweep(call: Call): Promise<void> {
    let after: PropertyRow | undefined = { property: '', record_id: '' };
    while (after !== undefined) {
      const from: PropertyRow = after;
      after = await storage.write(call, (db) => sweepSome(db, from));
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
    // Nothing here is news to anybody.
    const quiet: Call = { ...call, audit: 'none' };
    let keysCount = 0;
    for (let after = ''; ; ) {
      const entered = await storage.write(quiet, (db) => enterSome(db, after));
      if (entered === undefined) break;
      after = entered.last;
      keysCount += entered.keysCount;
    }
    // All that ought to be there is there now: what is more is astray, and looked for only then.
    const kept = await storage.read(quiet, function* (db) {
      return (yield* countProperties(db))?.n ?? 0;
    });
    if (kept !== keysCount) await sweep(quiet);
    return storage.write(quiet, countAll);
  };
}
