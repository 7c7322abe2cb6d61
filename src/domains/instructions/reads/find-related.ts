import type { Call } from '#kernel/call.ts';
import type { SearchHit } from '#kernel/search/answer-search.ts';
import { type ParsedQuery, parseQuery } from '#kernel/search/keyword/query/parse-query.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import { createStemmer } from '#kernel/search/stemmer.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { TaskContext } from '../rules/applicability.ts';
import { countRelated, isConnected, type ScoredMatch, scoreMatches, textScoreOf } from '../rules/related-rules.ts';
import { topicVectors } from '../rules/topic-vectors.ts';
import { matchTopics, type TopicMatches } from './match-topics.ts';
import type { ReadsDeps } from './reads-deps.ts';

const stemOf = createStemmer();

/** One object, because the index caches what passes. */
const served = [
  { key: 'status', any: ['approved'] },
  { key: 'requirement', none: ['deprecated'] },
] as const;

const toQuery = (task: string): ParsedQuery =>
  // In a task, quotation marks and stars are text, not operators.
  parseQuery(task.replaceAll(/["“”„*]/g, ' '), { match: 'any', lastWordIsPrefix: false }, stemOf);

/** Below this, the similarity is not worth mentioning. */
const distinctionMin = 2;

function reasonOf(
  { id, distinction }: Pick<ScoredMatch, 'id' | 'distinction'>,
  hit: SearchHit | undefined,
  { terms }: ParsedQuery,
  topics: TopicMatches,
): string {
  const words = terms.filter((_, at) => hit?.has(at) === true).map(({ text }) => text);
  const about = topics.shared(id).slice(0, instructionLimits.reasonTopicsCount);
  return [
    ...(about.length === 0 ? [] : [`about ${about.join(', ')}`]),
    ...(distinction !== undefined && distinction >= distinctionMin ? ['similar meaning'] : []),
    ...(words.length === 0 ? [] : [`words: ${words.slice(0, instructionLimits.reasonWordsCount).join(', ')}`]),
  ].join('; ');
}

export interface RelatedRule {
  readonly entry: InstructionEntry;
  readonly reason: string;
}

/** How a rule fits the task. */
export interface TextFit {
  /** By words and topics. */
  readonly score: number;
  /** Undefined if words, topics and meaning hardly connect the two. */
  readonly reason: string | undefined;
}

export interface RelatedRules {
  readonly rules: readonly RelatedRule[];
  /** Also of rules that apply by their conditions; those without anything in common are left out. */
  readonly fits: ReadonlyMap<string, TextFit>;
  /** The ids of the next ones, which do not stand out. */
  readonly others: readonly string[];
}

interface Candidate extends ScoredMatch {
  readonly entry: InstructionEntry;
}

/** Stops when there are enough, because checking the conditions of a rule costs more than its score. */
function takeCandidates(
  scored: readonly ScoredMatch[],
  state: CatalogState,
  isCandidate: (entry: InstructionEntry) => boolean,
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const match of scored) {
    const entry = state.find(match.id)?.entry;
    if (entry !== undefined && isCandidate(entry)) candidates.push({ ...match, entry });
    if (candidates.length === instructionLimits.relatedRulesCount + instructionLimits.otherRulesCount) break;
  }
  return candidates;
}

/**
 * Rules that fit the task by topics, words and meaning, best first. Without meaning if no embedder is set, and for
 * rules that are not embedded yet.
 */
export async function findRelated(
  { catalog, embeddings }: Pick<ReadsDeps, 'catalog' | 'embeddings'>,
  call: Call,
  state: CatalogState,
  { task = '', files = [] }: TaskContext,
  isCandidate: (entry: InstructionEntry) => boolean,
): Promise<RelatedRules> {
  const parsed = toQuery(task);
  const limit = instructionLimits.semanticHitsCount;
  // With the unrelated rules, which show how much similarity is usual.
  const near = await embeddings?.nearestNow(call, task, limit);
  const { hits, ownCount } = await catalog.search(call, {
    text: task,
    parsed,
    limit,
    filters: served,
    substring: false,
    commonDocsMin: searchLimits.commonDocsCount,
  });
  const vector =
    near?.embedder === topicVectors.model ? await embeddings?.vectorOf(call, task, near.embedder) : undefined;
  const topics = await matchTopics(state, task, files, vector, call.signal);
  const byId = new Map(hits.map((hit) => [hit.id, hit]));
  const similarities = new Map(near?.hits.map(({ id, similarity }) => [id, similarity]));
  // Farther than all of these, not unknown.
  const farthest = similarities.size < limit ? undefined : near?.hits.at(-1)?.similarity;
  const matches = [...new Set([...similarities.keys(), ...byId.keys(), ...topics.best(limit)])].map((id) => ({
    id,
    similarity: similarities.get(id) ?? farthest,
    wordScore: byId.get(id)?.score ?? 0,
    topicScore: topics.scoreOf(id),
  }));
  const scale = { rulesCount: ownCount, isCalibrated: near?.scale.isCalibrated === true };
  const scored = scoreMatches(matches, scale);
  const candidates = takeCandidates(scored, state, isCandidate);
  const count = countRelated(candidates, instructionLimits.relatedRulesCount);
  const fits = new Map<string, TextFit>();
  for (const match of scored) {
    const score = textScoreOf(match, ownCount);
    // A connection that cannot be named is too weak to be mentioned.
    const reason = isConnected(match, score) ? reasonOf(match, byId.get(match.id), parsed, topics) : '';
    if (score > 0 || reason !== '') fits.set(match.id, { score, reason: reason === '' ? undefined : reason });
  }
  return {
    fits,
    rules: candidates
      .slice(0, count)
      .map((match) => ({ entry: match.entry, reason: reasonOf(match, byId.get(match.id), parsed, topics) })),
    others: candidates.slice(count, count + instructionLimits.otherRulesCount).map(({ id }) => id),
  };
}
