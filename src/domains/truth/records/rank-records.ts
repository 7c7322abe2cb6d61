import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { fuseScores, keepRelevant, type WordScore } from '#kernel/search/fuse-scores.ts';
import { clearCosineOf, hybridProfiles, roundRelevance } from '#kernel/search/hybrid.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import type { SearchMode } from './record.ts';
import { type RecordsDeps, recordDocuments } from './record-documents.ts';
import type { NearRecord, NearRecords, RecordEmbeddings } from './record-embeddings.ts';
import { countProperty, findEmbeddingKey, findTypes, keepWithProperty } from './record-store.ts';
import { roundSimilarity } from './rules/embedding.ts';
import { embeddingKey, numbersCountOf } from './rules/properties.ts';

export interface RankedQuery {
  /** Empty without search terms. */
  readonly text: string;
  readonly mode: SearchMode;
  readonly similarityMin: number;
  /** The answer ends below this relevance unless it is found by words alone. Undefined: it has no end. */
  readonly relevanceMin: number | undefined;
  /** The caller's own embedding, compared instead of the text's. */
  readonly vector: Float32Array | undefined;
  readonly type: string | undefined;
  /** All of these property keys must match. */
  readonly keys: readonly string[];
  readonly filters: readonly FacetFilter[];
}

export type SimilarityScaleName = 'calibrated' | 'cosine';

export interface RankedRecords {
  /** Best first, up to a limit. */
  readonly ids: readonly string[];
  /** Of the semantic hits. */
  readonly similarities: ReadonlyMap<string, ShownSimilarity>;
  relevanceOf(id: string): number;
  readonly total: number;
  readonly modeUsed: SearchMode;
  /** Undefined without semantic search. */
  readonly scale?: SimilarityScaleName;
  /** Of the most similar record, if nothing reaches the threshold. */
  readonly bestSimilarity?: number;
}

interface ShownSimilarity {
  readonly similarity: number;
  readonly cosine: number;
}

interface SimilarRecord extends NearRecord, ShownSimilarity {}

interface SemanticHits {
  readonly near: readonly SimilarRecord[];
  readonly scale: SimilarityScaleName;
  readonly clearCosine: number;
  /** Whether the record could be found by meaning. */
  isEmbedded(id: string): boolean;
}

interface KeywordHits {
  readonly hits: readonly WordScore[];
  readonly total: number;
}

const idsOf = (hits: readonly { readonly id: string }[]): readonly string[] => hits.map(({ id }) => id);

const bySimilarity = (a: NearRecord, b: NearRecord): number => b.similarity - a.similarity || (a.id < b.id ? -1 : 1);

/** A record can match by its text and by its own embedding; the better similarity counts. */
function bestOfEach(...lists: readonly (readonly NearRecord[])[]): readonly NearRecord[] {
  const best = new Map<string, NearRecord>();
  for (const near of lists.flat()) {
    if (near.similarity > (best.get(near.id)?.similarity ?? -2)) best.set(near.id, near);
  }
  return [...best.values()].sort(bySimilarity).slice(0, truthLimits.rankedCount);
}

/** The facet filters of the indexes are approximate, and the semantic index lags behind writes. */
function* filterMatching(
  db: Reader,
  ids: readonly string[],
  { type, keys }: Pick<RankedQuery, 'type' | 'keys'>,
): Work<ReadonlySet<string>> {
  let left = (yield* findTypes(db, ids))
    .filter((row) => type === undefined || row.type === type)
    .map(({ record_id }) => record_id);
  for (const key of keys) {
    if (left.length === 0) break;
    left = (yield* keepWithProperty(db, key, left)).map(({ record_id }) => record_id);
  }
  return new Set(left);
}

/** Whether any record has an embedding of this size, and otherwise the size that one has. */
function* findEmbeddingSizes(
  db: Reader,
  numbersCount: number,
): Work<{ isThere: boolean; otherCount: number | undefined }> {
  const own = yield* countProperty(db, embeddingKey(numbersCount), 1);
  if ((own?.n ?? 0) > 0) return { isThere: true, otherCount: undefined };
  const other = yield* findEmbeddingKey(db);
  return { isThere: false, otherCount: other === undefined ? undefined : numbersCountOf(other.property) };
}

const wrongDimension = (why: string) => faults.VALIDATION_ERROR({ why }, { field: 'query_embedding' });

