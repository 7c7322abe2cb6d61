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

/** By the number of the item. */
type Scores = Float64Array;

/** The items of all rankings, numbered, so that their scores are plain arrays. */
function createNumbers() {
  const ids: string[] = [];
  const numbers = new Map<string, number>();
  function numberOf(id: string): number {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    numbers.set(id, ids.length);
    return ids.push(id) - 1;
  }
  return { ids, numberOf };
}

type NumberOf = ReturnType<typeof createNumbers>['numberOf'];

function largest(scores: Iterable<number>): number {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  return most;
}

/** Hits that show how much of the query the words can find. */
const coveredCount = 5;

/** Measured with the judged conversations: paraphrased questions are answered better, and no others worse. */
const shareOfWords = (hits: readonly WordScore[], least: number): number =>
  Math.max(least, largest(hits.slice(0, coveredCount).map(({ coverage }) => coverage)));

/** Writes the scores of the words, relative to the best, from 0 to 1. */
function normaliseWords(scores: Scores, hits: readonly WordScore[], insideWeight: number, numberOf: NumberOf): void {
  const best = { exact: 0, words: 0, inside: 0 };
  for (const { kind, score } of hits) best[kind] = Math.max(best[kind], score);
  for (const { id, kind, score } of hits) {
    const weight = kind === 'inside' ? insideWeight : 1;
    scores[numberOf(id)] = kind === 'exact' ? 1 : (weight * score) / best[kind];
  }
}

interface MeaningScale extends Pick<FusionWeights, 'similarCount'> {
  readonly clearCosine: number;
}

/** Writes the scores of the similar items, of which the best has 1. */
function normaliseMeaning(scores: Scores, hits: readonly ScoredId[], scale: MeaningScale, numberOf: NumberOf): void {
  const high = Math.max(scale.clearCosine, hits[0]?.score ?? 0);
  // Among a few hits, the least similar one may be similar enough.
  const low = Math.max(0, hits[scale.similarCount - 1]?.score ?? (hits.at(-1)?.score ?? 0) / 2);
  for (const { id, score } of hits) scores[numberOf(id)] = high <= low ? 1 : Math.max(0, (score - low) / (high - low));
}

/**
 * The best candidate has 1. The lower half have 0: like cosines, the scores of all texts of a collection are similar.
 * Measured with the judged conversations, against lower and higher limits.
 */
function normaliseLate(
  scores: Scores,
  { candidates, scores: given }: NonNullable<Rankings['late']>,
  meaning: Scores,
  numberOf: NumberOf,
): void {
  const known = candidates.flatMap((id) => given.get(id) ?? []).sort((a, b) => b - a);
  const [high = 0, low = 0] = [known[0], known[Math.floor(known.length / 2)]];
  for (const id of candidates) {
    const number = numberOf(id);
    const score = given.get(id);
    if (score === undefined) scores[number] = meaning[number]!;
    else scores[number] = high > low ? Math.max(0, (score - low) / (high - low)) : 0;
  }
}

/** An item gives this share of its score to another one. */
interface Gift {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

function listGifts({ around }: ItemContext, shares: readonly number[], numberOf: NumberOf): readonly Gift[] {
  const gifts: Gift[] = [];
  for (const [id, { before, after }] of around) {
    const from = numberOf(id);
    for (const [i, share] of shares.entries()) {
      for (const neighbour of [before[i], after[i]])
        if (neighbour !== undefined) gifts.push({ from, to: numberOf(neighbour), share });
    }
  }
  return gifts;
}

/** Gives each item a share of the scores of its neighbours: an answer often follows the words of its question. */
function smooth(scores: Scores, gifts: readonly Gift[]): Scores {
  const smoothed = scores.slice();
  for (const { from, to, share } of gifts) smoothed[to]! += share * scores[from]!;
  const most = Math.max(1, largest(smoothed));
  return smoothed.map((score) => score / most);
}

function addContext(ranked: ScoredId[], { groupOf, isNamed }: ItemContext, { named, group }: FusionWeights): void {
  const bestOf = new Map<string, number>();
  const groups = ranked.map(({ id }) => groupOf(id));
  for (const [i, { score }] of ranked.entries()) bestOf.set(groups[i]!, Math.max(bestOf.get(groups[i]!) ?? 0, score));
  const best = largest(bestOf.values());
  for (const [i, { id, score }] of ranked.entries()) {
    const ofGroup = best === 0 ? 0 : (group * bestOf.get(groups[i]!)!) / best;
    ranked[i] = { id, score: score + ofGroup + (isNamed(id) ? named : 0) };
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
  const { ids, numberOf } = createNumbers();
  for (const { id } of [...words, ...meaning]) numberOf(id);
  for (const id of late?.candidates ?? []) numberOf(id);
  const hitsCount = ids.length;
  const gifts = context === undefined ? [] : listGifts(context, weights.neighbours, numberOf);

  const [byWords, byMeaning, byTokens] = [0, 0, 0].map(() => new Float64Array(ids.length)) as [Scores, Scores, Scores];
  // Alone, the words keep their weight.
  const share = meaning.length === 0 ? 1 : shareOfWords(words, weights.wordsMin);
  normaliseWords(byWords, words, weights.inside, numberOf);
  normaliseMeaning(byMeaning, meaning, { clearCosine, similarCount: weights.similarCount }, numberOf);
  // The words of an item without a vector stand in for its unknown similarity; with 0 it would rank below everything
  // that is a little similar. Measured with a part of the judged conversations embedded: never below words alone, and
  // better with the share of the words than with a fixed one.
  if (meaning.length > 0)
    for (const { id } of words) if (!isEmbedded(id)) byMeaning[numberOf(id)] = share * byWords[numberOf(id)]!;
  if (late !== undefined) normaliseLate(byTokens, late, byMeaning, numberOf);

  const sums = new Float64Array(ids.length);
  for (const [scores, weight] of [
    [byWords, weights.words * share],
    [byMeaning, weights.meaning],
    [byTokens, weights.late],
  ] as const) {
    const smoothed = context === undefined ? scores : smooth(scores, gifts);
    for (let i = 0; i < sums.length; i += 1) sums[i]! += weight * smoothed[i]!;
  }
  // A neighbour is a hit only if it has a score.
  const ranked = ids
    .map((id, i): ScoredId => ({ id, score: sums[i]! }))
    .filter(({ score }, i) => i < hitsCount || score > 0);
  if (context !== undefined) addContext(ranked, context, weights);
  const exact = words.filter(({ kind }) => kind === 'exact').toSorted((a, b) => a.score - b.score);
  const isExact = new Map(exact.map(({ id }, i) => [id, exactScore * (i + 1)]));
  if (exact.length > 0)
    for (const [i, { id, score }] of ranked.entries()) ranked[i] = { id, score: score + (isExact.get(id) ?? 0) };
  return ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
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
