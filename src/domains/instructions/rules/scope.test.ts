import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInScope, isUnscoped, pickScope } from './scope.ts';

type Scoped = Parameters<typeof isInScope>[0] & { readonly name: string };

const entry = (name: string, part: Partial<Scoped> = {}): Scoped => ({ name, audience: 'all', ...part });
const namesIn = (picked: { readonly entries: readonly Scoped[] }) => picked.entries.map(({ name }) => name);

const entries = [
  entry('of-ann', { userId: 'Ann' }),
  entry('of-shop', { workspaceId: 'shop' }),
  entry('of-web', { teamIds: ['web', 'ops'] }),
  entry('for-all'),
  entry('for-a-group', { audience: 'group' }),
];

const id = fc.constantFrom('a', 'b', 'C');
const scoped = fc.record(
  { userId: id, workspaceId: id, teamIds: fc.array(id, { maxLength: 2 }) },
  { requiredKeys: [] },
);

describe('pickScope', () => {
  it.each([
    [{ userId: 'ann', workspaceId: 'shop' }, 'user', ['of-ann']],
    [{ userId: 'unknown', workspaceId: 'shop' }, 'workspace', ['of-shop']],
    [{ workspaceId: 'nowhere', teamIds: ['ops'] }, 'team', ['of-web']],
    [{ teamIds: [] }, 'all', ['for-all']],
    [{}, 'all', ['for-all']],
  ] as const)('picks for %j: %s', (wanted, scope, names) => {
    const picked = pickScope(entries, wanted);
    expect([picked.scope, namesIn(picked)]).toEqual([scope, names]);
  });

  it('falls back to all only when no narrower scope has entries', () => {
    fc.assert(
      fc.property(fc.array(scoped), scoped, (parts, wanted) => {
        const all = parts.map((part, i) => entry(String(i), part));
        const picked = pickScope(all, wanted);
        if (picked.scope === 'all') {
          expect(picked.entries.every(isUnscoped)).toBe(true);
          expect(all.some(({ userId }) => userId !== undefined && userId === wanted.userId)).toBe(false);
        } else expect(picked.entries.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('isInScope', () => {
  it('accepts a rule without scopes for everybody', () => {
    fc.assert(fc.property(scoped, (wanted) => isInScope(entry('x'), wanted)));
  });

  it('requires every scope that the rule names', () => {
    fc.assert(
      fc.property(scoped, (scope) => {
        const rule = entry('x', scope);
        expect(isInScope(rule, scope)).toBe(true);
        expect(isInScope(rule, {})).toBe(isUnscoped(rule));
      }),
    );
  });

  it('does not apply a user rule of one workspace elsewhere', () => {
    const rule = entry('x', { userId: 'ann', workspaceId: 'shop' });
    expect(isInScope(rule, { userId: 'ann', workspaceId: 'blog' })).toBe(false);
    expect(isInScope(rule, { userId: 'ANN', workspaceId: 'Shop' })).toBe(true);
  });
});
