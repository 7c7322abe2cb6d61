import type { Call } from '#kernel/call.ts';
import type { SearchHit } from '#kernel/search/answer-search.ts';
import { fuseRankings, hybridProfiles } from '#kernel/search/hybrid.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import { parseQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticAnswer, SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { roundSimilarity } from '../../records/rules/embedding.ts';
import { truthLimits } from '../../truth-limits.ts';
import { entityDocuments } from './entity-collection.ts';

export interface RankEntitiesDeps {
  readonly search: Pick<SearchIndex, 'search'>;
  readonly meaning: Pick<SemanticSearch, 'nearest'>;
}

export interface RankedEntity {
  readonly id: string;
  readonly score: number;
  /** On the scale of the model; undefined if semantic search did not find it. */
  readonly similarity: number | undefined;
  /** Undefined if only semantic search found it. */
  readonly keyword: SearchHit | undefined;
}

export interface RankedEntities {
  readonly hits: readonly RankedEntity[];
  /** Matches, of which `hits` are the best. */
  readonly total: number;
  readonly mode: 'keyword' | 'both';
  /** Similar indexed words, if nothing was found. */
  readonly hints: readonly string[];
  readonly bestSimilarity?: number;
}

const profile = hybridProfiles.entities;

/** Words of the query that a hit has; none for a match inside words. */
const termsCountOf = ({ why }: SearchHit): number => (why.how === 'words' ? why.terms.length : 0);

/** The share of the query that the best hit has. A hit inside words covers nothing. */
function coverageOf(hits: readonly SearchHit[], termCount: number): number {
  const most = hits.slice(0, truthLimits.coveredHitsCount).reduce((best, hit) => Math.max(best, termsCountOf(hit)), 0);
  return Math.min(1, most / Math.max(1, termCount));
}

/** Whether it was found only by words that it had earlier. Takes long enough to ask only for the hits of one page. */
export const isPastHit = ({ keyword }: RankedEntity): boolean =>
  keyword !== undefined && keyword.why.terms.every(({ fields }) => fields.every((field) => field === 'past'));

const countTerms = (text: string): number =>
  parseQuery(text, { match: 'any', lastWordIsPrefix: false }, (word) => word).terms.length;

export function createEntityRanking({ search, meaning }: RankEntitiesDeps) {
  const nearest = (text: string, filters: readonly FacetFilter[], shownMin: number, limit: number, call: Call) =>
    meaning.nearest(call, entityDocuments, { text, filters, shownMin, limit });

  const shown = ({ scale }: SemanticAnswer, cosine: number): number => roundSimilarity(scale.toShown(cosine));

  /** [TR82] A query that the best hit covers is not embedded: that takes far longer than the search. */
  return async (text: string, filters: readonly FacetFilter[], call: Call): Promise<RankedEntities> => {
    const limit = truthLimits.rankedEntitiesCount;
    const words = await search.search(call, entityDocuments, { text, limit, filters });
    const coverage = coverageOf(words.hits, countTerms(text));
    const byWords = new Map(words.hits.map((hit) => [hit.id, hit]));
    const isSmall = words.ownCount <= truthLimits.embeddedEntitiesCount;
    const near =
      coverage < 1 && isSmall && words.ownCount > 0
        ? await nearest(text, filters, profile.shownMin, truthLimits.similarEntitiesCount, call)
        : undefined;
    if (near === undefined) {
      return {
        hits: words.hits.map((hit) => ({ id: hit.id, score: hit.score, similarity: undefined, keyword: hit })),
        total: words.total,
        mode: 'keyword',
        hints: words.hints,
      };
    }
    const similarities = new Map(near.hits.map(({ id, similarity }) => [id, shown(near, similarity)]));
    const rankings = { keyword: [...byWords.keys()], semantic: [...similarities.keys()], coverage };
    const fused = fuseRankings(rankings, profile);
    const [best] = fused.length > 0 ? [] : ((await nearest(text, filters, -1, 1, call))?.hits ?? []);
    return {
      hits: fused.map(({ id, score }) => ({
        id,
        score,
        similarity: similarities.get(id),
        keyword: byWords.get(id),
      })),
      total: words.total + near.hits.filter(({ id }) => !byWords.has(id)).length,
      mode: 'both',
      hints: fused.length === 0 ? words.hints : [],
      ...(best !== undefined && { bestSimilarity: Math.floor(shown(near, best.similarity) * 1_000) / 1_000 }),
    };
  };
}
