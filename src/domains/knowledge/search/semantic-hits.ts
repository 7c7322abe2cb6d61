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

/** With less of the query in the best hit, its words leave doubt. */
const coverageMin = 0.5;
/** Below this, what is alike is so by chance. */
const similarityMin = 0.3;
/** A word that is there counts for more than a likeness; as everywhere. */
const semanticWeight = 0.5;
const keywordWeightMin = 0.1;

export interface SemanticHitsDeps {
  readonly meaning: Pick<Meaning, 'nearest' | 'vectorOf'>;
  readonly base: () => Promise<Pick<KnowledgeBase, 'vectors'>>;
}

/** Not only guessed. */
const isFromQuery = ({ weight }: Unit): boolean => weight >= 1;

/** The share of what is asked for that the best hit has. */
function coverageOf({ answer, parsed, how }: SearchOutcome): number {
  const best = answer.hits[0];
  if (best === undefined || how === 'substring') return 0;
  let askedCount = 0;
  let thereCount = 0;
  for (let unit = 0; unit < parsed.units.length; unit += 1) {
    if (!isFromQuery(parsed.units[unit]!)) continue;
    askedCount += 1;
    if (best.has(unit)) thereCount += 1;
  }
  return thereCount / Math.max(1, askedCount);
}

/** Whether the words have answered it: what is alike would not be asked for. */
export const hasEnoughKeywords = (asked: SearchOutcome): boolean => coverageOf(asked) >= coverageMin;

type SimilarHit = Pick<VectorHit, 'id' | 'similarity'>;
type SimilarityQuery = Required<MeaningQuery>;

const bySimilarity = (a: SimilarHit, b: SimilarHit): number => b.similarity - a.similarity || (a.id < b.id ? -1 : 1);

/**
 * Fuses in what means the same, of the base and of libraries, where the words leave doubt [KN7]. To embed a question takes
 * far longer than to search: one whose words are all there is not embedded, nor one that may find only what has no vectors.
 */
export function createSemanticHits({ meaning, base }: SemanticHitsDeps) {
  async function nearInBase({ filters, text, ...wanted }: SimilarityQuery, call: Call): Promise<readonly SimilarHit[]> {
    const vectors = (await base()).vectors();
    const nearest = vectors?.searchWithin(filters);
    if (vectors === undefined || nearest === undefined) return [];
    const vector = await meaning.vectorOf(call, { text, model: vectors.model });
    return vector === undefined ? [] : nearest({ ...wanted, vector });
  }

  /** Not where there is none, nor where there is so much that embedding it would keep the machine busy for hours. */
  async function nearInLibraries(
    sectionsCount: number,
    wanted: SimilarityQuery,
    call: Call,
  ): Promise<readonly SimilarHit[]> {
    if (sectionsCount === 0 || sectionsCount > knowledgeLimits.embeddedSectionsCount) return [];
    return (await meaning.nearest(call, knowledgeDocuments, wanted))?.hits ?? [];
  }

  return async (asked: SearchOutcome, query: DocQuery, call: Call): Promise<SearchOutcome> => {
    const coverage = coverageOf(asked);
    if (coverage >= coverageMin || asked.parsed.units.length === 0) return asked;
    const { query: text, limit } = query;
    const wanted = { text, limit, similarityMin: similarityMin, filters: toFilters(query) };
    // A single word that the base does not have is a slip, a part of a word or a name: its hint says more than a guess.
    // One after the other: the second finds the vector of the question that the first had made.
    const inBase = asked.parsed.units.filter(isFromQuery).length > 1 ? await nearInBase(wanted, call) : [];
    const near = [...inBase, ...(await nearInLibraries(asked.answer.ownCount, wanted, call))]
      .sort(bySimilarity)
      .slice(0, limit);
    if (near.length === 0) return asked;
    const hits = fuseRankings([
      { ids: asked.hits.map(({ id }) => id), weight: Math.max(keywordWeightMin, coverage) },
      { ids: near.map(({ id }) => id), weight: semanticWeight },
    ]);
    return { ...asked, hits };
  };
}
