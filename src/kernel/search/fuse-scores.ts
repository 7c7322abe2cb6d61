export interface ScoredId {
  readonly id: string;
  readonly score: number;
}

export interface WordScore extends ScoredId {
  /** `exact`: the query is the id or the title. `inside`: the query only occurs inside other words. */
  readonly kind: 'exact' | 'words' | 'inside';
  /** The share of the query's words that it has, from 0 to 1; a rare word weighs more than a frequent one. */
  readonly coverage: number;
}

/** The items around an item, the nearest first; undefined for one that does not count. */
export interface Surroundings {
  readonly before: readonly (string | undefined)[];
  readonly after: readonly (string | undefined)[];
}

/** What is known about the items of a collection that has an order. */
export interface ItemContext {
  /** Only of the best items: others add little to the scores of their neighbours. */
  readonly around: ReadonlyMap<string, Surroundings>;
  /** Items with the same group belong together, such as the cells of one pad. */
  groupOf(id: string): string;
  /** Whether the query names the item's author. */
  isNamed(id: string): boolean;
}

export interface FusionWeights {
  readonly words: number;
  readonly meaning: number;
  /** Late interaction. */
  readonly late: number;
  /** The words weigh less if the best hits have few of them, down to this share of their weight. */
  readonly wordsMin: number;
  /** A match inside words, relative to a match of words. */
  readonly inside: number;
  /** Cosines of the hits behind this rank say nothing: all texts of a collection are a little similar to a query. */
  readonly similarCount: number;
  /** Shares of an item's score that its neighbours get, the nearest first. */
  readonly neighbours: readonly number[];
  /** For items of the author that the query names. */
  readonly named: number;
  /** For items of the best group; less for those of other groups. */
  readonly group: number;
}

export interface Rankings {
  /** Best first. */
  readonly words: readonly WordScore[];
  /** Best first, with cosines. */
  readonly meaning: readonly ScoredId[];
  /** The cosine that counts as clearly relevant: if nothing reaches it, the semantic ranking weighs less. */
  readonly clearCosine: number;
  /**
   * Scores of the best items by late interaction. One without a score was embedded without its tokens: its similarity
   * is used instead.
   */
  readonly late?: { readonly candidates: readonly string[]; readonly scores: ReadonlyMap<string, number> } | undefined;
  /** Whether meaning could find the item. What is not embedded yet is not ranked below what is; see `imputeMeaning`. */
  isEmbedded(id: string): boolean;
  readonly context?: ItemContext | undefined;
}

type Scores = Map<string, number>;

const noScores: Scores = new Map();

const add = (scores: Scores, id: string, by: number): void => void scores.set(id, (scores.get(id) ?? 0) + by);

const largest = (scores: Iterable<number>): number => {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  return most;
};

/** Hits that show how much of the query the words can find. */
const coveredCount = 5;

/** Measured with the judged conversations: paraphrased questions are answered better, and no others worse. */
const shareOfWords = (hits: readonly WordScore[], least: number): number =>
  Math.max(least, largest(hits.slice(0, coveredCount).map(({ coverage }) => coverage)));

/** Relative to the best, from 0 to 1. */
function normaliseWords(hits: readonly WordScore[], insideWeight: number): Scores {
  const bestOf = (kind: WordScore['kind']) =>
    largest(hits.filter((hit) => hit.kind === kind).map(({ score }) => score));
  const [bestWords, bestInside] = [bestOf('words'), bestOf('inside')];
  return new Map(
    hits.map(({ id, score, kind }) => [
      id,
      kind === 'exact' ? 1 : kind === 'words' ? score / bestWords : (insideWeight * score) / bestInside,
    ]),
  );
}

/** The most similar hit has 1. */
function normaliseMeaning(hits: readonly ScoredId[], clearCosine: number, similarCount: number): Scores {
  const high = Math.max(clearCosine, hits[0]?.score ?? 0);
  // Among a few hits, the least similar one may be similar enough.
  const low = Math.max(0, hits[similarCount - 1]?.score ?? (hits.at(-1)?.score ?? 0) / 2);
  if (high <= low) return new Map(hits.map(({ id }) => [id, 1]));
  return new Map(hits.map(({ id, score }) => [id, Math.max(0, (score - low) / (high - low))]));
}

/**
 * The words of an item without a vector stand in for its unknown similarity; with 0 it would rank below everything that
 * is a little similar. Measured with a part of the judged conversations embedded: never below words alone, and better
 * with the share of the words than with a fixed one.
 */
