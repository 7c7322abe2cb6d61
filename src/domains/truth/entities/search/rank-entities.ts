import type { Call } from '#kernel/call.ts';
import type { SearchHit } from '#kernel/search/answer-search.ts';
import { fuseRankings, hybridProfiles } from '#kernel/search/hybrid.ts';
import type { FacetFilter } from '#kernel/search/keyword/query/filter.ts';
import type { DocumentMatcher } from '#kernel/search/match-documents.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import type { SemanticAnswer, SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { roundSimilarity } from '../../records/rules/embedding.ts';
import { truthLimits } from '../../truth-limits.ts';
import { entityDocuments } from './entity-collection.ts';

export interface RankEntitiesDeps {
  readonly search: Pick<SearchIndex, 'search'>;
  readonly meaning: Pick<SemanticSearch, 'nearest' | 'waiting'>;
}

export interface RankedEntity {
  readonly id: string;
  readonly score: number;
  /** On the scale of the model; undefined if semantic search did not find it. */
  readonly similarity?: number | undefined;
  /** Undefined if it was not found by words. */
  readonly keyword?: SearchHit | undefined;
}

export interface RankedEntities {
  readonly hits: readonly RankedEntity[];
  /** Matches, of which `hits` are the best. */
  readonly total: number;
  readonly mode: 'keyword' | 'both';
  /** The best hit has every word of the query. */
  readonly isCovered: boolean;
  /** What the search could not do, for the caller. */
  readonly limits: readonly string[];
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

const byWordsOnly = `The search used words only: meaning is used up to ${truthLimits.embeddedEntitiesCount} entities.`;

const notEmbedded = (count: number, isMore: boolean): string =>
  `${isMore ? 'More than ' : ''}${count} entities are not embedded yet and were found by words only; repeat the search later.`;

export function createEntityRanking({ search, meaning }: RankEntitiesDeps, matcher: DocumentMatcher) {
  const nearest = (text: string, filters: readonly FacetFilter[], shownMin: number, limit: number, call: Call) =>
    meaning.nearest(call, entityDocuments, { text, filters, shownMin, limit });

  const shown = ({ scale }: SemanticAnswer, cosine: number): number => roundSimilarity(scale.toShown(cosine));

  async function limitsOf(near: SemanticAnswer | undefined, isSmall: boolean, call: Call): Promise<readonly string[]> {
    if (!isSmall) return [byWordsOnly];
    if (near === undefined) return [];
    const { count, isMore } = await meaning.waiting(call, entityDocuments);
    return count === 0 ? [] : [notEmbedded(count, isMore)];
  }

  /** [TR82] A query that the best hit covers is not embedded: that takes far longer than the search. */
  return async (text: string, filters: readonly FacetFilter[], limit: number, call: Call): Promise<RankedEntities> => {
    const { commonDocsCount: commonDocsMin } = searchLimits;
    const words = await search.search(call, entityDocuments, { text, limit, filters, commonDocsMin });
    const coverage = coverageOf(words.hits, matcher.countTerms(text));
    const isCovered = coverage === 1;
    const isSmall = words.ownCount <= truthLimits.embeddedEntitiesCount;
    const wantsMeaning = !isCovered && words.ownCount > 0;
    const near =
      wantsMeaning && isSmall
        ? await nearest(text, filters, profile.shownMin, truthLimits.similarEntitiesCount, call)
        : undefined;
    const limits = wantsMeaning ? await limitsOf(near, isSmall, call) : [];
    if (near === undefined) {
      return {
        hits: words.hits.map((hit) => ({ id: hit.id, score: hit.score, keyword: hit })),
        total: words.total,
        mode: 'keyword',
        isCovered,
        limits,
        hints: words.hints,
      };
    }
    const byWords = new Map(words.hits.map((hit) => [hit.id, hit]));
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
      isCovered,
      limits,
      hints: fused.length === 0 ? words.hints : [],
      ...(best !== undefined && { bestSimilarity: Math.floor(shown(near, best.similarity) * 1_000) / 1_000 }),
    };
  };
}
