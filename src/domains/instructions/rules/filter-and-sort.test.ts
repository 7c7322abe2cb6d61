import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import { type InstructionEntry, requirements } from '../entry-model.ts';
import type { RuleActivity } from './activity-filter.ts';
import {
  filterEntries,
  type QueryFilters,
  type Sort,
  sortDirections,
  sortEntries,
  sortFields,
  sortKeyOf,
} from './filter-and-sort.ts';

const entries = [
  createEntry({ id: 'a', categories: ['Git', 'style'], priority: 10, owner: 'Ann', createdAt: '2025-01-01T00:00:00Z' }),
  createEntry({
    id: 'b',
    categories: ['git'],
    priority: 30,
    requirement: 'mandatory',
    userId: 'u',
    teamIds: ['t1', 't2'],
  }),
  createEntry({ id: 'c', body: 'Use TABS', priority: 90, status: 'draft', classification: 'public', workspaceId: 'w' }),
  createEntry({ id: 'd', title: 'About tabs', createdAt: '2025-06-01T00:00:00+02:00' }),
];

const activity: RuleActivity = {
  now: Date.parse('2026-03-10T00:00:00Z'),
  lastActiveAt: (id) => (id === 'a' ? Date.parse('2026-03-01T00:00:00Z') : undefined),
  openSignalsCount: ({ id }, signal) => (id === 'b' && signal === 'outdated' ? 2 : id === 'c' ? 1 : 0),
};

describe('filterEntries', () => {
  it.each<[QueryFilters, string]>([
    [{}, 'abcd'],
    [{ categories: ['STYLE', 'none'] }, 'a'],
    [{ categoriesAny: ['git'] }, 'ab'],
    [{ categoriesAll: ['git', 'Style'] }, 'a'],
    [{ excludeCategories: ['git'] }, 'cd'],
    [{ priorityMin: 30, priorityMax: 60 }, 'bd'],
    [{ priorityTiers: ['P1'] }, 'ab'],
    [{ requirements: ['mandatory'] }, 'b'],
    [{ status: ['draft'] }, 'c'],
    [{ owners: ['ann'] }, 'a'],
    [{ classification: ['public'] }, 'c'],
    [{ workspaceId: 'w' }, 'c'],
    [{ userId: 'u' }, 'b'],
    [{ teamIds: ['t2', 't3'] }, 'b'],
    [{ createdAfter: '2025-05-31' }, 'bcd'],
    [{ createdAfter: '2025-05-31T22:00:00Z' }, 'bc'],
    [{ updatedAfter: '2030-01-01' }, ''],
    [{ text: 'tabs' }, 'cd'],
    [{ text: 'tabs', status: ['approved'] }, 'd'],
    [{ categories: [] }, ''],
    [{ reviewOverdue: true }, 'abd'],
    [{ reviewOverdue: false }, 'c'],
    [{ unusedDays: 30 }, 'bcd'],
    [{ unusedDays: 9 }, 'bcd'],
    [{ unusedDays: 8 }, 'abcd'],
    [{ unusedDays: 100 }, 'd'],
    [{ signal: ['outdated'] }, 'bc'],
    [{ signal: ['outdated'], signalMin: 2 }, 'b'],
    [{ signal: ['helpful', 'not-relevant'], signalMin: 2 }, 'c'],
    [{ signal: ['outdated'], unusedDays: 30, status: ['approved'] }, 'b'],
  ])('%j selects %s', (filters, ids) => {
    expect(
      filterEntries(entries, filters, activity)
        .map(({ id }) => id)
        .join(''),
    ).toBe(ids);
  });

  it('never selects more than each of its conditions', () => {
    const filters = fc.record(
      {
        priorityMin: fc.integer({ min: 1, max: 100 }),
        priorityMax: fc.integer({ min: 1, max: 100 }),
        requirements: fc.subarray([...requirements]),
        text: fc.constantFrom('a', 'tabs', 'zz'),
        categoriesAny: fc.subarray(['git', 'style']),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(filters, filters, (one, other) => {
        const select = (from: readonly InstructionEntry[], given: QueryFilters) => filterEntries(from, given, activity);
        const both = select(select(entries, one), other);
        const shared = Object.keys(one).filter((key) => key in other);
        if (shared.length === 0) expect(select(entries, { ...one, ...other })).toEqual(both);
        for (const entry of both) expect(select(entries, one)).toContain(entry);
      }),
    );
  });
});

describe('pages by sort key', () => {
  const entry = fc
    .record({
      id: fc.stringMatching(/^[a-z]{1,3}$/),
      title: fc.constantFrom('one', 'Two', 'three'),
      priority: fc.integer({ min: 1, max: 3 }),
      createdAt: fc.constantFrom('2025-01-01T00:00:00Z', '2025-01-01T02:00:00+02:00', '2025-01-01T01:00:00Z'),
    })
    .map(createEntry);
  const catalog = fc
    .uniqueArray(entry, { selector: ({ id }) => id, maxLength: 12 })
    .map((list) => list.sort((a, b) => (a.id < b.id ? -1 : 1)));
  const sort = fc.option(
    fc.record<Sort>({ field: fc.constantFrom(...sortFields), direction: fc.constantFrom(...sortDirections) }),
    { nil: undefined },
  );

  it('contain every entry once, in order', () => {
    fc.assert(
      fc.property(catalog, sort, fc.integer({ min: 1, max: 4 }), (list, by, size) => {
        const whole = sortEntries(list, by);
        const seen: typeof list = [];
        for (let left = whole; left.length > 0; ) {
          const page = left.slice(0, size);
          seen.push(...page);
          left = sortEntries(list, by, sortKeyOf(page.at(-1)!, by));
        }
        expect(seen).toEqual(whole);
        expect(new Set(seen).size).toBe(list.length);
      }),
    );
  });

  it('reversed, differ only among equal values, which stay sorted by id', () => {
    const list = [
      createEntry({ id: 'a', priority: 2 }),
      createEntry({ id: 'b', priority: 1 }),
      createEntry({ id: 'c', priority: 2 }),
    ];
    const ids = (direction: Sort['direction']) =>
      sortEntries(list, { field: 'priority', direction }).map(({ id }) => id);
    expect([ids('asc'), ids('desc')]).toEqual([
      ['b', 'a', 'c'],
      ['a', 'c', 'b'],
    ]);
  });
});
