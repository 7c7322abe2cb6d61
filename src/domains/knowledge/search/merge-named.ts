import type { HitKey } from '#kernel/search/keyword/query/search-parts.ts';
import type { SearchOutcome } from './doc-query.ts';

/** What a hit of the other libraries keeps of its score. */
const otherShare = 0.5;
/** The least for the best hit of a named library. With little of what is asked for, the others come soon after it. */
const namedShareMin = 0.6;

/** The first hits, which show how well an answer fits. */
const shownCount = 3;

const relevanceOfBest = ({ hits, relevanceOf }: SearchOutcome): number =>
  Math.max(0, ...hits.slice(0, shownCount).map(({ id }) => relevanceOf(id)));

function scale({ hits }: SearchOutcome, share: number): readonly HitKey[] {
  const best = hits[0]?.score ?? 1;
  return hits.map(({ id, score }) => ({ id, score: (share * score) / best }));
}

/** One ranking of what the named libraries have and of all others: a strong preference, but not a filter. */
export function mergeNamed(general: SearchOutcome, named: readonly SearchOutcome[]): SearchOutcome {
  const known = relevanceOfBest(general);
  const scores = new Map(scale(general, otherShare).map(({ id, score }) => [id, score]));
  for (const outcome of named) {
    const fit = known === 0 ? 1 : Math.min(1, relevanceOfBest(outcome) / known);
    for (const { id, score } of scale(outcome, namedShareMin + (1 - namedShareMin) * fit))
      scores.set(id, Math.max(score, scores.get(id) ?? 0));
  }
  const all = [...named, general];
  const pending = Math.max(...all.map((outcome) => outcome.pending ?? 0));
  return {
    ...general,
    hits: [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)),
    relevanceOf: (id) => Math.max(...all.map((outcome) => outcome.relevanceOf(id))),
    similarityOf(id) {
      const found = all.flatMap((outcome) => outcome.similarityOf?.(id) ?? []);
      return found.length === 0 ? undefined : Math.max(...found);
    },
    ...(pending > 0 && { pending }),
  };
}
