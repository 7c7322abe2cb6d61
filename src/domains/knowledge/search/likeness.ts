import type { Call } from '#kernel/call.ts';
import { fuseRankings } from '#kernel/search/fusion.ts';
import type { Meaning } from '#kernel/search/meaning/meaning.ts';
import { knowledgeDocuments } from './collection.ts';
import type { Asked } from './create-doc-search.ts';
import type { DocQuery } from './doc-query.ts';
import { toFilters } from './filters.ts';
import type { LibrarySections } from './library-sections.ts';
import { docSearchLimits } from './search-limits.ts';

/** With less of the query in the best hit, its words leave doubt. */
const coverageMin = 0.5;
/** Below this, what is alike is so by chance. */
const likenessMin = 0.3;
/** A word that is there counts for more than a likeness; as everywhere. */
const likenessWeight = 0.5;
const wordsWeightMin = 0.1;

export interface LikenessDeps {
  readonly meaning: Pick<Meaning, 'nearest'>;
  readonly libraries: Pick<LibrarySections, 'sectionsCount'>;
}

/** The share of the words asked for that the best hit has. */
function coverageOf({ hits, answer, parsed, how }: Asked): number {
  const best = answer.hits[0];
  if (best === undefined || hits.length === 0 || how === 'substring') return 0;
  const asked = new Set(parsed.units.filter(({ weight }) => weight >= 1).map(({ text }) => text));
  return best.why.terms.filter(({ term }) => asked.has(term)).length / Math.max(1, asked.size);
}

/**
 * Fuses in what means the same, of libraries, where the words leave doubt [KN7]. To embed a question takes far longer than
 * to search: one whose words are all there is not embedded, nor one of a tenant who has no library, or so large ones that
 * embedding them would keep the machine busy for hours.
 */
export function createLikeness({ meaning, libraries }: LikenessDeps) {
  return async (asked: Asked, query: DocQuery, call: Call): Promise<Asked> => {
    const coverage = coverageOf(asked);
    if (coverage >= coverageMin || asked.parsed.units.length === 0) return asked;
    const sectionsCount = await libraries.sectionsCount(call);
    if (sectionsCount === 0 || sectionsCount > docSearchLimits.embeddedSectionsCount) return asked;
    const near = await meaning.nearest(call, knowledgeDocuments, {
      text: query.query,
      limit: query.limit,
      similarityMin: likenessMin,
      filters: toFilters(query),
    });
    if (near === undefined || near.hits.length === 0) return asked;
    const hits = fuseRankings([
      { ids: asked.hits.map(({ id }) => id), weight: Math.max(wordsWeightMin, coverage) },
      { ids: near.hits.map(({ id }) => id), weight: likenessWeight },
    ]);
    return { ...asked, hits };
  };
}
