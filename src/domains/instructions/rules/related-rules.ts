/** How well the text of a rule matches a task. */
export interface TextMatch {
  readonly id: string;
  /** Cosine; undefined without an embedder, or as long as the rule is not embedded. */
  readonly similarity: number | undefined;
  /** Of the keyword index; 0 if no word matches. */
  readonly wordScore: number;
}

export interface ScoredMatch extends TextMatch {
  readonly score: number;
  /** Standard deviations by which the similarity exceeds that of an average rule. */
  readonly distinction: number | undefined;
}

/**
 * Chosen by cross-validation on tests/fixtures/judged-rules. Scores are in standard deviations, so that they do not
 * depend on the catalog or the model.
 */
const weights = {
  /** What a doubled word score adds is about this. */
  words: 1.25,
  /** Counts as the distinction of a rule without a similarity: then its words must match better. */
  unknownDistinction: 1.8,
  scoreMin: 3,
  /** How far a rule may score below the best one. */
  gapMax: 0.8,
} as const;

/** The similarities of unrelated texts under the shipped model. They count as this many rules, for small catalogs. */
const usual = { mean: 0.05, deviation: 0.09, count: 10 } as const;

function distinctionOf(similarities: readonly number[]): (similarity: number) => number {
  const count = similarities.length + usual.count;
  const sum = similarities.reduce((total, similarity) => total + similarity, usual.count * usual.mean);
  const mean = sum / count;
  const squares = similarities.reduce(
    (total, similarity) => total + (similarity - mean) ** 2,
    usual.count * (usual.deviation ** 2 + (usual.mean - mean) ** 2),
  );
  const deviation = Math.sqrt(squares / count);
  return (similarity) => (similarity - mean) / deviation;
}

/** Best first. `rulesCount` is the size of the catalog: rare words weigh more in a large one. */
export function scoreMatches(matches: readonly TextMatch[], rulesCount: number): readonly ScoredMatch[] {
  const toDistinction = distinctionOf(matches.flatMap(({ similarity }) => similarity ?? []));
  const wordScale = Math.log(1 + Math.max(1, rulesCount));
  return matches
    .map((match) => {
      const distinction = match.similarity === undefined ? undefined : toDistinction(match.similarity);
      const words = weights.words * Math.log1p(match.wordScore / wordScale);
      return { ...match, distinction, score: (distinction ?? weights.unknownDistinction) + words };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** How many of these, best first, stand out enough to be shown. */
export function countRelated(scored: readonly ScoredMatch[], countMax: number): number {
  const least = Math.max(weights.scoreMin, (scored[0]?.score ?? 0) - weights.gapMax);
  const end = scored.findIndex(({ score }) => score < least);
  return Math.min(end === -1 ? scored.length : end, countMax);
}
