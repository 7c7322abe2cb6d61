import type { Call } from '#kernel/call.ts';
import { fuseRankings, hybridProfiles } from '#kernel/search/hybrid.ts';
import type { QueryTerm } from '#kernel/search/keyword/query/parse-query.ts';
import type { SemanticSearch, SemanticQuery } from '#kernel/search/semantic/semantic-search.ts';
import type { VectorHit } from '#kernel/search/vectors.ts';
import type { Base } from '../base/open-base.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { Asked } from './asked.ts';
import { knowledgeDocuments } from './collection.ts';
import type { DocQuery } from './doc-query.ts';
import { toFilters } from './filters.ts';

const profile = hybridProfiles.docs;

export interface LikenessDeps {
  readonly meaning: Pick<SemanticSearch, 'nearest' | 'vectorOf'>;
  readonly base: () => Promise<Pick<Base, 'vectors'>>;
}

/** Not only guessed. */
const isAsked = ({ weight }: QueryTerm): boolean => weight >= 1;

/** The share of what is asked for that the best hit has. */
function coverageOf({ answer, parsed, how }: Asked): number {
  const best = answer.hits[0];
  if (best === undefined || how === 'substring') return 0;
  let askedCount = 0;
  let thereCount = 0;
  for (let unit = 0; unit < parsed.terms.length; unit += 1) {
    if (!isAsked(parsed.terms[unit]!)) continue;
    askedCount += 1;
    if (best.has(unit)) thereCount += 1;
  }
  return thereCount / Math.max(1, askedCount);
}

/** Whether the words have answered it: what is alike would not be asked for. */
export const isSure = (asked: Asked): boolean => coverageOf(asked) >= profile.coverageEnough;

type Near = Pick<VectorHit, 'id' | 'similarity'>;
type Wanted = Required<SemanticQuery>;

const byLikeness = (a: Near, b: Near): number => b.similarity - a.similarity || (a.id < b.id ? -1 : 1);

/**
 * Fuses in what means the same, of the base and of libraries, where the words leave doubt [KN7]. To embed a question takes
 * far longer than to search: one whose words are all there is not embedded, nor one that may find only what has no vectors.
 */
export function createLikeness({ meaning, base }: LikenessDeps) {
  async function nearInBase({ filters, text, ...wanted }: Wanted, call: Call): Promise<readonly Near[]> {
    const vectors = (await base()).vectors();
    const nearest = vectors?.among(filters);
    if (vectors === undefined || nearest === undefined) return [];
    const vector = await meaning.vectorOf(call, { text, model: vectors.model });
    return vector === undefined ? [] : nearest({ ...wanted, vector });
  }

  /** Not where there is none, nor where there is so much that embedding it would keep the machine busy for hours. */
  async function nearInLibraries(sectionsCount: number, wanted: Wanted, call: Call): Promise<readonly Near[]> {
    if (sectionsCount === 0 || sectionsCount > knowledgeLimits.embeddedSectionsCount) return [];
    return (await meaning.nearest(call, knowledgeDocuments, wanted))?.hits ?? [];
  }

  return async (asked: Asked, query: DocQuery, call: Call): Promise<Asked> => {
    const coverage = coverageOf(asked);
    if (coverage >= profile.coverageEnough || asked.parsed.terms.length === 0) return asked;
    const { query: text, limit } = query;
    const wanted = { text, limit, similarityMin: profile.similarityMin, filters: toFilters(query) };
    // A single word that the base does not have is a slip, a part of a word or a name: its hint says more than a guess.
    // One after the other: the second finds the vector of the question that the first had made.
    const inBase = asked.parsed.terms.filter(isAsked).length > 1 ? await nearInBase(wanted, call) : [];
    const near = [...inBase, ...(await nearInLibraries(asked.answer.ownCount, wanted, call))]
      .sort(byLikeness)
      .slice(0, limit);
    if (near.length === 0) return asked;
    const idsOf = (hits: readonly { readonly id: string }[]) => hits.map(({ id }) => id);
    const rankings = { keyword: idsOf(asked.hits), semantic: idsOf(near), coverage };
    return { ...asked, hits: fuseRankings(rankings, profile) };
  };
}
