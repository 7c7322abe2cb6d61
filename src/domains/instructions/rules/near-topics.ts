import { sha256Hex } from '#kernel/hash/hash.ts';
import type { TopicWeights } from './find-topics.ts';
import { topicVectors } from './topic-vectors.ts';
import { type Topic, topics } from './topics.ts';

/** The texts of a topic; their vectors are added. */
export const toTopicTexts = ({ name, terms, hints }: Topic): readonly string[] => [
  `${name}: ${terms.split(', ').slice(0, 24).join(', ')}`,
  ...(hints === undefined ? [] : [`${name}: ${hints}`]),
];

/** Changes with every text that has a vector. */
export const hashTopics = (list: readonly Topic[]): string => sha256Hex(JSON.stringify(list.map(toTopicTexts)));

/** Set with tests/fixtures/judged-rules/situations.json. */
const near = {
  weight: 0.4,
  /** In standard deviations above the similarity of an average topic: where it begins to count, and counts fully. */
  from: 1.5,
  full: 3.5,
} as const;

let known: readonly Int8Array[] | undefined;
const vectors = (): readonly Int8Array[] => {
  known ??= topicVectors.vectors.map((text) => new Int8Array(Buffer.from(text, 'base64')));
  return known;
};

/** Cosine, up to a factor that is the same for all topics. */
function similarity(vector: Float32Array, topic: Int8Array): number {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < topic.length; i += 1) {
    const own = topic[i]!;
    sum += vector[i]! * own;
    squares += own * own;
  }
  return sum / Math.sqrt(squares);
}

/** The topics whose meaning is near that of a task. Its vector must be of the model of the topics. */
export function nearTopics(vector: Float32Array): TopicWeights {
  const similarities = vectors().map((topic) => similarity(vector, topic));
  const mean = similarities.reduce((sum, one) => sum + one, 0) / topics.length;
  const variance = similarities.reduce((sum, one) => sum + (one - mean) ** 2, 0) / topics.length;
  const weights = new Map<number, number>();
  similarities.forEach((one, topic) => {
    const distinction = (one - mean) / (Math.sqrt(variance) || 1);
    const part = Math.min(1, (distinction - near.from) / (near.full - near.from));
    if (part > 0) weights.set(topic, near.weight * part);
  });
  return weights;
}
