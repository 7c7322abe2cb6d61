import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import type { AppliesTo } from '../entry-model.ts';
import { compareRules, type TaskContext, toApplicableRule, toMatchContext } from './applicability.ts';

const reasons = (appliesTo: AppliesTo, situation: TaskContext): readonly string[] =>
  toApplicableRule(createEntry({ id: 'rule', appliesTo }))?.matchReasons(toMatchContext(situation)) ?? ['never stands'];

describe('a rule with conditions', () => {
  it.each<[AppliesTo, TaskContext, readonly string[]]>([
    [{ tasks: ['review'] }, { task: 'Reviewing the pull request' }, ['task: review']],
    [{ tasks: ['code review'] }, { task: 'a review of code' }, []],
    [{ tasks: ['code-review'] }, { task: 'do the code review' }, ['task: code-review']],
    [{ tasks: ['*'] }, { task: 'anything' }, ['task: any']],
    [{ tasks: ['*'] }, {}, []],
    [{ files: ['src/**/*.ts'] }, { files: ['a.md', './src/x/a.ts'] }, ['file: src/x/a.ts fits src/**/*.ts']],
    [{ files: ['*.ts'] }, { files: ['src/x/a.ts'] }, ['file: src/x/a.ts fits *.ts']],
    [{ files: ['src/*.ts'] }, { files: ['/home/ann/shop/src/a.ts'] }, ['file: /home/ann/shop/src/a.ts fits src/*.ts']],
    [{ files: ['src/*.ts'] }, { files: ['C:\\shop\\src\\a.ts'] }, ['file: C:/shop/src/a.ts fits src/*.ts']],
    [{ files: ['src/*.ts'] }, { files: ['lib/src/a.ts'] }, []],
    [{ tools: ['usage/track'] }, { tools: ['usage_track'] }, ['tool: usage/track']],
    [{ tools: ['scratch_*'] }, { tools: ['scratch_delete'] }, ['tool: scratch_*']],
    [{ entityTypes: ['Invoice'] }, { entityTypes: ['invoice'] }, ['entity type: Invoice']],
    [{ languages: ['{type,java}script'] }, { languages: ['TypeScript'] }, ['language: {type,java}script']],
    [{ languages: ['go'], tasks: ['deploy'] }, { languages: ['go'], task: 'deploy' }, ['task: deploy', 'language: go']],
    [{ languages: ['go'] }, {}, []],
  ])('%j in %j: %j', (appliesTo, situation, expected) => {
    expect(reasons(appliesTo, situation)).toEqual(expected);
  });

  it('applies for more reasons in a situation that says more, never for fewer', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'src/a.ts', '*', 'x*'), { maxLength: 3 });
    const lists = fc.record({ files: list, tools: list, languages: list, entityTypes: list });
    fc.assert(
      fc.property(lists, lists, list, (appliesTo, situation, more) => {
        const before = reasons(appliesTo, situation);
        const after = reasons(appliesTo, { ...situation, tools: [...situation.tools, ...more] });
        expect(after).toEqual(expect.arrayContaining([...before]));
      }),
    );
  });
});

describe('what stands by itself', () => {
  const stands = (part: Parameters<typeof createEntry>[0]) =>
    toApplicableRule(createEntry(part))?.matchReasons(toMatchContext({}));

  it('is what binds and names no situation', () => {
    expect(stands({ id: 'a', requirement: 'mandatory' })).toEqual(['mandatory: applies always']);
    expect(stands({ id: 'a', requirement: 'critical', appliesTo: {} })).toEqual(['critical: applies always']);
  });

  it('[IN35] is no advice, no draft and nothing deprecated', () => {
    expect(stands({ id: 'a', requirement: 'recommended' })).toBeUndefined();
    expect(stands({ id: 'a', requirement: 'mandatory', status: 'draft' })).toBeUndefined();
    expect(stands({ id: 'a', requirement: 'deprecated', deprecatedBy: 'b', status: 'approved' })).toBeUndefined();
  });
});

it('rules are in one order: what binds, then what is more important, then by id', () => {
  const rules = [
    createEntry({ id: 'c', requirement: 'optional', priority: 1 }),
    createEntry({ id: 'b', requirement: 'critical', priority: 9 }),
    createEntry({ id: 'a', requirement: 'mandatory', priority: 9 }),
    createEntry({ id: 'd', requirement: 'mandatory', priority: 5 }),
  ];
  expect(rules.sort(compareRules).map(({ id }) => id)).toEqual(['d', 'a', 'b', 'c']);
});
