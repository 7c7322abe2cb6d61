import type { Call } from '#kernel/call.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { embeddingOf, keysOf, moveKeys } from './index-record.ts';
import type { OwnVectors } from './own-vectors.ts';
import { recordLimits } from './record-limits.ts';
import { toFacets } from './rules/property-keys.ts';
import { countTypes, deleteTotals, findStored, listIds, type StoredRecordRow, setTotal } from './store.ts';

export interface RederiveDeps {
  readonly storage: Storage;
  readonly ownVectors: Pick<OwnVectors, 'put'>;
}

/**
 * Filters, totals and embeddings of records whose rows came past the program, as an import brings them. The search
 * documents make themselves anew (`markIndexesOutdated`). Can be run again at any time.
 */
export function createRederive({ storage, ownVectors }: RederiveDeps) {
  function* enter(db: Writer, row: StoredRecordRow): Work<void> {
    const vector = embeddingOf(row);
    yield* moveKeys(db, undefined, row);
    if (vector !== undefined) yield* ownVectors.put(db, row.record_id, vector, toFacets(row.type, propertyKeysOf(row)));
  }

  /** Without that of the embedding. */
  const propertyKeysOf = (row: StoredRecordRow) => keysOf({ ...row, embedding: null });

  function* enterSome(db: Writer, after: string): Work<readonly string[]> {
    const ids = (yield* listIds(db, after, recordLimits.readRecordsCount)).map(({ record_id }) => record_id);
    for (const row of yield* findStored(db, ids)) yield* enter(db, row);
    return ids;
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
    for (let after = ''; ; ) {
      const ids = await storage.write(quiet, (db) => enterSome(db, after));
      if (ids.length === 0) break;
      after = ids.at(-1)!;
    }
    return storage.write(quiet, countAll);
  };
}
