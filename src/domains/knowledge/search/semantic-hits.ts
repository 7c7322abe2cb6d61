import type { Call } from '#kernel/call.ts';
import { fuseScores, keepRelevant } from '#kernel/search/fuse-scores.ts';
import { clearCosineOf, hybridProfiles } from '#kernel/search/hybrid.ts';
import type { QueryTerm } from '#kernel/search/keyword/query/parse-query.ts';
import type { SemanticQuery, SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { VectorHit } from '#kernel/search/vectors.ts';
import { baseLibrary } from '../base/base-sections.ts';
import type { KnowledgeBase } from '../base/knowledge-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { knowledgeDocuments } from './collection.ts';
import type { ResolvedQuery, SearchOutcome } from './doc-query.ts';
import { toFilters } from './doc-query.ts';
import { toEmbeddedQuery } from './read-query.ts';

export interface SemanticHitsDeps {
  readonly meaning: Pick<SemanticSearch, 'assess' | 'nearest' | 'vectorOf' | 'waiting'>;
  readonly base: () => Promise<Pick<KnowledgeBase, 'vectors'>>;
}

/** Synonyms have a lower weight. */
const isFromQuery = ({ weight }: QueryTerm): boolean => weight >= 1;

type SimilarHit = Pick<VectorHit, 'id' | 'similarity'>;
type SimilarityQuery = Required<Omit<SemanticQuery, 'shownMin' | 'isPatient'>>;

interface SimilarHits {
  readonly hits: readonly SimilarHit[];
  /** `failed`: the query could not be embedded. */
  readonly outcome: 'used' | 'unused' | 'failed';
  /** Sections that are not embedded yet. */
  readonly pending?: number;
  has(id: string): boolean;
}

const nothing: SimilarHits = { hits: [], outcome: 'unused', has: () => false };
const failed: SimilarHits = { ...nothing, outcome: 'failed' };

/** Without any of the query's words, a section must be at least so similar to be an answer. On the scale of the model. */
const unmentionedMin = 0.5;

/** Whatever its relevance is, a hit by words stays if its score is at least this share of the best relevant one's. */
const wordsStayShare = 0.2;

/** For sections without a word of the query and behind those that count as similar: only their order matters. */
const restScore = 0.01;

const bySimilarity = (a: SimilarHit, b: SimilarHit): number => b.similarity - a.similarity || (a.id < b.id ? -1 : 1);

/**
 * [KN7] Fuses the keyword hits with the semantic hits of the base and the libraries. Embedding a query takes far longer
 * than searching, so a query is embedded only if that can find something.
 */
export function createSemanticHits({ meaning, base }: SemanticHitsDeps) {
  async function nearInBase({ filters, text, ...similarity }: SimilarityQuery, call: Call): Promise<SimilarHits> {
    const vectors = (await base()).vectors();
    const nearest = vectors?.searchWithin(filters);
    if (vectors === undefined || nearest === undefined) return nothing;
    const vector = await meaning.vectorOf(call, { text, model: vectors.model });
    if (vector === undefined) return failed;
    return { hits: nearest({ ...similarity, vector }), outcome: 'used', has: vectors.has };
  }

  /** A tenant with too many sections is not embedded: it would keep the machine busy for hours. */
  async function nearInLibraries(sectionsCount: number, similarity: SimilarityQuery, call: Call): Promise<SimilarHits> {
    if (sectionsCount === 0 || sectionsCount > knowledgeLimits.embeddedSectionsCount) return nothing;
    const answer = await meaning.nearest(call, knowledgeDocuments, similarity);
    if (answer === undefined) return failed;
    const { count } = await meaning.waiting(call, knowledgeDocuments);
    return { hits: answer.hits, outcome: 'used', has: answer.isEmbedded, ...(count > 0 && { pending: count }) };
  }

  return async (outcome: SearchOutcome, query: ResolvedQuery, call: Call): Promise<SearchOutcome> => {
    const { parsed, answer } = outcome;
    if (query.mode === 'words' || parsed.terms.length === 0) return outcome;
    const { missing, scale } = await meaning.assess(query.text);
    if (missing !== undefined) return { ...outcome, missing };
    const { similarityRatio: similarityMin, fusedHitsCount: limit } = knowledgeLimits;
    const similarity = {
      text: toEmbeddedQuery(query.text),
      limit,
      similarityMin,
      filters: toFilters(query),
    };
    // A single unknown word is probably a typo or a name, and its hint helps more than a guess.
    // The searches run one after the other, so that the second reuses the query vector.
    const inBase =
      parsed.terms.filter(isFromQuery).length > 1 || answer.total > 0 ? await nearInBase(similarity, call) : nothing;
    const inLibraries = await nearInLibraries(answer.ownCount, similarity, call);
    const near = [...inBase.hits, ...inLibraries.hits].sort(bySimilarity).slice(0, limit);
    const { pending } = inLibraries;
    const outcomes = [inBase.outcome, inLibraries.outcome];
    const known: SearchOutcome = {
      ...outcome,
      ...(outcomes.includes('used') && { mode: query.mode ?? 'hybrid' }),
      ...(outcomes.includes('failed') && { missing: 'embedder' }),
      ...(pending !== undefined && { pending }),
    };
    if (near.length === 0) return known;
    const words = query.mode === 'meaning' ? [] : answer.hits;
    const isPackage = query.choice !== undefined && query.choice.library !== baseLibrary;
    const profile = isPackage && words.length > 0 ? hybridProfiles.packageDocs : hybridProfiles.docs;
    const ranked = near.map(({ id, similarity: score }) => ({ id, score }));
    const isEmbedded = (id: string) => inBase.has(id) || inLibraries.has(id);
    const rankings = { words, meaning: ranked, clearCosine: clearCosineOf(scale), isEmbedded };
    const similarities = new Map(near.map(({ id, similarity: cosine }) => [id, scale.toShown(cosine)]));
    const relevances = new Map(similarities);
    for (const { id, coverage } of words) relevances.set(id, Math.max(coverage, relevances.get(id) ?? 0));
    const relevanceOf = (id: string) => relevances.get(id) ?? 0;
    const isGuess = answer.total === 0 && query.mode !== 'meaning';
    const relevanceMin = isGuess ? unmentionedMin : profile.relevanceMin;
    const hits = fuseScores(rankings, profile).map(({ id, score }) => ({
      id,
      score: score === 0 ? restScore * (similarities.get(id) ?? 0) : score,
    }));
    const isByWords = new Set(words.map(({ id }) => id));
    return {
      ...known,
      hits,
      keepRelevant(weighed) {
        const relevant = keepRelevant(weighed, { rankings, relevanceMin, relevanceOf });
        const isRelevant = new Set(relevant.map(({ id }) => id));
        const least = relevant.length === 0 ? Number.POSITIVE_INFINITY : wordsStayShare * relevant[0]!.score;
        return weighed.filter(({ id, score }) => isRelevant.has(id) || (isByWords.has(id) && score >= least));
      },
      relevanceOf,
      similarityOf: (id) => similarities.get(id),
    };
  };
}
