import type { TopicWeights } from './find-topics.ts';
import { topics } from './topics.ts';

export interface TopicIndex {
  /** From 0 to about 1, by the position of the rule; 0 without a common topic. */
  scores(task: TopicWeights): Float64Array;
  /** The names of the topics that matter most to this score, best first. */
  shared(task: TopicWeights, rule: number): readonly string[];
}

/** A smaller part of a score is not worth mentioning. */
const mentionedFrom = 0.1;

/** Rules by their topics. A topic of many rules counts less, because it does not distinguish them. */
export function createTopicIndex(rules: readonly TopicWeights[]): TopicIndex {
  const frequencies = new Float64Array(topics.length);
  for (const weights of rules) for (const [topic, weight] of weights) frequencies[topic]! += weight;
  const scale = Math.log(1 + rules.length);
  const rarities = frequencies.map((count) => Math.log(1 + rules.length / (1 + count)) / scale);
  // Plain numbers in two lists: a call goes through thousands of them.
  const rulesOf = topics.map(() => ({ positions: [] as number[], weights: [] as number[] }));
  rules.forEach((weights, rule) => {
    for (const [topic, weight] of weights) {
      rulesOf[topic]!.positions.push(rule);
      rulesOf[topic]!.weights.push(weight * rarities[topic]!);
    }
  });
  const lengthOf = (weights: TopicWeights): number => {
    let squares = 0;
    for (const [topic, weight] of weights) squares += (weight * rarities[topic]!) ** 2;
    return Math.sqrt(squares);
  };
  const lengths = rules.map(lengthOf);
  // Between the product, which prefers strong topics, and the cosine, which prefers rules about nothing else.
  const divisorOf = (rule: number, taskLength: number): number => Math.sqrt(lengths[rule]! * taskLength) || 1;
  return {
    scores(task) {
      const sums = new Float64Array(rules.length);
      for (const [topic, weight] of task) {
        const own = weight * rarities[topic]!;
        const { positions, weights } = rulesOf[topic]!;
        for (let i = 0; i < positions.length; i += 1) sums[positions[i]!]! += own * weights[i]!;
      }
      const taskLength = lengthOf(task);
      return sums.map((sum, rule) => (sum === 0 ? 0 : sum / divisorOf(rule, taskLength)));
    },
    shared(task, rule) {
      const divisor = divisorOf(rule, lengthOf(task));
      const partOf = (topic: number) =>
        ((task.get(topic) ?? 0) * rules[rule]!.get(topic)! * rarities[topic]! ** 2) / divisor;
      return [...rules[rule]!.keys()]
        .map((topic) => [topics[topic]!.name, partOf(topic)] as const)
        .filter(([, part]) => part >= mentionedFrom)
        .sort((a, b) => b[1] - a[1])
        .map(([name]) => name);
    },
  };
}
