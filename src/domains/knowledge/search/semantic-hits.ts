import type { Call } from '#kernel/call.ts';
import { fuseRankings } from '#kernel/search/fusion.ts';
import type { Unit } from '#kernel/search/keyword/query/parse-query.ts';
import type { Meaning, MeaningQuery } from '#kernel/search/semantic/meaning.ts';
import type { VectorHit } from '#kernel/search/vectors.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { knowledgeDocuments } from './collection.ts';
import type { DocQuery, SearchOutcome } from './doc-query.ts';
import { toFilters } from './doc-query.ts';

/** If the best hit has a smaller share of the query's words, the result is uncertain. */
const coverageMin = 0.5;
/** Below this, similarity is random. */
const similarityMin = 0.3;
/** A matching word counts more than similarity. */
const semanticWeight = 0.5;
const keywordWeightMin = 0.1;

export interface SemanticHitsDeps {
  readonly meaning: Pick<Meaning, 'nearest' | 'vectorOf'>;
  readonly base: () => Promise<Pick<KnowledgeBase, 'vectors'>>;
}

/** Synonyms have a lower weight. */
const isFromQuery = ({ weight }: Unit): boolean => weight >= 1;

/** The share of the query's words that the best hit contains. */
function coverageOf({ answer, parsed, how }: SearchOutcome): number {
  const best = answer.hits[0];
  if (best === undefined || how === 'substring') return 0;
  let wordCount = 0;
  let matchedCount = 0;
  for (let unit = 0; unit < parsed.units.length; unit += 1) {
    if (!isFromQuery(parsed.units[unit]!)) continue;
    wordCount += 1;
    if (best.has(unit)) matchedCount += 1;
  }
  return matchedCount / Math.max(1, wordCount);
}

/** If true, semantic search is not needed. */
export const hasEnoughKeywords = (outcome: SearchOutcome): boolean => coverageOf(outcome) >= coverageMin;

type SimilarHit = Pick<VectorHit, 'id' | 'similarity'>;
type SimilarityQuery = Required<MeaningQuery>;

const bySimilarity = (a: SimilarHit, b: SimilarHit): number => b.similarity - a.similarity || (a.id < b.id ? -1 : 1);

/**
 * [KN7] Adds semantic hits from the base and the libraries if the keyword result is uncertain. Embedding a query takes
 * far longer than searching, so a query is embedded only if it needs to be and can find something.
 */
export function createSemanticHits({ meaning, base }: SemanticHitsDeps) {
  async function nearInBase(
    { filters, text, ...similarity }: SimilarityQuery,
    call: Call,
  ): Promise<readonly SimilarHit[]> {
    const vectors = (await base()).vectors();
    const nearest = vectors?.searchWithin(filters);
    if (vectors === undefined || nearest === undefined) return [];
    const vector = await meaning.vectorOf(call, { text, model: vectors.model });
    return vector === undefined ? [] : nearest({ ...similarity, vector });
  }

  /** A tenant with too many sections is not embedded: it would keep the machine busy for hours. */
  async function nearInLibraries(
    sectionsCount: number,
    similarity: SimilarityQuery,
    call: Call,
  ): Promise<readonly SimilarHit[]> {
    if (sectionsCount === 0 || sectionsCount > knowledgeLimits.embeddedSectionsCount) return [];
    return (await meaning.nearest(call, knowledgeDocuments, similarity))?.hits ?? [];
  }

  return async (outcome: SearchOutcome, query: DocQuery, call: Call): Promise<SearchOutcome> => {
    const coverage = coverageOf(outcome);
    if (coverage >= coverageMin || outcome.parsed.units.length === 0) return outcome;
    const { query: text, limit } = query;
    const similarity = { text, limit, similarityMin, filters: toFilters(query) };
    // A single unknown word is probably a typo or a name, and its hint helps more than a guess.
    // The searches run one after the other, so that the second reuses the query vector.
    const inBase = outcome.parsed.units.filter(isFromQuery).length > 1 ? await nearInBase(similarity, call) : [];
    const near = [...inBase, ...(await nearInLibraries(outcome.answer.ownCount, similarity, call))]
      .sort(bySimilarity)
      .slice(0, limit);
    if (near.length === 0) return outcome;
    const hits = fuseRankings([
      { ids: outcome.hits.map(({ id }) => id), weight: Math.max(keywordWeightMin, coverage) },
      { ids: near.map(({ id }) => id), weight: semanticWeight },
    ]);
    return { ...outcome, hits };
  };
}
