import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isScopeToken, normaliseCategories } from './categories.ts';

describe('normaliseCategories', () => {
  it('is lower case, unique, sorted and idempotent', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12 })), (list) => {
        const { categories } = normaliseCategories(list);
        expect(categories).toEqual([...new Set(categories)].sort());
        expect(normaliseCategories(categories)).toEqual({ categories, scopes: {} });
        expect(normaliseCategories(list.toReversed()).categories).toEqual(categories);
      }),
    );
    expect(normaliseCategories([' Git', 'git', 'API', '']).categories).toEqual(['api', 'git']);
  });

  it('puts the primary category first if the entry has it', () => {
    const list = ['Team', 'api', 'testing'];
    expect(normaliseCategories(list, ' Testing').categories).toEqual(['testing', 'api', 'team']);
    expect(normaliseCategories(['testing', 'api', 'team'], 'testing').categories).toEqual(['testing', 'api', 'team']);
    expect(normaliseCategories(list, 'git').categories).toEqual(['api', 'team', 'testing']);
    expect(normaliseCategories(list, '').categories).toEqual(['api', 'team', 'testing']);
  });

  it('turns scope tokens of older formats into fields and keeps their case', () => {
    const list = ['x', 'scope:workspace:Main', 'Scope:User:Ann', 'scope:team:T1', 'scope:team:T2', 'scope:user:Bob'];
    expect(normaliseCategories(list)).toEqual({
      categories: ['x'],
      scopes: { workspaceId: 'Main', userId: 'Ann', teamIds: ['T1', 'T2'] },
    });
    expect(list.filter(isScopeToken)).toHaveLength(5);
    expect(normaliseCategories(['scope:other', 'scope:user:']).categories).toEqual(['scope:other', 'scope:user:']);
  });
});
