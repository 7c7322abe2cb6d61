import type { Call, TenantId } from '../../../call.ts';
import { faults } from '../../../fault/kernel-faults.ts';
import type { Step, Storage, Work, Writer } from '../../../storage/port.ts';
import { searchLimits } from '../../search-limits.ts';
import type { VectorIndex } from '../../vectors.ts';
import { type Arena, createArena } from './arena.ts';
import { encodeFacets } from './facet-match.ts';
import { createTokenComparison } from './late-interaction.ts';
import { encodeRows, quantiseRow, toUnit } from './quantise.ts';
import { createTenantVectors, type TenantVectors } from './tenant-vectors.ts';
import {
  deleteTokens,
  deleteVectors,
  listTokens,
  noteGone,
  saveFacets,
  saveTokens,
  saveVectors,
  takeSeq,
} from './vector-store.ts';
import type { VectorTable } from './vector-table.ts';

interface VectorSet {
  readonly tenant: TenantId;
  readonly collection: string;
  readonly model: string;
  readonly dimension: number;
}

export interface VectorIndexDeps {
  readonly storage: Storage;
  /** Smaller, for tests. */
  readonly cacheBytes?: number;
  toCall(tenant: TenantId): Call;
}

interface CachedVectors {
  readonly vectors: TenantVectors;
  /** Running queries: a set in use is not evicted. */
  useCount: number;
}

function createVectorCache(deps: VectorIndexDeps) {
  const { storage, toCall, cacheBytes = searchLimits.vectorCacheBytes } = deps;
  /** Least recently used first. */
  const entries = new Map<string, CachedVectors>();
  let arena: Arena | undefined;

  function of({ tenant, collection, model, dimension }: VectorSet): CachedVectors {
    const key = [tenant, collection, model, dimension].join('\0');
    arena ??= createArena();
    const entry = entries.get(key) ?? {
      vectors: createTenantVectors({ storage, arena, collection, model, dimension, toCall: () => toCall(tenant) }),
      useCount: 0,
    };
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  }

  const byteCount = () => {
    let sum = 0;
    for (const { vectors } of entries.values()) sum += vectors.byteCount();
    return sum;
  };

  /** Keeps the last one: reading a large set for each search would cost far more than its memory. */
  function evict(): void {
    let sum = byteCount();
    for (const [key, { vectors, useCount }] of entries) {
      if (sum <= cacheBytes || entries.size === 1) return;
      if (useCount > 0) continue;
      sum -= vectors.byteCount();
      vectors.clear();
      entries.delete(key);
    }
  }

  return {
    /** Runs a query on the current vectors of one set, then evicts the least recently used sets. */
    async ask<T>(set: VectorSet, question: (table: VectorTable) => T) {
      const entry = of(set);
      entry.useCount += 1;
      try {
        return question(await entry.vectors.refresh());
      } finally {
        entry.useCount -= 1;
        evict();
      }
    },
    byteCount,
  };
}

const nothing: Step<void> = { *[Symbol.iterator]() {} };

/** The first statement is created immediately, so that a forgotten `yield*` fails the transaction. */
function removeVectors(db: Writer, collection: string, ids: readonly string[]): Step<void> {
  if (ids.length === 0) return nothing;
  const seqTaken = takeSeq(db, collection);
  return {
    *[Symbol.iterator](): Work<void> {
      const taken = yield* seqTaken;
      yield* noteGone(db, collection, ids, taken!.seq);
      yield* deleteVectors(db, collection, ids);
      yield* deleteTokens(db, collection, ids);
    },
  };
}

export function createVectorIndex(deps: VectorIndexDeps): VectorIndex & { byteCount(): number } {
  const cache = createVectorCache(deps);
  return {
    *put(db, collection, rows) {
      if (rows.length === 0) return;
      const taken = yield* takeSeq(db, collection.name);
      const without = rows.filter(({ tokenSigns }) => tokenSigns === undefined).map(({ id }) => id);
      // Those of another model or text.
      if (without.length > 0) yield* deleteTokens(db, collection.name, without);
      for (const { id, model, textHash, vectors, tokenSigns, facets } of rows) {
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
        if (tokenSigns !== undefined) yield* saveTokens(db, collection.name, { id, model, signs: tokenSigns });
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
      const set = { tenant: call.tenant, collection: collection.name, model: query.model, dimension };
      return cache.ask(set, (table) => {
        call.signal.throwIfAborted();
        return { hits: table.nearest({ ...query, vector, limit }), has: table.has };
      });
    },
    async compareTokens(call, collection, { model, dimension, tokens }, ids) {
      if (tokens.length === 0 || ids.length === 0) return new Map();
      const rows = await deps.storage.read(call, (db) => listTokens(db, collection.name, model, ids));
      const compare = createTokenComparison(tokens, dimension);
      return new Map(rows.filter(({ signs }) => signs.length > 0).map(({ id, signs }) => [id, compare(signs)]));
    },
    byteCount: () => cache.byteCount(),
  };
}
