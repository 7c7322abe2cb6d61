import { describe, expect, it } from 'vitest';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import { type TopicWeights, topicsOfRule, topicsOfTask } from './find-topics.ts';
import { topics } from './topics.ts';

const named = (weights: TopicWeights, from = 0.5) =>
  [...weights].filter(([, weight]) => weight >= from).map(([topic]) => topics[topic]!.name);
const weightOf = (weights: TopicWeights, name: string) =>
  weights.get(topics.findIndex((topic) => topic.name === name)) ?? 0;

describe('[IN50] the vocabulary', () => {
  it('names each topic once, and concerns by the names of topics', () => {
    const names = topics.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const concerns = topics.flatMap((topic) => topic.concerns?.split(', ') ?? []);
    expect(concerns.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('has no empty and no repeated word in a topic', () => {
    for (const { name, terms, hints = 'x' } of topics) {
      const words = [...terms.split(', '), ...hints.split(', ')];
      expect(
        words.filter((word, i) => word.trim() === '' || words.indexOf(word) !== i),
        name,
      ).toEqual([]);
    }
  });
});

describe('[IN50] topics of a task', () => {
  it('are found in any inflection, but not in derived words', () => {
    expect(named(topicsOfTask('we are deploying', []))).toEqual(['deployment']);
    expect(named(topicsOfTask('list the products', []))).not.toContain('deployment');
    expect(named(topicsOfTask('water the plants', []))).toEqual([]);
  });

  it('are found in phrases with another word in between, and not in parts of a phrase', () => {
    expect(named(topicsOfTask('roll it back', []))).toEqual(['rollback']);
    expect(named(topicsOfTask('roll the dice and come back', []))).toEqual([]);
    const login = topicsOfTask('users cannot log in', []);
    expect(named(login, 0.3)).toContain('authentication');
    expect(weightOf(login, 'logging')).toBe(0);
  });

  it('need several hints if no term occurs', () => {
    expect(named(topicsOfTask('it is stale', []))).toEqual([]);
    expect(named(topicsOfTask('it still shows the old prices until it is refreshed', []))).toContain('caching');
  });

  it('include those of the folders, names and kinds of files', () => {
    expect(named(topicsOfTask('', ['shop/migrations/0007.txt']))).toEqual(['database migrations']);
    expect(named(topicsOfTask('', ['shop/Dockerfile']))).toEqual(['containers']);
    expect(named(topicsOfTask('', ['src/a.test.ts']))).toEqual(expect.arrayContaining(['tests', 'types']));
    expect(named(topicsOfTask('', ['.github/workflows/ci.yml']))).toEqual(['continuous integration']);
    expect(named(topicsOfTask('', ['constructor/__proto__', '', '/']))).toEqual([]);
  });

  it('include concerns, with less weight', () => {
    const weights = topicsOfTask('add an endpoint', []);
    expect(weightOf(weights, 'input validation')).toBeGreaterThan(0);
    expect(weightOf(weights, 'input validation')).toBeLessThan(weightOf(weights, 'API endpoints'));
  });
});

describe('[IN50] topics of a rule', () => {
  it('come from its title more than from its body', () => {
    const weights = topicsOfRule(createEntry({ id: 'a1', title: 'Pagination', body: 'Never deploy without it.' }));
    expect(named(weights)).toEqual(['pagination']);
    expect(weightOf(weights, 'deployment')).toBeGreaterThan(0);
  });

  it('come from the places that it is for', () => {
    const appliesTo = { files: ['**/*.sql'], all: [{ folders: ['mobile'] }] };
    const weights = topicsOfRule(createEntry({ id: 'a1', title: 'A', body: 'B', appliesTo }));
    expect(weightOf(weights, 'database queries')).toBeGreaterThan(0);
    expect(weightOf(weights, 'mobile apps')).toBeGreaterThan(0);
  });
});
