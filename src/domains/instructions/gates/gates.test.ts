import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEntry, createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import { noActivity } from '../rules/entries.fixture.ts';
import { openQuality } from '../usage/quality.fixture.ts';
import { gateOps, gatesFileName, type WhereFilter } from './gate-file.ts';
import { compare, toMatcher } from './gates.ts';

const entries = [
  createEntry({ id: 'alpha', priority: 10, requirement: 'mandatory', owner: 'ada', categories: ['security', 'api'] }),
  createEntry({ id: 'beta', priority: 50, requirement: 'recommended', owner: 'bob', categories: ['style'] }),
  createEntry({ id: 'gamma', priority: 90, requirement: 'optional', status: 'draft', classification: 'public' }),
];

function openWith(gates: unknown) {
  const catalog = createMemoryCatalog();
  catalog.put(...entries);
  const text = typeof gates === 'string' ? gates : JSON.stringify({ gates });
  return openQuality({ catalog, files: { [gatesFileName]: text } });
}

const gate = { id: 'g', type: 'count', op: '>=', value: 1, severity: 'error' };

test('[IN37] answers in the documented form', async () => {
  const { ask } = openWith([
    { ...gate, id: 'min-alpha', where: { category: 'API' }, description: 'At least one rule for the API' },
    { ...gate, id: 'few-drafts', where: { status: 'draft' }, op: '<', value: 1, severity: 'warn' },
    { ...gate, id: 'many', op: '>', value: 3 },
  ]);
  expect(await ask('gates/evaluate')).toEqual({
    generatedAt: '2026-01-01T00:00:00.000Z',
    results: [
      {
        id: 'min-alpha',
        passed: true,
        count: 1,
        op: '>=',
        value: 1,
        severity: 'error',
        description: 'At least one rule for the API',
      },
      { id: 'few-drafts', passed: false, count: 1, op: '<', value: 1, severity: 'warn' },
      { id: 'many', passed: false, count: 3, op: '>', value: 3, severity: 'error' },
    ],
    summary: { errors: 1, warnings: 1, total: 3 },
  });
});

test('reports a missing gates file as not configured', async () => {
  const { ask } = openQuality();
  expect(await ask('gates/evaluate')).toEqual({
    generatedAt: '2026-01-01T00:00:00.000Z',
    results: [],
    summary: { errors: 0, warnings: 0, total: 0 },
    notConfigured: true,
  });
});

test('accepts an empty list of gates', async () => {
  expect(await openWith([]).ask('gates/evaluate')).not.toHaveProperty('notConfigured');
});

const filters: readonly [WhereFilter, readonly string[]][] = [
  [{}, ['alpha', 'beta', 'gamma']],
  [{ requirement: 'mandatory' }, ['alpha']],
  [{ requirement: ['mandatory', 'optional'] }, ['alpha', 'gamma']],
  [{ priorityGt: 10 }, ['beta', 'gamma']],
  [{ priorityLt: 50 }, ['alpha']],
  [{ priorityGt: 10, priorityLt: 90 }, ['beta']],
  [{ category: 'Security' }, ['alpha']],
  [{ category: ['style', 'api'] }, ['alpha', 'beta']],
  [{ status: 'approved' }, ['alpha', 'beta']],
  [{ tier: 'P1' }, ['alpha']],
  [{ owner: 'ada' }, ['alpha']],
  [{ owner: 'unowned' }, ['gamma']],
  [{ classification: 'public' }, ['gamma']],
  [{ status: 'approved', owner: 'bob' }, ['beta']],
  [{ all: [{ status: 'approved' }, { priorityLt: 20 }] }, ['alpha']],
  [{ any: [{ owner: 'bob' }, { status: 'draft' }] }, ['beta', 'gamma']],
  [{ not: { category: 'security' } }, ['beta', 'gamma']],
  [{ not: { any: [{ owner: 'ada' }, { owner: 'bob' }] } }, ['gamma']],
  [{ status: 'approved', not: { owner: 'ada' } }, ['beta']],
];

test.each(filters)('the filter %j selects %j', (where, ids) => {
  expect(entries.filter(toMatcher(where, noActivity)).map(({ id }) => id)).toEqual(ids);
});

test('accepts every filter of the table in a file', async () => {
  const gates = filters.map(([where, { length: value }], i) => ({ ...gate, id: `g${i}`, where, op: '==', value }));
  const { summary } = await openWith(gates).ask('gates/evaluate');
  expect(summary).toEqual({ errors: 0, warnings: 0, total: filters.length });
});

test('operators and their opposites never agree', () => {
  const opposites = { '>=': '<', '>': '<=', '<=': '>', '<': '>=', '==': '!=', '!=': '==' } as const;
  fc.assert(
    fc.property(fc.nat(20), fc.integer({ min: -1, max: 20 }), fc.constantFrom(...gateOps), (count, value, op) => {
      expect(compare(count, op, value)).toBe(!compare(count, opposites[op], value));
    }),
  );
});

