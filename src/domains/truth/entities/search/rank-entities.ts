import type { Call } from '#kernel/call.ts';
import type { SearchHit } from '#kernel/search/answer-search.ts';
import { fuseScores, keepRelevant } from '#kernel/search/fuse-scores.ts';
import {
  byWordsOnly,
  clearCosineOf,
  hasWords,
  hybridProfiles,
  notEmbedded,
  queryHints,
  type RankingMode,
  roundRelevance,
} from '#kernel/search/hybrid.ts';
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
  readonly meaning: Pick<SemanticSearch, 'assess' | 'nearest' | 'waiting'>;
}

export interface RankedEntity {
  readonly id: string;
  readonly score: number;
  /** From 0 to 1: how clearly it is about the query. */
  readonly relevance: number;
  /** On the scale of the model; undefined if semantic search did not find it. */
  readonly similarity?: number | undefined;
  /** Undefined if it was not found by words. */
  readonly keyword?: SearchHit | undefined;
  /** It is not embedded yet, so its relevance is that of its words. */
  readonly isPending?: boolean | undefined;
}

export interface RankedEntities {
  readonly hits: readonly RankedEntity[];
  /** Matches, of which `hits` are the best. */
  readonly total: number;
  readonly mode: 'keyword' | 'semantic' | 'both';
  /** The best hit has every word of the query. */
  readonly isCovered: boolean;
  /** What the search could not do, for the caller. */
  readonly limits: readonly string[];
  /** Entities that are not embedded yet; undefined if the search did not use meaning, or if there are none. */
  readonly pending?: number;
  /** Similar indexed words, if no entity has a word of the query. */
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

const whyWordsOnly = {
  ...byWordsOnly,
  size: `The search used words only: meaning is used up to ${truthLimits.embeddedEntitiesCount} entities.`,
} as const;

export interface RankEntitiesQuery {
  readonly text: string;
  readonly filters: readonly FacetFilter[];
  readonly limit: number;
  /** Undefined: hybrid, but without meaning if the best hit has every word of the query. */
  readonly mode: RankingMode | undefined;
}

export function createEntityRanking({ search, meaning }: RankEntitiesDeps, matcher: DocumentMatcher) {
  const nearest = ({ text, filters }: RankEntitiesQuery, shownMin: number, limit: number, call: Call) =>
    meaning.nearest(call, entityDocuments, { text, filters, shownMin, limit });

  const shown = ({ scale }: SemanticAnswer, cosine: number): number => roundSimilarity(scale.toShown(cosine));

  /** What is similar, or why that is not known. */
  async function findSimilar(query: RankEntitiesQuery, ownCount: number, call: Call) {
    if (ownCount > truthLimits.embeddedEntitiesCount) return { why: 'size' } as const;
    const { missing } = await meaning.assess(query.text);
    if (missing !== undefined) return { why: missing };
    const near = await nearest(query, truthLimits.similarEntityRatio, truthLimits.similarEntitiesCount, call);
    return near === undefined ? ({ why: 'failure' } as const) : { near };
  }

  /** [TR82] A query that the best hit covers is not embedded: that takes far longer than the search. */
  return async (query: RankEntitiesQuery, call: Call): Promise<RankedEntities> => {
    const { text, filters, limit, mode } = query;
    const { commonDocsCount: commonDocsMin } = searchLimits;
    const asked = { text, filters, commonDocsMin };
    const words = await search.search(call, entityDocuments, { ...asked, limit });
    const isCovered = coverageOf(words.hits, matcher.countTerms(text)) === 1;
    const isWordless = !hasWords(text);
    const wantsMeaning = mode !== 'words' && !isWordless && words.ownCount > 0 && (mode !== undefined || !isCovered);
    const limits = [...(isWordless ? [queryHints.noWords] : []), ...(words.leftOutCount > 0 ? [queryHints.long] : [])];
    const { near, why } = wantsMeaning ? await findSimilar(query, words.ownCount, call) : {};
    if (near === undefined) {
      // Without a model, words are what a caller expects unless it asked for meaning.
      const isExpected = why === undefined || (why === 'embedder' && mode === undefined);
      return {
        hits: words.hits.map((hit) => ({
          ...{ id: hit.id, score: hit.score, relevance: roundRelevance(hit.coverage) },
          keyword: hit,
        })),
        total: words.total,
        mode: 'keyword',
        isCovered,
        limits: isExpected ? limits : [...limits, whyWordsOnly[why]],
        hints: words.hints,
      };
    }
    const waiting = await meaning.waiting(call, entityDocuments);
    const { count: pending } = waiting;
    const laterHint = `${notEmbedded(waiting, ['entity', 'entities'])} Repeat the search later.`;
    // The order depends on all hits, so every page ranks the same ones.
    const all = await search.search(call, entityDocuments, { ...asked, limit: truthLimits.rankedEntitiesCount });
    const byWords = new Map(all.hits.map((hit) => [hit.id, hit]));
    const similarities = new Map(near.hits.map(({ id, similarity }) => [id, shown(near, similarity)]));
    const relevanceOf = (id: string): number =>
      roundRelevance(Math.max(byWords.get(id)?.coverage ?? 0, similarities.get(id) ?? 0));
    const ranked = mode === 'meaning' ? [] : all.hits;
    const similar = near.hits.map(({ id, similarity: score }) => ({ id, score }));
    const { isEmbedded, scale } = near;
    const rankings = { words: ranked, meaning: similar, clearCosine: clearCosineOf(scale), isEmbedded };
    const fused = fuseScores(rankings, profile);
    // Without a mode, every hit by words stays: in a small store a frequent word says little, but it may be the answer.
    const { relevanceMin } = profile;
    const hits = mode === undefined ? fused : keepRelevant(fused, { rankings, relevanceMin, relevanceOf });
    const [best] = hits.length > 0 ? [] : ((await nearest(query, -1, 1, call))?.hits ?? []);
    return {
      hits: hits.map(({ id, score }) => ({
        ...{ id, score, relevance: relevanceOf(id) },
        similarity: similarities.get(id),
        keyword: byWords.get(id),
        isPending: !isEmbedded(id),
      })),
      total: hits.length + (mode === 'meaning' ? 0 : all.total - all.hits.length),
      mode: mode === 'meaning' ? 'semantic' : 'both',
      isCovered,
      limits: pending === 0 ? limits : [...limits, laterHint],
      ...(pending > 0 && { pending }),
      hints: words.hints,
      ...(best !== undefined && { bestSimilarity: Math.floor(shown(near, best.similarity) * 1_000) / 1_000 }),
    };
  };
}
