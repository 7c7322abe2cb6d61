import type { Call, TenantId } from '../../../call.ts';
import { faults } from '../../../fault/kernel-faults.ts';
import type { Step, Storage, Work, Writer } from '../../../storage/port.ts';
import { searchLimits } from '../../search-limits.ts';
import type { VectorIndex } from '../../vectors.ts';
import { encodeFacets } from './facet-match.ts';
import { encodeRows, quantiseRow, toUnit } from './quantise.ts';
import { createVectorShelves } from './vector-shelves.ts';
import { deleteVectors, noteGone, saveFacets, saveVectors, takeSeq } from './vector-store.ts';

export interface VectorIndexDeps {
  readonly storage: Storage;
  /** Smaller, for tests. */
  readonly cacheBytes?: number;
  toCall(tenant: TenantId): Call;
}

const nothing: Step<void> = { *[Symbol.iterator]() {} };

/** The first statement is made at once, so that a forgotten `yield*` fails the transaction. */
function removeVectors(db: Writer, collection: string, ids: readonly string[]): Step<void> {
  if (ids.length === 0) return nothing;
  const seqTaken = takeSeq(db, collection);
  return {
    *[Symbol.iterator](): Work<void> {
      const taken = yield* seqTaken;
      yield* noteGone(db, collection, ids, taken!.seq);
      yield* deleteVectors(db, collection, ids);
    },
  };
}

export function createVectorIndex(deps: VectorIndexDeps): VectorIndex & { byteCount(): number } {
  const shelves = createVectorShelves(deps);
  return {
    *put(db, collection, rows) {
      if (rows.length === 0) return;
      const taken = yield* takeSeq(db, collection.name);
      for (const { id, model, textHash, vectors, facets } of rows) {
        yield* saveVectors(db, collection.name, {
          id,
          seq: taken!.seq,
          model,
          textHash,
          facets: encodeFacets(facets),
          dimension: vectors[0]?.length ?? 0,
          parts: vectors.length,
          bytes: encodeRows(vectors.map(quantiseRow)),
        });
      }
    },
    *setFacets(db, collection, id, facets) {
      const taken = yield* takeSeq(db, collection.name);
      yield* saveFacets(db, collection.name, id, taken!.seq, encodeFacets(facets));
    },
    remove: (db, collection, ids) => removeVectors(db, collection.name, ids),
    async nearest(call, collection, query) {
      const dimension = query.vector.length;
      if (dimension === 0 || dimension > searchLimits.vectorNumbersCount) {
        const why = `a vector has 1 to ${searchLimits.vectorNumbersCount} numbers, not ${dimension}`;
        throw faults.VALIDATION_ERROR({ why });
      }
      const vector = toUnit(query.vector);
      if (vector === undefined) throw faults.VALIDATION_ERROR({ why: 'a vector of zeros has no direction' });
      const limit = Math.max(0, Math.min(Math.floor(query.limit), searchLimits.vectorHitsCount));
      const place = { tenant: call.tenant, collection: collection.name, model: query.model, dimension };
      return shelves.ask(place, (table) => {
        call.signal.throwIfAborted();
        return table.nearest({ ...query, vector, limit });
      });
    },
    byteCount: () => shelves.byteCount(),
  };
}