export function createRanking(deps: Pick<RecordsDeps, 'storage' | 'search' | 'meaning'>, embeddings: RecordEmbeddings) {
  const { storage, search, meaning } = deps;
  const { rankedCount } = truthLimits;

  async function searchKeywords({ text, filters }: RankedQuery, call: Call): Promise<KeywordHits> {
    const { hits, total } = await search.search(call, recordDocuments, { text, limit: rankedCount, filters });
    return { hits, total };
  }

  /** Empty without a model. `why`: the model rejects the vector. */
  async function searchModelVector(
    { filters, similarityMin }: RankedQuery,
    vector: Float32Array,
    call: Call,
  ): Promise<{ found?: NearRecords; why?: string }> {
    try {
      const query = { vector, filters, similarityMin, limit: rankedCount };
      const answer = await meaning.nearestTo(call, recordDocuments, query);
      return answer === undefined ? {} : { found: { near: answer.hits, has: answer.isEmbedded } };
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== faults.VALIDATION_ERROR.kind.code) throw error;
      return { why: error.message };
    }
  }

  /** Undefined if there is nothing to compare with. */
  async function searchVector(query: RankedQuery, vector: Float32Array, call: Call): Promise<NearRecords | undefined> {
    const own = await storage.read(call, (db) => findEmbeddingSizes(db, vector.length));
    const model = await searchModelVector(query, vector, call);
    if (!own.isThere) {
      if (model.why !== undefined) throw wrongDimension(model.why);
      if (model.found === undefined && own.otherCount !== undefined) {
        throw wrongDimension(`stored embeddings have ${own.otherCount} numbers, not ${vector.length}`);
      }
      return model.found;
    }
    const { filters, similarityMin } = query;
    const given = await embeddings.nearest(call, { vector, filters, similarityMin });
    const { found } = model;
    return {
      near: bestOfEach(found?.near ?? [], given.near),
      has: (id) => given.has(id) || found?.has(id) === true,
    };
  }

  /** [TR83] A text is compared on the scale of the model, a vector of the caller by its raw cosine. */
  async function searchSemantic(query: RankedQuery, call: Call): Promise<SemanticHits | undefined> {
    const { text, filters, similarityMin, vector } = query;
    if (vector !== undefined) {
      const found = await searchVector(query, vector, call);
      if (found === undefined) return undefined;
      const rounded = found.near.map(({ id, similarity }) => ({ id, cosine: roundSimilarity(similarity) }));
      const near = rounded.map((one) => ({ ...one, similarity: one.cosine }));
      return { scale: 'cosine', clearCosine: 0, near, isEmbedded: found.has };
    }
    const asked = { text, filters, shownMin: similarityMin, limit: rankedCount };
    const answer = await meaning.nearest(call, recordDocuments, asked);
    if (answer === undefined) return undefined;
    const { isCalibrated, toShown } = answer.scale;
    return {
      scale: isCalibrated ? 'calibrated' : 'cosine',
      clearCosine: clearCosineOf(answer.scale),
      isEmbedded: answer.isEmbedded,
      near: answer.hits.map(({ id, similarity: cosine }) => ({
        id,
        similarity: roundSimilarity(toShown(cosine)),
        cosine: roundSimilarity(cosine),
      })),
    };
  }

  /** The similarity below the threshold, for a caller that found nothing. Its vector is cached. */
  async function findBest(query: RankedQuery, call: Call): Promise<number | undefined> {
    const { near = [] } = (await searchSemantic({ ...query, similarityMin: -1 }, call)) ?? {};
    const ids = near.map(({ id }) => id);
    const matching = await storage.read(call, (db) => filterMatching(db, ids, query));
    const best = near.find(({ id }) => matching.has(id));
    // Rounded down, so that it finds the record as a threshold.
    return best === undefined ? undefined : Math.floor(best.similarity * 1_000) / 1_000;
  }

  /** Removes hits that no longer match; one statement per filter. */
  async function filterHits(query: RankedQuery, words: KeywordHits, near: readonly SimilarRecord[], call: Call) {
    if (near.length === 0 && query.keys.length === 0) return { words, near };
    const ids = [...new Set([...idsOf(words.hits), ...idsOf(near)])];
    const matching = await storage.read(call, (db) => filterMatching(db, ids, query));
    const kept = words.hits.filter(({ id }) => matching.has(id));
    // With property filters the index counts too many, so only the checked hits count.
    const total = query.keys.length > 0 ? kept.length : words.total - (words.hits.length - kept.length);
    return { words: { hits: kept, total }, near: near.filter(({ id }) => matching.has(id)) };
  }

  async function rank(query: RankedQuery, call: Call): Promise<RankedRecords> {
    const found = query.mode === 'keyword' ? undefined : await searchSemantic(query, call);
    const isByWords = query.text !== '' && (query.mode !== 'semantic' || found === undefined);
    const asked = isByWords ? await searchKeywords(query, call) : { hits: [], total: 0 };
    const { words, near } = await filterHits(query, asked, found?.near ?? [], call);
    const nearIds = idsOf(near);
    const similarities = new Map(near.map(({ id, similarity, cosine }) => [id, { similarity, cosine }]));
    const byWords = new Map(words.hits.map((hit) => [hit.id, hit]));
    const relevanceOf = (id: string): number =>
      roundRelevance(Math.max(byWords.get(id)?.coverage ?? 0, similarities.get(id)?.similarity ?? 0));
    const shown = { similarities, relevanceOf };
    if (found === undefined) return { ids: idsOf(words.hits), total: words.total, ...shown, modeUsed: 'keyword' };
    const { scale, clearCosine, isEmbedded } = found;
    if (!isByWords) return { ids: nearIds, ...shown, scale, total: nearIds.length, modeUsed: 'semantic' };
    const similar = near.map(({ id, cosine: score }) => ({ id, score }));
    const rankings = { words: words.hits, meaning: similar, clearCosine, isEmbedded };
    const fused = fuseScores(rankings, hybridProfiles.records);
    const { relevanceMin } = query;
    if (relevanceMin === undefined)
      return { ids: idsOf(fused), ...shown, scale, total: Math.max(words.total, fused.length), modeUsed: 'both' };
    const ids = idsOf(keepRelevant(fused, { rankings, relevanceMin, relevanceOf }));
    return { ids, ...shown, scale, total: ids.length + words.total - words.hits.length, modeUsed: 'both' };
  }

  return async (query: RankedQuery, call: Call): Promise<RankedRecords> => {
    const ranked = await rank(query, call);
    if (ranked.ids.length > 0 || ranked.scale === undefined) return ranked;
    const bestSimilarity = await findBest(query, call);
    return bestSimilarity === undefined ? ranked : { ...ranked, bestSimilarity };
  };
}
