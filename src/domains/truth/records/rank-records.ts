import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { fuseRankings, hybridProfiles } from '#kernel/search/hybrid.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { recordDocuments } from './documents.ts';
import type { NearRecord, OwnVectors } from './own-vectors.ts';
import { countProperty, findEmbeddingKey, findTypes, keepWithProperty } from './record-store.ts';
import type { RecordsDeps } from './records-deps.ts';
import { roundSimilarity } from './rules/embedding.ts';
import { embeddingKey, numbersCountOf } from './rules/property-keys.ts';

export type SearchMode = 'semantic' | 'keyword' | 'both';

export interface RankedQuery {
  /** '' when there are no terms. */
  readonly text: string;
  readonly mode: SearchMode;
  readonly similarityMin: number;
  /** The caller's own; compared instead of the text's. */
  readonly vector: Float32Array | undefined;
  readonly type: string | undefined;
  /** Keys of properties that all have to be there. */
  readonly keys: readonly string[];
  readonly filters: readonly FacetFilter[];
}

export interface RankedRecords {
  /** The best first, up to a bound. */
  readonly ids: readonly string[];
  /** Of those that are near in meaning. */
  readonly similarities: ReadonlyMap<string, number>;
  readonly total: number;
  readonly modeUsed: SearchMode;
}

interface Words {
  readonly ids: readonly string[];
  readonly total: number;
}

const bySimilarity = (a: NearRecord, b: NearRecord): number => b.similarity - a.similarity || (a.id < b.id ? -1 : 1);

/** Of two likenesses of one record the greater counts: that of its text, and that of the embedding it came with. */
function uniteNear(...lists: readonly (readonly NearRecord[])[]): readonly NearRecord[] {
  const best = new Map<string, NearRecord>();
  for (const near of lists.flat()) {
    if (near.similarity > (best.get(near.id)?.similarity ?? -2)) best.set(near.id, near);
  }
  return [...best.values()].sort(bySimilarity).slice(0, truthLimits.rankedCount);
}

/** The indexes tell a little more than was asked for, and what they know of meaning follows the writes at a distance. */
function* keepMatching(
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

/** How many records of this tenant brought embeddings: of so many numbers, and of any. */
function* findOwn(db: Reader, numbersCount: number): Work<{ isThere: boolean; otherCount: number | undefined }> {
  const own = yield* countProperty(db, embeddingKey(numbersCount), 1);
  if ((own?.n ?? 0) > 0) return { isThere: true, otherCount: undefined };
  const other = yield* findEmbeddingKey(db);
  return { isThere: false, otherCount: other === undefined ? undefined : numbersCountOf(other.property) };
}

const wrongDimension = (why: string) => faults.VALIDATION_ERROR({ why }, { field: 'query_embedding' });

export function createRanking(deps: Pick<RecordsDeps, 'storage' | 'search' | 'meaning'>, ownVectors: OwnVectors) {
  const { storage, search, meaning } = deps;
  const { rankedCount } = truthLimits;

  async function byWords({ text, filters }: RankedQuery, call: Call): Promise<Words> {
    const { hits, total } = await search.search(call, recordDocuments, { text, limit: rankedCount, filters });
    return { ids: hits.map(({ id }) => id), total };
  }

  /** Undefined: there is no model, or the vector is not one of its. `why`: what the model says of it then. */
  async function byModelVector(
    { filters, similarityMin }: RankedQuery,
    vector: Float32Array,
    call: Call,
  ): Promise<{ near?: readonly NearRecord[]; why?: string }> {
    try {
      const query = { vector, filters, similarityMin, limit: rankedCount };
      const answer = await meaning.nearestTo(call, recordDocuments, query);
      return answer === undefined ? {} : { near: answer.hits };
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== faults.VALIDATION_ERROR.kind.code) throw error;
      return { why: error.message };
    }
  }

  /** Undefined: there is nothing to compare a vector with. */
  async function byVector(
    query: RankedQuery,
    vector: Float32Array,
    call: Call,
  ): Promise<readonly NearRecord[] | undefined> {
    const own = await storage.read(call, (db) => findOwn(db, vector.length));
    const model = await byModelVector(query, vector, call);
    if (!own.isThere) {
      if (model.why !== undefined) throw wrongDimension(model.why);
      if (model.near === undefined && own.otherCount !== undefined) {
        throw wrongDimension(`the embeddings of records have ${own.otherCount} numbers, not ${vector.length}`);
      }
      return model.near;
    }
    const { filters, similarityMin } = query;
    return uniteNear(model.near ?? [], await ownVectors.nearest(call, { vector, filters, similarityMin }));
  }

  async function byMeaning(query: RankedQuery, call: Call): Promise<readonly NearRecord[] | undefined> {
    const { text, filters, similarityMin, vector } = query;
    const near =
      vector === undefined
        ? (await meaning.nearest(call, recordDocuments, { text, filters, similarityMin, limit: rankedCount }))?.hits
        : await byVector(query, vector, call);
    return near?.map(({ id, similarity }) => ({ id, similarity: roundSimilarity(similarity) }));
  }

  /** What of it is so in the store: one statement a filter, however many were found. */
  async function checked(query: RankedQuery, words: Words, near: readonly NearRecord[], call: Call) {
    if (near.length === 0 && query.keys.length === 0) return { words, near };
    const ids = [...new Set([...words.ids, ...near.map(({ id }) => id)])];
    const matching = await storage.read(call, (db) => keepMatching(db, ids, query));
    const kept = words.ids.filter((id) => matching.has(id));
    // Where properties are asked for, an index counts too many; what lies beyond those looked at is not counted then.
    const total = query.keys.length > 0 ? kept.length : words.total - (words.ids.length - kept.length);
    return { words: { ids: kept, total }, near: near.filter(({ id }) => matching.has(id)) };
  }

  return async (query: RankedQuery, call: Call): Promise<RankedRecords> => {
    const found = query.mode === 'keyword' ? undefined : await byMeaning(query, call);
    const isByWords = query.text !== '' && (query.mode !== 'semantic' || found === undefined);
    const asked = isByWords ? await byWords(query, call) : { ids: [], total: 0 };
    const { words, near } = await checked(query, asked, found ?? [], call);
    const nearIds = near.map(({ id }) => id);
    const similarities = new Map(near.map(({ id, similarity }) => [id, similarity]));
    if (found === undefined) return { ...words, similarities, modeUsed: 'keyword' };
    if (!isByWords) return { ids: nearIds, similarities, total: nearIds.length, modeUsed: 'semantic' };
    const rankings = { keyword: words.ids, semantic: nearIds, coverage: 1 };
    const fused = fuseRankings(rankings, hybridProfiles.records);
    const ids = fused.map(({ id }) => id);
    return { ids, similarities, total: Math.max(words.total, ids.length), modeUsed: 'both' };
  };
}
