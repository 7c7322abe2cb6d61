import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { defineCollection, type Facets } from '#kernel/search/collection.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import { createVectorIndex } from '#kernel/search/semantic/vectors/vector-index.ts';
import { countGone, deleteGone, findGoneAt, moveSwept } from '#kernel/search/semantic/vectors/vector-store.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { findEmbeddings } from './record-store.ts';
import { cosine, decodeVector, roundSimilarity } from './rules/embedding.ts';

/** Embeddings supplied with records, from any model. */
export const embeddingCollection = defineCollection({ name: 'record-embeddings', fields: { none: 1 }, idWeight: 0 });
const senderModel = 'own';

/** The largest error of the index's rounded vectors. */
const roundingMax = 0.05;

export interface NearRecord {
  readonly id: string;
  readonly similarity: number;
}

export interface NearRecords {
  /** Ordered by exact similarity, then by id. */
  readonly near: readonly NearRecord[];
  /** Whether the record has an embedding of this size. */
  has(id: string): boolean;
}

export interface EmbeddingQuery {
  readonly vector: Float32Array;
  readonly filters: readonly FacetFilter[];
  readonly similarityMin: number;
}

export type RecordEmbeddings = ReturnType<typeof createRecordEmbeddings>;

export interface RecordEmbeddingsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Smaller in tests. */
  readonly tidyEveryCount?: number;
  readonly goneCount?: number;
}

export function createRecordEmbeddings(deps: RecordEmbeddingsDeps) {
  const { storage, clock } = deps;
  const { tidyEveryCount = truthLimits.tidyEveryCount, goneCount = searchLimits.vectorGoneCount } = deps;
  const droppedCounts = new Map<TenantId, number>();

  const toCall = (tenant: TenantId): Call =>
    systemCall('records/embeddings', { tenant, deadlineAt: clock.now() + searchLimits.storeDeadlineMs });
  const index = createVectorIndex({ storage, cacheBytes: truthLimits.embeddingCacheBytes, toCall });

  async function sweep(tenant: TenantId): Promise<void> {
    const found = await storage.read(toCall(tenant), function* (db) {
      const count = (yield* countGone(db, embeddingCollection.name))?.n ?? 0;
      return count <= goneCount ? undefined : yield* findGoneAt(db, embeddingCollection.name, Math.floor(count / 2));
    });
    if (found === undefined) return;
    await storage.write(toCall(tenant), function* (db) {
      yield* moveSwept(db, embeddingCollection.name, found.seq);
      yield* deleteGone(db, embeddingCollection.name, found.seq);
    });
  }

  return {
    put: (db: Writer, id: string, vector: Float32Array, facets: Facets): Work<void> =>
      index.put(db, embeddingCollection, [{ id, model: senderModel, textHash: '', vectors: [vector], facets }]),
    setFacets: (db: Writer, id: string, facets: Facets): Work<void> =>
      index.setFacets(db, embeddingCollection, id, facets),
    *drop(db: Writer, id: string): Work<void> {
      yield* index.remove(db, embeddingCollection, [id]);
    },
    async nearest(call: Call, { vector, filters, similarityMin }: EmbeddingQuery): Promise<NearRecords> {
      const { rankedCount } = truthLimits;
      const { hits, has } = await index.nearest(call, embeddingCollection, {
        model: senderModel,
        vector,
        filters,
        limit: rankedCount,
        similarityMin: similarityMin - roundingMax,
      });
      if (hits.length === 0) return { near: [], has };
      const ids = hits.map(({ id }) => id);
      const rows = await storage.read(call, (db) => findEmbeddings(db, ids));
      const near = rows
        .flatMap(({ record_id: id, embedding }): readonly NearRecord[] => {
          const own = embedding === null ? undefined : decodeVector(embedding);
          // The embedding has changed since the index was searched.
          if (own?.length !== vector.length) return [];
          return [{ id, similarity: roundSimilarity(cosine(vector, own)) }];
        })
        .filter(({ similarity }) => similarity >= similarityMin)
        .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
      return { near, has };
    },
    /** Removes markers of deleted embeddings from time to time. */
    async tidy({ tenant }: Call) {
      const count = (droppedCounts.get(tenant) ?? 0) + 1;
      const isDue = count >= tidyEveryCount;
      if (isDue) droppedCounts.delete(tenant);
      else droppedCounts.set(tenant, count);
      if (isDue) await sweep(tenant);
    },
  };
}
