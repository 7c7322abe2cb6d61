import { contextLimits } from '#domains/context/context-limits.ts';

interface Ranked {
  readonly relevance?: number | undefined;
  /** Of the ranking; only compared with the others of one answer. */
  readonly score?: number | undefined;
}

const { relevanceRatio, wordsOfBestRatio, wordsRelevanceRatio, scoreRatio, likeBestRatio } = contextLimits;
const { behindRelevanceRatio, behindOfBestRatio, behindAnswerRatio } = contextLimits;

/** What a hit needs that follows the best one: a relevance, and shares of the relevance and of the score of the best. */
interface NeedBehind {
  readonly relevance: number;
  readonly ofBest: number;
  readonly score: number;
}

const ofTask: NeedBehind = { relevance: behindRelevanceRatio, ofBest: behindOfBestRatio, score: scoreRatio };
const ofQuestion: NeedBehind = { relevance: behindAnswerRatio, ofBest: 0, score: 0 };

const endsLikeQuestion = /[?？؟]["'”’)\]]*\s*$/u;
/** Without a question mark inside, as in `which lock? Fix it`. */
const beginsLikeQuestion =
  /^\s*(?:what|which|who|whom|whose|when|where|why|how|was|wer|wen|wem|wessen|wann|wo|warum|wieso|wie|welche[mnrs]?)(?=\s)[^?？]*$/iu;

/**
 * A question wants what is known, so more is worth reading; a task wants only what changes how it is done. Agents often
 * leave out the question mark.
 */
export const isQuestion = (task: string): boolean => endsLikeQuestion.test(task) || beginsLikeQuestion.test(task);

export interface ClearOptions<T> {
  /** Found by words alone: without the help of meaning a question shares few words with its answer. */
  readonly isByWords: (hit: T) => boolean;
  /** Those that others are compared with. */
  readonly compared?: readonly T[];
  /** They answer a question. */
  readonly isAnswer?: boolean;
}

const relevanceOf = ({ relevance = 1 }: Ranked): number => relevance;
const scoreOf = ({ score = 1 }: Ranked): number => score;

/**
 * Those that are clearly about the task. The relevance of the best one says whether there is anything at all. What
 * follows must have nearly its score: relevance alone hardly separates the second best from the tenth.
 */
export function chooseClear<T extends Ranked>(
  hits: readonly T[],
  { isByWords, compared = hits, isAnswer = false }: ClearOptions<T>,
): readonly T[] {
  const behind = isAnswer ? ofQuestion : ofTask;
  const best = compared.reduce<T | undefined>(
    (a, b) => (a === undefined || scoreOf(b) > scoreOf(a) ? b : a),
    undefined,
  );
  const scoreMin = (best === undefined ? 0 : scoreOf(best)) * behind.score;
  const mostRelevant = Math.max(0, ...compared.map(relevanceOf));
  const leastByWords = Math.min(relevanceRatio, Math.max(wordsRelevanceRatio, mostRelevant * wordsOfBestRatio));
  // A share of words does not compare with a similarity.
  const similarBest = best === undefined || isByWords(best) ? undefined : relevanceOf(best);
  const leastBehind = Math.max(
    Math.min(relevanceRatio, behind.relevance),
    // The relevances of a model without a scale may all be low.
    Math.min(behind.relevance, (similarBest ?? 1) * likeBestRatio),
    (similarBest ?? 0) * behind.ofBest,
  );
  const leastOf = (hit: T): number => {
    if (isByWords(hit)) return leastByWords;
    return hit === best ? relevanceRatio : leastBehind;
  };
  return hits.filter((hit) => scoreOf(hit) >= scoreMin && relevanceOf(hit) >= leastOf(hit));
}
