import { describe, expect, it } from 'vitest';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import { topicsOfRule, topicsOfTask } from './find-topics.ts';
import { createTopicIndex } from './topic-index.ts';

const rulesOf = (...titles: readonly string[]) =>
  titles.map((title, i) => topicsOfRule(createEntry({ id: `r${i}`, title, body: 'x' })));

describe('[IN50] rules by topics', () => {
  it('scores rules with a common topic, and names it', () => {
    const index = createTopicIndex(rulesOf('Deployment', 'Money', 'Plants'));
    const task = topicsOfTask('roll out the price change', []);
    const scores = index.scores(task);
    expect([...scores].map((score) => score > 0)).toEqual([true, true, false]);
    expect(index.shared(task, 0)).toEqual(['deployment']);
    expect(index.shared(task, 1)).toEqual(['money']);
    expect(index.shared(task, 2)).toEqual([]);
  });

  it('prefers a topic of few rules', () => {
    const index = createTopicIndex(rulesOf('Caching', ...Array.from({ length: 9 }, () => 'Docker')));
    const scores = index.scores(topicsOfTask('docker caching', []));
    expect(scores[0]).toBeGreaterThan(scores[1]!);
  });

  it('prefers a rule about nothing else', () => {
    const index = createTopicIndex(rulesOf('Pagination', 'Pagination, caching, translation, accessibility'));
    const scores = index.scores(topicsOfTask('paginate the list', []));
    expect(scores[0]).toBeGreaterThan(scores[1]!);
  });

  it('works without rules and without topics', () => {
    expect(createTopicIndex([]).scores(topicsOfTask('deploy', []))).toHaveLength(0);
    expect(createTopicIndex(rulesOf('Plants')).scores(new Map())[0]).toBe(0);
  });
});
