import type { Call } from '#kernel/call.ts';
import { fuseRankings, hybridProfiles } from '#kernel/search/hybrid.ts';
import type { QueryTerm } from '#kernel/search/keyword/query/parse-query.ts';
import type { SemanticQuery, SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { VectorHit } from '#kernel/search/vectors.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { knowledgeDocuments } from './collection.ts';
import type { DocQuery, SearchOutcome } from './doc-query.ts';
import { toFilters } from './doc-query.ts';

const profile = hybridProfiles.docs;

export interface SemanticHitsDeps {
  readonly meaning: Pick<SemanticSearch, 'nearest' | 'vectorOf'>;
  readonly base: () => Promise<Pick<KnowledgeBase, 'vectors'>>;
}

/** Synonyms have a lower weight. */
const isFromQuery = ({ weight }: QueryTerm): boolean => weight >= 1;

/** The share of the query's words that the best hit contains. */
function coverageOf({ answer, parsed, how }: SearchOutcome): number {
  const best = answer.hits[0];
  if (best === undefined || how === 'substring') return 0;
  let wordCount = 0;
  let matchedCount = 0;
  for (let unit = 0; unit < parsed.terms.length; unit += 1) {
    if (!isFromQuery(parsed.terms[unit]!)) continue;
    wordCount += 1;
    if (best.has(unit)) matchedCount += 1;
  }
  return matchedCount / Math.max(1, wordCount);
}

/** If true, semantic search is not needed. */
export const hasEnoughKeywords = (outcome: SearchOutcome): boolean => coverageOf(outcome) >= profile.coverageEnough;

type SimilarHit = Pick<VectorHit, 'id' | 'similarity'>;
type SimilarityQuery = Required<Omit<SemanticQuery, 'shownMin' | 'isPatient'>>;

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
    if (coverage >= profile.coverageEnough || outcome.parsed.terms.length === 0) return outcome;
    const { query: text, limit } = query;
    const similarity = { text, limit, similarityMin: profile.similarityMin, filters: toFilters(query) };
    // A single unknown word is probably a typo or a name, and its hint helps more than a guess.
    // The searches run one after the other, so that the second reuses the query vector.
    const inBase = outcome.parsed.terms.filter(isFromQuery).length > 1 ? await nearInBase(similarity, call) : [];
    const near = [...inBase, ...(await nearInLibraries(outcome.answer.ownCount, similarity, call))]
      .sort(bySimilarity)
      .slice(0, limit);
    if (near.length === 0) return outcome;
    const idsOf = (hits: readonly { readonly id: string }[]) => hits.map(({ id }) => id);
    const rankings = { keyword: idsOf(outcome.hits), semantic: idsOf(near), coverage };
    return { ...outcome, hits: fuseRankings(rankings, profile) };
  };
}
