import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import type { AppliesTo } from '../entry-model.ts';
import { compareRules, type TaskContext, toApplicableRule, toMatchContext } from './applicability.ts';

const reasons = (appliesTo: AppliesTo, context: TaskContext): readonly string[] =>
  toApplicableRule(createEntry({ id: 'rule', appliesTo }))?.matchReasons(toMatchContext(context)) ?? ['never applies'];

describe('rule conditions', () => {
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
    [{ languages: ['ts'] }, { files: ['src/App.tsx'] }, ['language: ts']],
    [{ languages: ['typescript'] }, { languages: ['.tsx'] }, ['language: typescript']],
    [{ languages: ['.tsx'] }, { languages: ['TypeScript'] }, ['language: .tsx']],
    [{ languages: ['python'] }, { files: ['src/App.tsx'] }, []],
    [{ languages: ['docker'] }, { files: ['deploy/Dockerfile'] }, ['language: docker']],
    [{ languages: ['c'] }, { languages: ['c++', 'c#'] }, []],
    [{ folders: ['packages/api'] }, { files: ['packages/api/src/a.ts'] }, ['folder: packages/api']],
    [{ folders: ['./packages/api/'] }, { files: ['/home/ann/packages/api/a.ts'] }, ['folder: ./packages/api/']],
    [{ folders: ['packages/api'] }, { files: ['packages/api-client/a.ts', 'other/packages/api/a.ts'] }, []],
    [{ folders: ['packages/*'] }, { files: ['packages/web/a.ts'] }, ['folder: packages/*']],
    [{ folders: ['.'] }, { files: ['a.ts'] }, ['folder: .']],
    [{ always: true, languages: ['go'] }, {}, ['always']],
    [{ always: false, languages: ['go'] }, {}, []],
    [{ all: [{ tasks: ['review'] }, { languages: ['go'] }] }, { task: 'review', files: ['a.rs'] }, []],
    [
      { all: [{ tasks: ['review'] }, { languages: ['go'], files: ['*.go'] }] },
      { task: 'review', files: ['a.go'] },
      ['task: review', 'file: a.go fits *.go or language: go'],
    ],
    [{ all: [{ tasks: ['review'] }, {}] }, { task: 'review' }, []],
    [{ tools: ['grep'], all: [{ tasks: ['review'] }] }, { tools: ['grep'] }, ['tool: grep']],
  ])('[IN58] %j in %j: %j', (appliesTo, context, expected) => {
    expect(reasons(appliesTo, context)).toEqual(expected);
  });

  it('never loses a reason when the task context says more', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'src/a.ts', '*', 'x*'), { maxLength: 3 });
    const lists = fc.record({ files: list, tools: list, languages: list, entityTypes: list });
    fc.assert(
      fc.property(lists, lists, list, (appliesTo, context, more) => {
        const before = reasons(appliesTo, context);
        const after = reasons(appliesTo, { ...context, tools: [...context.tools, ...more] });
        expect(after).toEqual(expect.arrayContaining([...before]));
      }),
    );
  });
});

describe('rules without conditions', () => {
  const reasonsFor = (part: Parameters<typeof createEntry>[0]) =>
    toApplicableRule(createEntry(part))?.matchReasons(toMatchContext({}));

  it('apply always when they are binding', () => {
    expect(reasonsFor({ id: 'a', requirement: 'mandatory' })).toEqual(['mandatory: applies always']);
    expect(reasonsFor({ id: 'a', requirement: 'critical', appliesTo: {} })).toEqual(['critical: applies always']);
  });

  it('apply to the workspace they belong to', () => {
    expect(reasonsFor({ id: 'a', requirement: 'optional', workspaceId: 'shop' })).toEqual(['workspace: shop']);
    expect(reasonsFor({ id: 'a', workspaceId: 'shop', appliesTo: { tasks: ['deploy'] } })).toEqual([]);
  });

  it('[IN35] never apply when they are advice, drafts or deprecated', () => {
    expect(reasonsFor({ id: 'a', requirement: 'recommended' })).toBeUndefined();
    expect(reasonsFor({ id: 'a', requirement: 'mandatory', status: 'draft' })).toBeUndefined();
    expect(reasonsFor({ id: 'a', requirement: 'deprecated', deprecatedBy: 'b', status: 'approved' })).toBeUndefined();
  });
});

it('sorts binding rules first, then by priority, then those with conditions, then by id', () => {
  const always = { appliesTo: { always: true } };
  const rules = [
    createEntry({ id: 'e', requirement: 'optional', priority: 2, ...always }),
    createEntry({ id: 'c', requirement: 'optional', priority: 1, ...always }),
    createEntry({ id: 'f', requirement: 'optional', priority: 2, appliesTo: { files: ['src/**'] } }),
    createEntry({ id: 'b', requirement: 'critical', priority: 9 }),
    createEntry({ id: 'a', requirement: 'mandatory', priority: 9 }),
    createEntry({ id: 'd', requirement: 'mandatory', priority: 5 }),
  ].map((entry) => toApplicableRule(entry)!);
  expect(rules.sort(compareRules).map(({ entry }) => entry.id)).toEqual(['d', 'a', 'b', 'c', 'f', 'e']);
});