function imputeMeaning(meaning: Scores, words: Scores, share: number, isEmbedded: Rankings['isEmbedded']): void {
  for (const [id, score] of words) if (!isEmbedded(id)) meaning.set(id, share * score);
}

/**
 * The best candidate has 1. The lower half have 0: like cosines, the scores of all texts of a collection are similar.
 * Measured with the judged conversations, against lower and higher limits.
 */
function normaliseLate({ candidates, scores }: NonNullable<Rankings['late']>, meaning: Scores): Scores {
  const known = candidates.flatMap((id) => scores.get(id) ?? []).sort((a, b) => b - a);
  const [high = 0, low = 0] = [known[0], known[Math.floor(known.length / 2)]];
  return new Map(
    candidates.map((id) => {
      const score = scores.get(id);
      if (score === undefined) return [id, meaning.get(id) ?? 0];
      return [id, high > low ? Math.max(0, (score - low) / (high - low)) : 0];
    }),
  );
}

/** Gives each item a share of the scores of its neighbours: an answer often follows the words of its question. */
function smooth(scores: Scores, { around }: ItemContext, shares: readonly number[]): Scores {
  const smoothed = new Map(scores);
  for (const [id, { before, after }] of around) {
    const score = scores.get(id) ?? 0;
    if (score === 0) continue;
    for (const [i, share] of shares.entries()) {
      for (const neighbour of [before[i], after[i]]) {
        if (neighbour !== undefined) add(smoothed, neighbour, share * score);
      }
    }
  }
  const most = Math.max(1, largest(smoothed.values()));
  for (const [id, score] of smoothed) smoothed.set(id, score / most);
  return smoothed;
}

function addContext(scores: Scores, { groupOf, isNamed }: ItemContext, { named, group }: FusionWeights): void {
  const bestOf: Scores = new Map();
  const groups = new Map<string, string>();
  for (const [id, score] of scores) {
    const own = groupOf(id);
    groups.set(id, own);
    bestOf.set(own, Math.max(bestOf.get(own) ?? 0, score));
  }
  const best = largest(bestOf.values());
  for (const [id, score] of scores) {
    const ofGroup = best === 0 ? 0 : (group * bestOf.get(groups.get(id)!)!) / best;
    scores.set(id, score + ofGroup + (isNamed(id) ? named : 0));
  }
}

/** An exact match ranks above everything else: this is more than all other scores of an item together. */
const exactScore = 3;

/**
 * One ranking from the sum of normalised scores, by score, then by id. Unlike ranks, scores keep how much better one hit
 * is than the next.
 */
export function fuseScores(
  { words, meaning, late, clearCosine, isEmbedded, context }: Rankings,
  weights: FusionWeights,
): readonly ScoredId[] {
  // Alone, the words keep their weight.
  const share = meaning.length === 0 ? 1 : shareOfWords(words, weights.wordsMin);
  const byWords = normaliseWords(words, weights.inside);
  const byMeaning = normaliseMeaning(meaning, clearCosine, weights.similarCount);
  if (meaning.length > 0) imputeMeaning(byMeaning, byWords, share, isEmbedded);
  const lists = [
    { weight: weights.words * share, scores: byWords },
    { weight: weights.meaning, scores: byMeaning },
    { weight: weights.late, scores: late === undefined ? noScores : normaliseLate(late, byMeaning) },
  ];
  const sums: Scores = new Map();
  for (const { weight, scores } of lists) {
    const smoothed = context === undefined ? scores : smooth(scores, context, weights.neighbours);
    for (const [id, score] of smoothed) add(sums, id, weight * score);
  }
  if (context !== undefined) addContext(sums, context, weights);
  const exact = words.filter(({ kind }) => kind === 'exact').toSorted((a, b) => a.score - b.score);
  for (const [i, { id }] of exact.entries()) add(sums, id, exactScore * (i + 1));
  return [...sums].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

export interface RelevantOptions {
  readonly rankings: Pick<Rankings, 'words' | 'isEmbedded'>;
  readonly relevanceMin: number;
  relevanceOf(id: string): number;
}

/** Ends a ranking where relevance ends. A hit by words whose similarity is not known yet stays. */
export function keepRelevant<T extends { readonly id: string }>(
  ranked: readonly T[],
  { rankings: { words, isEmbedded }, relevanceMin, relevanceOf }: RelevantOptions,
): readonly T[] {
  const isWordHit = new Set(words.map(({ id }) => id));
  return ranked.filter(({ id }) => relevanceOf(id) >= relevanceMin || (isWordHit.has(id) && !isEmbedded(id)));
}
