import { expect, test } from 'vitest';
import type { Call } from '#kernel/call.ts';
import { sql } from '#kernel/storage/sql.ts';
import { createEntry, createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { describeOnEngines } from './engines.fixture.ts';
import { openQuality } from './quality.fixture.ts';

const startedAt = '2026-01-01T00:00:00.000Z';
const context = { timestamp: startedAt };
const metrics = { success: true };

describeOnEngines('usage', (engine) => {
  const readRow = (call: Call, id: string) =>
    engine.storage().read(call, (db) => db.get(sql`select * from usage where tenant = ${db.tenant} and id = ${id}`));

  test('counts and dates the first use', async () => {
    const { ask, clock } = engine.open();
    const now = new Date(clock.now()).toISOString();
    const first = { id: 'alpha', usageCount: 1, firstSeenTs: now, lastUsedAt: now };
    expect(await ask('usage/track', { id: 'alpha' })).toEqual(first);
    clock.advance(1_500);
    const later = new Date(clock.now()).toISOString();
    const second = { id: 'alpha', usageCount: 2, firstSeenTs: now, lastUsedAt: later };
    expect(await ask('usage/track', { id: 'alpha', action: 'cited', signal: 'helpful', comment: 'x' })).toEqual(second);
  });

  test('answers the form with instructionId in its own shape and counts both forms together', async () => {
    const { ask } = engine.open();
    await ask('usage/track', { id: 'alpha' });
    const input = { instructionId: 'alpha', context: { ...context, sessionId: 's-1', userId: 'u', workspaceId: 'w' } };
    const answer = await ask('usage/track', {
      ...input,
      metrics: { success: false, executionTime: 1.5, errorCode: 'E1' },
    });
    expect(answer).toEqual({ tracked: true, sessionId: 's-1', aggregatedCount: 2 });
    const made = await ask('usage/track', { instructionId: 'alpha', context, metrics });
    expect(made).toEqual({ tracked: true, sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/), aggregatedCount: 3 });
  });

  test('stores action, signal, comment and metrics with the count', async () => {
    const { ask, usage, callOf } = engine.open();
    await ask('usage/track', { id: 'alpha', action: 'applied', signal: 'outdated', comment: 'old' });
    await ask('usage/track', { id: 'alpha', signal: 'helpful' });
    await ask('usage/track', { instructionId: 'alpha', context, metrics: { success: true, executionTime: 2.5 } });
    await ask('usage/track', { instructionId: 'alpha', context, metrics: { success: false, errorCode: 'E9' } });
    const row = await readRow(callOf('test'), 'alpha');
    expect(row).toMatchObject({
      usage_count: 4,
      last_action: 'applied',
      last_signal: 'helpful',
      last_comment: 'old',
      helpful_count: 1,
      not_relevant_count: 0,
      outdated_count: 1,
      applied_count: 0,
      success_count: 1,
      failure_count: 1,
      execution_ms: 2.5,
      last_error_code: 'E9',
    });
    const counts = await usage.countsOf(callOf('test'), ['beta', 'alpha', 'gamma']);
    expect([...counts]).toEqual([['alpha', expect.objectContaining({ usageCount: 4 })]]);
  });

  test('answers notFound for unknown instructions, whatever their id', async () => {
    const { ask, catalog } = engine.open();
    for (const id of ['gamma', '../escape', 'ALPHA', 'a'.repeat(instructionLimits.usageIdChars)]) {
      expect(await ask('usage/track', { id })).toEqual({ notFound: true });
    }
    expect(catalog.calls.filter((name) => name.startsWith('lookUp'))).toEqual(['lookUp gamma']);
    expect(
      await ask('usage/track', { instructionId: 'gamma', context: { ...context, sessionId: 's' }, metrics }),
    ).toEqual({
      tracked: false,
      sessionId: 's',
      aggregatedCount: 0,
      notFound: true,
    });
  });

  test('counts an instruction whose file was just added', async () => {
    const { ask, catalog } = engine.open();
    catalog.drop(createEntry({ id: 'late' }));
    expect(await ask('usage/track', { id: 'late' })).toMatchObject({ id: 'late', usageCount: 1 });
  });

  test('[IN40] counts ten uses per second and instruction and answers the next with rateLimited', async () => {
    const { ask, clock } = engine.open();
    clock.advance(1_000 - (clock.now() % 1_000));
    for (let i = 1; i <= 10; i += 1) expect(await ask('usage/track', { id: 'alpha' })).toMatchObject({ usageCount: i });
    expect(await ask('usage/track', { id: 'alpha' })).toMatchObject({ id: 'alpha', usageCount: 10, rateLimited: true });
    const longer = { instructionId: 'alpha', context: { ...context, sessionId: 's' }, metrics };
    const refused = { tracked: false, sessionId: 's', aggregatedCount: 10, rateLimited: true };
    expect(await ask('usage/track', longer)).toEqual(refused);
    expect(await ask('usage/track', { id: 'beta' })).toMatchObject({ usageCount: 1 });
    clock.advance(999);
    expect(await ask('usage/track', { id: 'alpha' })).toMatchObject({ rateLimited: true });
    clock.advance(1);
    const next = await ask('usage/track', { id: 'alpha' });
    expect(next).toMatchObject({ usageCount: 11 });
    expect(next).not.toHaveProperty('rateLimited');
  });

  test('counts every use without the rate limit', async () => {
    const { ask } = engine.open({ isLimited: false });
    for (let i = 1; i <= 12; i += 1) expect(await ask('usage/track', { id: 'alpha' })).toMatchObject({ usageCount: i });
  });

  test('answers events in order and counts one use per instruction', async () => {
    const { ask, callOf } = engine.open();
    const events = [
      { id: 'beta' },
      { id: 'unknown' },
      { id: 'alpha', signal: 'helpful' },
      { instructionId: 'alpha', context: { ...context, sessionId: 's' }, metrics },
    ];
    const { results } = await ask('usage/track', { events });
    expect(results).toEqual([
      expect.objectContaining({ id: 'beta', usageCount: 1 }),
      { notFound: true },
      expect.objectContaining({ id: 'alpha', usageCount: 1 }),
      { tracked: true, sessionId: 's', aggregatedCount: 1 },
    ]);
    const row = await readRow(callOf('test'), 'alpha');
    expect(row).toMatchObject({ usage_count: 1, success_count: 1, helpful_count: 1 });
  });

  test('counts every event without the clamp', async () => {
    const { ask } = engine.open({ isClamped: false });
    const { results } = await ask('usage/track', { events: Array.from({ length: 12 }, () => ({ id: 'alpha' })) });
    const counts = (results as { usageCount: number; rateLimited?: true }[]).map((one) => one.usageCount);
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]);
    expect((results as { rateLimited?: true }[]).filter((one) => one.rateLimited)).toHaveLength(2);
  });

  test('accepts a hundred events per call', async () => {
    const ids = Array.from({ length: instructionLimits.eventsCount }, (_, i) => `entry-${i}`);
    const { ask } = engine.open({ catalog: createMemoryCatalog(...ids.map((id) => createEntry({ id }))) });
    const { results } = await ask('usage/track', { events: ids.map((id) => ({ id })) });
    expect((results as { id: string }[]).map((one) => one.id)).toEqual(ids);
    expect(await ask('usage/hotset', { limit: 100 })).toMatchObject({ count: 100 });
  });

  test('counts a repeated request with the same key once', async () => {
    const { ask } = engine.open();
    const first = await ask('usage/track', { id: 'alpha' }, 'key-1');
    expect(await ask('usage/track', { id: 'alpha' }, 'key-1')).toEqual(first);
    expect(await ask('usage/track', { id: 'alpha' }, 'key-2')).toMatchObject({ usageCount: 2 });
  });

  test('[IN40] ranks the hotset by count, then last use, then id', async () => {
    const { ask, clock, catalog } = engine.open({
      catalog: createMemoryCatalog(
        createEntry({ id: 'a' }),
        createEntry({ id: 'b' }),
        createEntry({ id: 'c' }),
        createEntry({ id: 'd' }),
        createEntry({ id: 'e' }),
      ),
    });
    for (const id of ['c', 'a', 'a', 'gone', 'b', 'd']) {
      if (id === 'gone') catalog.put(createEntry({ id: 'gone' }));
      if (id === 'b') clock.advance(5);
      await ask('usage/track', { id });
    }
    catalog.remove('gone');
    const { hash } = await catalog.state({} as never);
    const answer = await ask('usage/hotset');
    expect(answer).toMatchObject({ hash, count: 4, limit: 10 });
    expect((answer['items'] as { id: string }[]).map((item) => item.id)).toEqual(['a', 'b', 'd', 'c']);
    expect((answer['items'] as unknown[])[0]).toEqual({ id: 'a', usageCount: 2, lastUsedAt: expect.any(String) });
    expect(await ask('usage/hotset', { limit: 1 })).toMatchObject({ count: 1, limit: 1 });
  });

  test('removed instructions do not displace others from the hotset', async () => {
    const gone = Array.from({ length: 150 }, (_, i) => `gone-${i}`);
    const { ask, catalog, clock } = engine.open({
      catalog: createMemoryCatalog(...['kept', ...gone].map((id) => createEntry({ id }))),
    });
    await ask('usage/track', { id: 'kept' });
    clock.advance(10);
    for (let at = 0; at < gone.length; at += 100) {
      await ask('usage/track', { events: gone.slice(at, at + 100).map((id) => ({ id })) });
    }
    catalog.remove(...gone);
    expect(await ask('usage/hotset', { limit: 1 })).toMatchObject({ items: [{ id: 'kept', usageCount: 1 }] });
  });

  test('prune deletes the counts of removed instructions, and a dry run only counts them', async () => {
    const { ask, usage, callOf, catalog } = engine.open();
    await ask('usage/track', { events: [{ id: 'alpha' }, { id: 'beta' }] });
    catalog.remove('beta');
    expect(await usage.prune(callOf('groom', 'row'), { dryRun: true })).toBe(1);
    expect(await usage.prune(callOf('groom', 'row'), { dryRun: false })).toBe(1);
    expect(await usage.prune(callOf('groom', 'row'), { dryRun: false })).toBe(0);
    expect([...(await usage.countsOf(callOf('test'), ['alpha', 'beta'])).keys()]).toEqual(['alpha']);
  });

  test('[IN46] counts tenants separately', async () => {
    const one = engine.open();
    const other = engine.open();
    await one.ask('usage/track', { id: 'alpha' });
    expect(await other.ask('usage/track', { id: 'alpha' })).toMatchObject({ usageCount: 1 });
  });

  test('two stores on the same data lose no use', async () => {
    const tenant = `tenant-shared-${Math.random()}`;
    const one = engine.open({ tenant, isLimited: false });
    const other = engine.open({ tenant, isLimited: false, storage: await engine.openOther() });
    const uses = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : other).ask('usage/track', { id: 'alpha' }));
    const counts = (await Promise.all(uses)).map((answer) => answer['usageCount'] as number);
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });

  test('flush waits for pending writes', async () => {
    const { ask } = engine.open();
    const tracked = ask('usage/track', { id: 'alpha' });
    expect(await ask('usage/flush')).toEqual({ flushed: true });
    await tracked;
    expect(await ask('usage/hotset')).toMatchObject({ count: 1 });
  });

  test('hotset reads an index in order', async () => {
    if (!engine.storage().capabilities.watchesEveryCommit) return;
    const { callOf } = engine.open();
    const plan = await engine.storage().read(callOf('test'), (db) =>
      db.all(sql<{ detail: string }>`
        explain query plan select id from usage where tenant = ${db.tenant}
        order by usage_count desc, last_used_at desc, id limit 10`),
    );
    expect(plan.map(({ detail }) => detail).join()).toContain('usage_by_count');
    expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE');
  });
});

