/** One list of results, best first. */
export interface Ranking {
  readonly ids: readonly string[];
  readonly weight: number;
}

export interface FusedHit {
  readonly id: string;
  readonly score: number;
  /** The place in each ranking, from 1; undefined where it does not occur. */
  readonly ranks: readonly (number | undefined)[];
}

/** How soon the places lose their weight (Cormack, Clarke and Büttcher 2009). */
export const fusionK = 60;

/**
 * Reciprocal-rank fusion: each ranking gives weight / (k + place). Scores of different kinds need not be comparable.
 * By score, then by id. An id that a ranking tells twice counts where it stands first.
 */
export function fuseRankings(rankings: readonly Ranking[], k = fusionK): readonly FusedHit[] {
  const ranks = new Map<string, (number | undefined)[]>();
  rankings.forEach(({ ids }, i) => {
    ids.forEach((id, at) => {
      let places = ranks.get(id);
      if (places === undefined) {
        places = rankings.map(() => undefined);
        ranks.set(id, places);
      }
      places[i] ??= at + 1;
    });
  });
  const score = (places: readonly (number | undefined)[]) =>
    places.reduce<number>((sum, place, i) => (place === undefined ? sum : sum + rankings[i]!.weight / (k + place)), 0);
  return [...ranks]
    .map(([id, places]) => ({ id, score: score(places), ranks: places }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
