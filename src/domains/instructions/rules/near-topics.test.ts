import { describe, expect, it } from 'vitest';
import { openMiniLm } from '#kernel/embed/minilm/open-minilm.ts';
import { hashTopics, nearTopics } from './near-topics.ts';
import { topicVectors } from './topic-vectors.ts';
import { topics } from './topics.ts';

const embedder = await openMiniLm({ batchCount: 1 });

describe('[IN50] vectors of the topics', () => {
  it('are those of the vocabulary: otherwise run scripts/embed-topics.ts', () => {
    expect(topicVectors.vectors).toHaveLength(topics.length);
    expect(topicVectors.hash).toBe(hashTopics(topics));
  });

  it('negative control: another word or order has another hash', () => {
    const [first, second, ...rest] = topics;
    expect(hashTopics([second!, first!, ...rest])).not.toBe(topicVectors.hash);
    expect(hashTopics([{ ...first!, terms: `${first!.terms} x` }, second!, ...rest])).not.toBe(topicVectors.hash);
  });

  it('have no topic near a vector without direction', () => {
    expect(nearTopics(new Float32Array(384)).size).toBe(0);
  });

  it.skipIf(embedder === undefined)('find topics by meaning, with the bundled model', async () => {
    expect(embedder!.id).toBe(topicVectors.model);
    const { signal } = new AbortController();
    const [vector] = await embedder!.embed(['strangers try one password after another'], { signal, purpose: 'query' });
    await embedder!.close();
    const weights = nearTopics(vector!);
    expect([...weights.keys()].map((topic) => topics[topic]!.name)).toContain('passwords');
    for (const weight of weights.values()) expect(weight).toBeLessThanOrEqual(0.4);
  });
});