test('counts nothing, except the attempt, when the feature is off', async () => {
  const { ask, features } = openQuality({ features: ['window'] });
  expect(await ask('usage/track', { id: 'alpha' })).toEqual({ featureDisabled: true });
  expect(await ask('usage/track', { instructionId: 'alpha', context, metrics })).toEqual({
    tracked: false,
    aggregatedCount: 0,
    featureDisabled: true,
  });
  expect(await ask('usage/track', { events: [{ id: 'a' }] })).toEqual({ results: [{ featureDisabled: true }] });
  expect(features.snapshot().counters['usage:gated']).toBe(3);
});

test('gates flush but not track', async () => {
  const { ask, cards } = openQuality({ mutation: false });
  expect(await ask('usage/flush')).toMatchObject({ fault: 'MUTATION_DISABLED', rpc: -32000 });
  const gated = cards.filter((card) => card.gated).map((card) => card.name);
  expect(gated).toEqual(['usage/flush', 'feedback/update']);
});

test.each([
  ['nothing', {}],
  ['an id that is not text', { id: 7 }],
  ['an empty id', { id: '' }],
  ['an id that is too long', { id: 'a'.repeat(instructionLimits.usageIdChars + 1) }],
  ['both ids', { id: 'a', instructionId: 'a', context, metrics }],
  ['instructionId without context', { instructionId: 'a', metrics }],
  ['instructionId without metrics', { instructionId: 'a', context }],
  ['instructionId with an action', { instructionId: 'a', context, metrics, action: 'cited' }],
  ['metrics with id', { id: 'a', metrics }],
  ['metrics without success', { instructionId: 'a', context, metrics: {} }],
  ['a negative time', { instructionId: 'a', context, metrics: { success: true, executionTime: -1 } }],
  ['a context without a time', { instructionId: 'a', context: {}, metrics }],
  ['an invalid time', { instructionId: 'a', context: { timestamp: 'yesterday' }, metrics }],
  ['an unknown action', { id: 'a', action: 'liked' }],
  ['an unknown signal', { id: 'a', signal: 'liked' }],
  ['a comment that is too long', { id: 'a', comment: 'x'.repeat(instructionLimits.commentChars + 1) }],
  ['an unknown key', { id: 'a', user: 'b' }],
  ['no events', { events: [] }],
  ['too many events', { events: Array.from({ length: instructionLimits.eventsCount + 1 }, () => ({ id: 'a' })) }],
  ['an event without id', { events: [{ action: 'cited' }] }],
  ['events together with id', { id: 'a', events: [{ id: 'a' }] }],
])('track rejects %s', async (_what, input) => {
  const { ask } = openQuality();
  expect(await ask('usage/track', input)).toMatchObject({ fault: 'INVALID_PARAMS', rpc: -32602 });
});

test.each([0, 101, 1.5, '10'])('rejects a hotset of %s', async (limit) => {
  const { ask } = openQuality();
  expect(await ask('usage/hotset', { limit })).toMatchObject({ fault: 'INVALID_PARAMS' });
});

test('accepts a comment of exactly the limit', async () => {
  const { ask } = openQuality();
  const answer = await ask('usage/track', { id: 'unknown', comment: 'x'.repeat(instructionLimits.commentChars) });
  expect(answer).toEqual({ notFound: true });
});
