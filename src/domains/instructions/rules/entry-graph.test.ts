import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InstructionEntry } from '../entry-model.ts';
import { completeEntry } from './complete-entry.ts';
import { fixtureNow } from './entries.fixture.ts';
import { findCycle, findDependents } from './entry-graph.ts';

const context = { now: fixtureNow, canonicalOff: false };
const make = (id: string, patch: Partial<InstructionEntry>) => completeEntry({ id, body: id, ...patch }, context);
const finder = (...entries: readonly InstructionEntry[]) => {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return (id: string) => byId.get(id);
};

describe('findCycle', () => {
  it('finds a cycle over supersedes, also of one entry', () => {
    const others = finder(make('b', { supersedes: 'c' }), make('c', { supersedes: 'a' }));
    expect(findCycle(make('a', { supersedes: 'b' }), others)).toEqual({
      field: 'supersedes',
      ids: ['a', 'b', 'c', 'a'],
    });
    expect(findCycle(make('a', { supersedes: 'a' }), finder())?.ids).toEqual(['a', 'a']);
  });

  it('finds a cycle over dependencies and terminates in other cycles', () => {
    const others = finder(make('b', { dependencies: ['c'] }), make('c', { dependencies: ['b', 'a'] }));
    expect(findCycle(make('a', { dependencies: ['b'] }), others)?.field).toBe('dependencies');
    const ring = finder(make('b', { dependencies: ['c'] }), make('c', { dependencies: ['b'] }));
    expect(findCycle(make('a', { dependencies: ['b', 'gone'] }), ring)).toBeUndefined();
  });

  it('[IN29] reports only real cycles and none in an acyclic graph', () => {
    const edges = fc.array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(edges, (lists) => {
        const entries = lists.map((list, at) => make(`n${at}`, { dependencies: list.map((to) => `n${to}`) }));
        const find = finder(...entries);
        for (const entry of entries) {
          const cycle = findCycle(entry, find);
          cycle?.ids.slice(1).forEach((id, at) => {
            expect(find(cycle.ids[at] ?? '')?.dependencies).toContain(id);
          });
        }
        const down = lists.map((list, at) =>
          make(`n${at}`, { dependencies: list.filter((to) => to < at).map((to) => `n${to}`) }),
        );
        expect(down.map((entry) => findCycle(entry, finder(...down)))).toEqual(down.map(() => undefined));
      }),
    );
  });

  it('handles a chain of 20,000 entries', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => make(`n${at}`, { dependencies: [`n${at + 1}`] }));
    expect(findCycle(make('n20000', { dependencies: ['n0'] }), finder(...chain))?.ids).toHaveLength(20_002);
  });
});

describe('findDependents', () => {
  it('finds indirect dependents once, without the given entries', () => {
    const entries = [
      make('a', {}),
      make('b', { dependencies: ['a'] }),
      make('c', { dependencies: ['a', 'b'] }),
      make('d', {}),
    ];
    expect(findDependents(entries, ['a'])).toEqual(['b', 'c']);
    expect(findDependents(entries, ['b', 'c'])).toEqual([]);
  });
});