describe('gate expressions', () => {
  const holds = { op: '>=', value: 1 };
  const fails = { op: '>', value: 99 };
  test.each([
    [{ all: [holds, holds] }, { passed: true, count: 2, op: 'all', value: 2 }],
    [{ all: [holds, fails] }, { passed: false, count: 1, op: 'all', value: 2 }],
    [{ any: [fails, holds] }, { passed: true, count: 1, op: 'any', value: 2 }],
    [{ any: [fails, fails] }, { passed: false, count: 0, op: 'any', value: 2 }],
    [{ not: fails }, { passed: true, count: 0, op: 'not', value: 1 }],
    [{ not: holds }, { passed: false, count: 1, op: 'not', value: 1 }],
    [{ all: [{ any: [fails, { not: fails }] }, { all: [holds] }] }, { passed: true, count: 2, op: 'all', value: 2 }],
    [
      { type: 'expression', any: [{ ...holds, where: { owner: 'ada' } }] },
      { passed: true, count: 1, op: 'any', value: 1 },
    ],
  ])('evaluates %j', async (expression, result) => {
    const { results } = await openWith([{ id: 'e', severity: 'warn', ...expression }]).ask('gates/evaluate');
    expect(results).toEqual([{ id: 'e', severity: 'warn', ...result }]);
  });
});

test.each([
  ['invalid JSON', '{"gates":', 'is not valid JSON'],
  ['no list', '{"gates":{}}', '/gates'],
  ['a list at the top level', '[]', 'expected object'],
  ['too many levels', `{"gates":${'['.repeat(50)}${']'.repeat(50)}}`, 'nests deeper'],
  ['too many bytes', `{"gates":[]}${' '.repeat(1024 * 1024)}`, 'bytes'],
  ['a gate without id', [{ ...gate, id: undefined }], 'gate number 1'],
  ['an unknown operator', [{ ...gate, op: '=' }], 'gate g: /op'],
  ['a value that is not a number', [{ ...gate, value: '1' }], 'gate g: /value'],
  ['an unknown severity', [{ ...gate, severity: 'info' }], 'gate g: /severity'],
  ['an unknown type', [{ ...gate, type: 'ratio' }], 'gate g: /type'],
  ['an unknown filter', [{ ...gate, where: { author: 'x' } }], 'gate g: /where'],
  ['an unknown status', [{ ...gate, where: { status: 'done' } }], 'gate g: /where/status'],
  ['an unknown signal', [{ ...gate, where: { signal: 'bad' } }], 'gate g: /where/signal'],
  ['a signal that is not text', [{ ...gate, where: { not: { signal: 7 } } }], 'gate g: /where/not/signal'],
  [
    'signalMin without signal',
    [{ ...gate, where: { any: [{ signalMin: 2 }] } }],
    'gate g: /where/any/0/signalMin needs',
  ],
  ['too many signals', [{ ...gate, where: { signal: 'outdated', signalMin: 21 } }], 'gate g: /where/signalMin'],
  ['no days', [{ ...gate, where: { unusedDays: 0 } }], 'gate g: /where/unusedDays'],
  ['days that are not a number', [{ ...gate, where: { unusedDays: '30' } }], 'gate g: /where/unusedDays'],
  [
    'a review that is not true or false',
    [{ ...gate, where: { reviewOverdue: 'yes' } }],
    'gate g: /where/reviewOverdue',
  ],
  [
    'a deeply nested error',
    [{ id: 'g', severity: 'error', all: [{ not: { op: '>=', value: 'x' } }] }],
    '/all/0/not/value',
  ],
  ['an empty expression', [{ id: 'g', severity: 'error', any: [] }], 'gate g: /any'],
  ['a gate and an expression in one', [{ ...gate, type: undefined, all: [{ op: '>', value: 1 }] }], 'gate g'],
  ['a duplicate id', [gate, gate], 'gate g: duplicate id'],
])('[IN37] rejects a file with %s and says where', async (_what, gates, why) => {
  const answer = await openWith(gates).ask('gates/evaluate');
  expect(answer).toMatchObject({ fault: 'VALIDATION_ERROR', rpc: -32002, details: { file: gatesFileName } });
  expect(answer['message']).toContain(gatesFileName);
  expect(answer['message']).toContain(why);
});

test('reports all invalid gates of a file together', async () => {
  const answer = await openWith([
    { ...gate, op: '=' },
    { ...gate, id: 'fine' },
    { ...gate, id: 'h', value: null },
  ]).ask('gates/evaluate');
  const { problems } = answer['details'] as { problems: string[] };
  expect(problems).toEqual([expect.stringContaining('gate g'), expect.stringContaining('gate h')]);
});

test('takes no arguments', async () => {
  expect(await openWith([]).ask('gates/evaluate', { strict: true })).toMatchObject({ fault: 'INVALID_PARAMS' });
});
