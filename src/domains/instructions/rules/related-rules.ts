/** How well the text of a rule matches a task. */
export interface TextMatch {
  readonly id: string;
  /** Cosine; undefined without an embedder, or as long as the rule is not embedded. */
  readonly similarity: number | undefined;
  /** Of the keyword index; 0 if no word matches. */
  readonly wordScore: number;
  /** Of the topics that it shares with the task; 0 if there are none. */
  readonly topicScore: number;
}

export interface ScoredMatch extends TextMatch {
  readonly score: number;
  /** Standard deviations by which the similarity exceeds that of an average rule. */
  readonly distinction: number | undefined;
}

/**
 * Set with tests/fixtures/judged-rules/situations.json. Scores are in standard deviations, so that they do not depend on
 * the catalog or the model.
 */
const weights = {
  /** Of the logarithm of the word score. */
  words: 1,
  topics: 6,
  /** Counts as the distinction of a rule without a similarity: then its words must match better. */
  unknownDistinction: 1.8,
  scoreMin: 4.2,
  /** How far a rule may score below the best one. */
  gapMax: 2,
  /** Of words and topics alone, for a rule that applies anyway: one rare word, or one topic. */
  textMin: 1.4,
  /** The same with meaning. Set with the judged tasks of even numbers. */
  nearMin: 3.5,
} as const;

/** The similarities of unrelated texts under the shipped model count as this many rules, for small catalogs. */
const usual = { mean: 0.05, deviation: 0.09, count: 40 } as const;

/** With fewer similarities of a model whose scale is unknown, none of them says anything. */
const similaritiesMin = 20;

type ToDistinction = (similarity: number) => number | undefined;

function distinctionOf(similarities: readonly number[], isCalibrated: boolean): ToDistinction {
  if (!isCalibrated && similarities.length < similaritiesMin) return () => undefined;
  const usualCount = isCalibrated ? usual.count : 0;
  const count = similarities.length + usualCount;
  const sum = similarities.reduce((total, similarity) => total + similarity, usualCount * usual.mean);
  const mean = sum / count;
  const squares = similarities.reduce(
    (total, similarity) => total + (similarity - mean) ** 2,
    usualCount * (usual.deviation ** 2 + (usual.mean - mean) ** 2),
  );
  const deviation = Math.sqrt(squares / count);
  return (similarity) => (deviation === 0 ? 0 : (similarity - mean) / deviation);
}

export interface Scale {
  /** The size of the catalog: rare words weigh more in a large one. */
  readonly rulesCount: number;
  /** Whether the similarities are those of the shipped model. */
  readonly isCalibrated: boolean;
}

/** By words and topics alone: stays the same as long as the catalog does. */
export const textScoreOf = ({ wordScore, topicScore }: TextMatch, rulesCount: number): number =>
  weights.words * Math.log1p(wordScore / Math.log(1 + Math.max(1, rulesCount))) + weights.topics * topicScore;

/** Whether words and topics connect a rule with the task, or meaning together with them. */
export const isConnected = ({ score, distinction }: ScoredMatch, textScore: number): boolean =>
  textScore >= weights.textMin || (distinction !== undefined && score >= weights.nearMin);

/** Best first. */
export function scoreMatches(
  matches: readonly TextMatch[],
  { rulesCount, isCalibrated }: Scale,
): readonly ScoredMatch[] {
  const similarities = matches.flatMap(({ similarity }) => similarity ?? []);
  const toDistinction = distinctionOf(similarities, isCalibrated);
  return matches
    .map((match) => {
      const distinction = match.similarity === undefined ? undefined : toDistinction(match.similarity);
      return {
        ...match,
        distinction,
        score: (distinction ?? weights.unknownDistinction) + textScoreOf(match, rulesCount),
      };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** How many of these, best first, stand out enough to be shown. */
export function countRelated(scored: readonly ScoredMatch[], countMax: number): number {
  const least = Math.max(weights.scoreMin, (scored[0]?.score ?? 0) - weights.gapMax);
  const end = scored.findIndex(({ score }) => score < least);
  return Math.min(end === -1 ? scored.length : end, countMax);
}
