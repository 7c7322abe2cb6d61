import { BestScores } from '#kernel/search/best-scores.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import { runInSlices } from '../catalog/time-slices.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { isServed } from '../rules/applicability.ts';
import { type TopicWeights, topicsOfRule, topicsOfTask } from '../rules/find-topics.ts';
import { nearTopics } from '../rules/near-topics.ts';
import { createTopicIndex, type TopicIndex } from '../rules/topic-index.ts';

/** Keyed by entry, so that a write reads only what changed. */
const known = new WeakMap<InstructionEntry, TopicWeights>();

function knownTopicsOf(entry: InstructionEntry): TopicWeights {
  let weights = known.get(entry);
  if (weights === undefined) {
    weights = topicsOfRule(entry);
    known.set(entry, weights);
  }
  return weights;
}

interface IndexedRules {
  readonly index: TopicIndex;
  readonly ids: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
}

const indexByState = new WeakMap<CatalogState, IndexedRules>();

/** Once per catalog state. */
async function indexTopics(state: CatalogState, signal: AbortSignal): Promise<IndexedRules> {
  const indexed = indexByState.get(state);
  if (indexed !== undefined) return indexed;
  const ids: string[] = [];
  const weights: TopicWeights[] = [];
  const add = (entry: InstructionEntry) => {
    if (!isServed(entry)) return;
    ids.push(entry.id);
    weights.push(knownTopicsOf(entry));
  };
  await runInSlices(state.entries, add, () => {}, signal);
  const positions = new Map(ids.map((id, at) => [id, at]));
  const created = { index: createTopicIndex(weights), ids, positions };
  indexByState.set(state, created);
  return created;
}

/** A smaller score alone never makes a rule stand out. */
const worthScoring = 0.1;

export interface TopicMatches {
  scoreOf(id: string): number;
  /** The names of the topics that a rule shares with the task, best first. */
  shared(id: string): readonly string[];
  /** The ids of the rules that share most, in no particular order. */
  best(countMax: number): readonly string[];
}

/** How much the rules have to do with the topics of a task. `vector` is that of the task, if the model is that of the topics. */
export async function matchTopics(
  state: CatalogState,
  task: string,
  files: readonly string[],
  vector: Float32Array | undefined,
  signal: AbortSignal,
): Promise<TopicMatches> {
  const { index, ids, positions } = await indexTopics(state, signal);
  const weights = topicsOfTask(task, files, vector === undefined ? undefined : nearTopics(vector));
  const scores = index.scores(weights);
  return {
    scoreOf: (id) => scores[positions.get(id) ?? -1] ?? 0,
    shared: (id) => {
      const at = positions.get(id);
      return at === undefined ? [] : index.shared(weights, at);
    },
    best(countMax) {
      const best = new BestScores(countMax);
      for (let at = 0; at < scores.length; at += 1) if (scores[at]! >= worthScoring) best.offer(scores[at]!, at);
      return best.numbers.map((at) => ids[at]!);
    },
  };
}
