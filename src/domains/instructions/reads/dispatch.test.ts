import { describe, expect, it } from 'vitest';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { openReads } from './reads.fixture.ts';

const a = createEntry({ id: 'a' });
const open = { mutation: true, readOnly: false };
const shut = { mutation: false, readOnly: false };

describe('instructions/dispatch', () => {
  it.each([
    ['list', {}],
    ['get', { id: 'a' }],
    ['getEnhanced', { id: 'a' }],
    ['listScoped', {}],
    ['search', { q: 'body' }],
    ['categories', {}],
    ['dir', {}],
    ['diff', { clientHash: 'x' }],
    ['export', {}],
    ['capabilities', {}],
    ['inspect', { scope: 'catalog' }],
    ['batch', { operations: [{ action: 'get', id: 'a' }] }],
  ])('runs the action %s like the tool of that name', async (action, args) => {
    const { ask } = openReads([a]);
    expect(await ask('dispatch', { action, ...args })).toEqual(await ask(action, args));
  });

  it('accepts the listed name of an action', async () => {
    expect(await openReads([a]).ask('dispatch', { action: 'get_enhanced', id: 'a' })).toMatchObject({ item: a });
  });

  it.each([{}, { action: '' }, { action: '  ' }])('answers missing_action for %j', async (args) => {
    const { error } = await openReads([]).ask('dispatch', args);
    expect(error).toMatchObject({ code: -32602, data: { reason: 'missing_action', name: 'INVALID_PARAMS' } });
    expect(error?.data['suggestion']).toBeTypeOf('string');
  });

  it.each(['nope', 'dispatch', '__proto__', 'usage/track', '../list'])(
    'rejects the unknown action %s',
    async (action) => {
      const { error } = await openReads([]).ask('dispatch', { action });
      expect(error).toMatchObject({ code: -32601, data: { action, reason: 'unknown_action' } });
    },
  );

  it('lets the called tool validate the arguments', async () => {
    const { error } = await openReads([]).ask('dispatch', { action: 'get', id: 5 });
    expect(error).toMatchObject({ code: -32602, data: { method: 'instructions/get' } });
    expect((await openReads([]).ask('dispatch', { action: 'get', id: 'a', more: 1 })).error?.code).toBe(-32602);
  });

  it('counts the called tool in the metrics, too', async () => {
    const { ask, meter } = openReads([a]);
    await ask('dispatch', { action: 'get', id: 'a' });
    expect(meter.snapshot().map(({ method, count }) => [method, count])).toEqual([
      ['instructions/dispatch', 1],
      ['instructions/get', 1],
    ]);
  });

  it('respects the gate of the called tool', async () => {
    const add = { action: 'add', entry: {} };
    expect((await openReads([], { permits: shut }).ask('dispatch', add)).error?.code).toBe(-32000);
    expect(await openReads([], { permits: open }).ask('dispatch', add)).toEqual({ created: true });
    expect(await openReads([a], { permits: shut }).ask('dispatch', { action: 'get', id: 'a' })).toMatchObject({
      item: a,
    });
  });

  it('omits the items of the governance hash by default, unlike the tool', async () => {
    const { ask } = openReads([a]);
    expect(await ask('governanceHash')).toHaveProperty('items');
    expect(await ask('dispatch', { action: 'governanceHash' })).not.toHaveProperty('items');
    expect(await ask('dispatch', { action: 'governanceHash', includeItems: true })).toHaveProperty('items');
  });
});

describe('instructions/batch', () => {
  it('[IN23] returns a result or an error per action, in order, and continues after a failure', async () => {
    const { ask } = openReads([a], { permits: shut });
    const { results } = await ask('batch', {
      operations: [
        { action: 'get', id: 'a' },
        { action: 'add', entry: {} },
        { action: 'nope' },
        {},
        { action: 'get' },
        { action: 'batch', operations: [] },
        { action: 'get', id: 'gone' },
      ],
    });
    expect(results).toMatchObject([
      { item: a },
      { error: { code: -32000, data: { name: 'MUTATION_DISABLED' } } },
      { error: { code: -32601, data: { action: 'nope' } } },
      { error: { code: -32602, data: { reason: 'missing_action' } } },
      { error: { code: -32602, data: { method: 'instructions/get' } } },
      { error: { code: -32602 } },
      { notFound: true, id: 'gone' },
    ]);
  });

  it('gives every write its own key, the same for each repetition', async () => {
    const { ask } = openReads([]);
    const operations = [
      { action: 'add', entry: {} },
      { action: 'add', entry: {} },
    ];
    const expected = {
      results: [
        { created: true, key: 'k/0' },
        { created: true, key: 'k/1' },
      ],
    };
    const part = { idempotencyKey: 'k' };
    expect(await ask('batch', { operations }, part)).toEqual(expected);
    expect(await ask('dispatch', { action: 'batch', operations }, part)).toEqual(expected);
  });

  it('accepts the documented number of operations and no more', async () => {
    const { ask } = openReads([]);
    const of = (count: number) => ({ operations: Array.from({ length: count }, () => ({ action: 'nope' })) });
    expect((await ask('batch', of(instructionLimits.batchOperationsCount)))['results']).toHaveLength(100);
    expect((await ask('batch', of(instructionLimits.batchOperationsCount + 1))).error?.code).toBe(-32001);
    expect((await ask('dispatch', { action: 'batch', ...of(101) })).error?.code).toBe(-32001);
    expect(await ask('batch', of(0))).toEqual({ results: [] });
  });

  it('drops a read that no longer fits, but never the answer of a write', async () => {
    const big = Array.from({ length: 80 }, (_, i) => createEntry({ id: `e${i}`, body: 'x'.repeat(49_000) }));
    const { ask } = openReads(big);
    const answer = await ask('batch', {
      operations: [{ action: 'list' }, { action: 'list' }, { action: 'list' }, { action: 'add', entry: {} }],
    });
    expect(answer['results']).toMatchObject([
      { count: 80 },
      { count: 80 },
      { error: { code: -32001, data: { name: 'ANSWER_TOO_LARGE' } } },
      { created: true },
    ]);
  });
});
