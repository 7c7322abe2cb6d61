import { expect, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { createEntry, createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { dayMs } from '../rules/activity-filter.ts';
import { describeOnEngines } from '../usage/engines.fixture.ts';
import { createServedBuffer } from './served-buffer.ts';
import { addServed, deleteOldDays } from './serving-store.ts';

const countsOf = (rules: readonly { id: string; appliesCount: number }[]) =>
  Object.fromEntries(rules.map(({ id, appliesCount }) => [id, appliesCount]));

describeOnEngines('[IN62] served rules', (engine) => {
  test('are counted per rule, and per caller and workspace', async () => {
    const { serving, records, callOf, caller } = engine.open();
    serving.record(caller, { applies: ['alpha', 'beta'], workspaceId: 'web' });
    serving.record(caller, { applies: ['alpha'], mayApply: ['beta'] });
    serving.record({ ...caller, actor: 'bob' }, { applies: ['alpha'] });
    const call = callOf('test');
    expect(await records.servedRules(call)).toMatchObject([
      { id: 'alpha', appliesCount: 3, mayApplyCount: 0 },
      { id: 'beta', appliesCount: 1, mayApplyCount: 1 },
    ]);
    const { to = [], ...counts } = (await records.servedTo(call, 'alpha')) ?? {};
    expect(counts).toMatchObject({ appliesCount: 3, lastServedAt: expect.any(String) });
    expect(to.map(({ actor, workspace, appliesCount }) => [actor, workspace, appliesCount])).toEqual([
      ['ada', undefined, 1],
      ['ada', 'web', 1],
      ['bob', undefined, 1],
    ]);
    expect(await records.servedTo(call, 'gamma')).toBeUndefined();
  });

  test('[IN46] are counted per tenant', async () => {
    const one = engine.open();
    const other = engine.open();
    one.serving.record(one.caller, { applies: ['alpha'] });
    await one.serving.flush();
    expect(await other.records.servedRules(other.callOf('test'))).toEqual([]);
    expect(await other.records.servedTo(other.callOf('test'), 'alpha')).toBeUndefined();
    expect(countsOf(await one.records.servedRules(one.callOf('test')))).toEqual({ alpha: 1 });
  });

  test('of several processes are added up', async () => {
    const tenant = engine.newTenant();
    const all = await Promise.all(
      [0, 1, 2].map(async () => engine.open({ tenant, storage: await engine.openOther() })),
    );
    for (let i = 0; i < 10; i += 1) {
      for (const { serving, caller } of all) serving.record(caller, { applies: ['beta', 'alpha'] });
      await Promise.all(all.map(({ serving }) => serving.flush()));
    }
    const { records, callOf } = engine.open({ tenant });
    expect(countsOf(await records.servedRules(callOf('test')))).toEqual({ alpha: 30, beta: 30 });
    expect((await records.servedTo(callOf('test'), 'alpha'))?.to).toMatchObject([{ actor: 'ada', appliesCount: 30 }]);
  });

  test('stay in memory while the store fails, and are stored afterwards', async () => {
    let failure: Error | undefined = faults.STORE_UNAVAILABLE({ why: 'test' });
    const storage: Storage = Object.assign(Object.create(engine.storage()), {
      write: (...args: Parameters<Storage['write']>) =>
        failure === undefined ? engine.storage().write(...args) : Promise.reject(failure),
    });
    const { serving, records, callOf, caller, log } = engine.open({ storage });
    serving.record(caller, { applies: ['alpha'] });
    await serving.flush();
    await serving.flush();
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(await records.servedRules(callOf('test'))).toEqual([]);
    failure = undefined;
    serving.record(caller, { applies: ['alpha'] });
    expect(countsOf(await records.servedRules(callOf('test')))).toEqual({ alpha: 2 });
    failure = faults.OUTCOME_UNKNOWN();
    serving.record(caller, { applies: ['alpha'] });
    await serving.flush();
    failure = undefined;
    expect(countsOf(await records.servedRules(callOf('test')))).toEqual({ alpha: 2 });
  });

  test('are kept per caller for some days and up to a number of rows', async () => {
    const { callOf } = engine.open();
    const call = callOf('test');
    const row = { actor: 'ada', workspace: '', applies_count: 1, may_apply_count: 0, last_at: 1 };
    const rows = [1, 2, 3, 4].flatMap((day) => ['a', 'b'].map((id) => ({ ...row, day, id })));
    await engine.storage().write(call, (db) => addServed(db, rows));
    const left = async () =>
      (
        await engine.storage().read(call, (db) =>
          db.all(sql<{ day: number; id: string }>`
            select day, id from served_days where tenant = ${db.tenant} order by day, id`),
        )
      ).map(({ day, id }) => `${day}${id}`);
    const clean = (rowsMax: number, limit: number) =>
      engine.storage().write(call, (db) => deleteOldDays(db, 2, rowsMax, limit));
    expect(await clean(100, 1)).toBe(1);
    expect(await left()).toHaveLength(7);
    expect(await clean(100, 10)).toBe(1);
    expect(await left()).toEqual(['2a', '2b', '3a', '3b', '4a', '4b']);
    expect(await clean(3, 10)).toBe(3);
    expect(await clean(3, 10)).toBe(0);
    expect(await left()).toEqual(['3b', '4a', '4b']);
  });

  test('of old days are deleted by later ones, and the totals stay', async () => {
    const { serving, records, callOf, caller, clock } = engine.open();
    serving.record(caller, { applies: ['alpha'] });
    await serving.flush();
    clock.advance((instructionLimits.servedDays + 1) * dayMs);
    serving.record({ ...caller, actor: 'bob' }, { applies: ['alpha'] });
    expect(countsOf(await records.servedRules(callOf('test')))).toEqual({ alpha: 2 });
    expect((await records.servedTo(callOf('test'), 'alpha'))?.to).toMatchObject([{ actor: 'bob' }]);
  });

  test('are stored for more rules than one write takes', async () => {
    const { serving, records, callOf, caller } = engine.open();
    const ids = Array.from({ length: 2 * instructionLimits.servedChunkCount + 1 }, (_, i) => `rule-${i}`);
    serving.record(caller, { applies: ids });
    serving.record(caller, { applies: ids });
    const served = await records.servedRules(callOf('test'));
    expect(served).toHaveLength(ids.length);
    expect(served.every(({ appliesCount }) => appliesCount === 2)).toBe(true);
  });

  test('of removed instructions are pruned', async () => {
    const { serving, records, usage, callOf, caller, catalog } = engine.open();
    serving.record(caller, { applies: ['alpha', 'beta'] });
    catalog.remove('beta');
    await usage.prune(callOf('groom', 'row'), { dryRun: false });
    expect(countsOf(await records.servedRules(callOf('test')))).toEqual({ alpha: 1 });
    expect(await records.servedTo(callOf('test'), 'beta')).toBeUndefined();
  });
});

describeOnEngines('[IN63] signals and comments', (engine) => {
  const remarksOf = async ({ records, callOf, catalog }: ReturnType<typeof engine.open>) => {
    const { entries } = await catalog.state(callOf('test'));
    return Object.fromEntries(await records.remarksOf(callOf('test'), entries));
  };

  test('have an author and a time, and show up in the hotset', async () => {
    const quality = engine.open();
    await quality.ask('usage/track', { id: 'alpha', signal: 'outdated', comment: 'v2 is gone' });
    await quality.ask('usage/track', { id: 'alpha', comment: 'again' });
    await quality.ask('usage/track', { id: 'beta' });
    const at = new Date(engine.clock.now()).toISOString();
    const alpha = {
      signals: { outdated: 1 },
      comments: [
        { by: 'ada', at, comment: 'again' },
        { by: 'ada', at, signal: 'outdated', comment: 'v2 is gone' },
      ],
    };
    expect(await remarksOf(quality)).toEqual({ alpha });
    const { items } = await quality.ask('usage/hotset');
    expect(items).toEqual([
      expect.objectContaining({ id: 'alpha', ...alpha }),
      { id: 'beta', usageCount: 1, lastUsedAt: at },
    ]);
  });

  test('a signal is open until the body changes or a review follows', async () => {
    const quality = engine.open({ catalog: createMemoryCatalog(createEntry({ id: 'alpha', body: 'old' })) });
    const { ask, catalog, clock } = quality;
    await ask('usage/track', { id: 'alpha', signal: 'outdated' });
    catalog.put(createEntry({ id: 'alpha', body: 'old', owner: 'someone-else' }));
    expect(await remarksOf(quality)).toMatchObject({ alpha: { signals: { outdated: 1 } } });
    catalog.put(createEntry({ id: 'alpha', body: 'new' }));
    expect(await remarksOf(quality)).toEqual({});
    catalog.put(createEntry({ id: 'alpha', body: 'old' }));
    expect(await remarksOf(quality)).toMatchObject({ alpha: { signals: { outdated: 1 } } });
    clock.advance(1_000);
    catalog.put(createEntry({ id: 'alpha', body: 'old', lastReviewedAt: new Date(clock.now()).toISOString() }));
    expect(await remarksOf(quality)).toEqual({});
    clock.advance(1_000);
    await ask('usage/track', { id: 'alpha', signal: 'outdated' });
    expect(await remarksOf(quality)).toMatchObject({ alpha: { signals: { outdated: 1 } } });
  });

  test('keeps the newest, also of several events in one call', async () => {
    const quality = engine.open({ isLimited: false });
    const { keptRemarksCount } = instructionLimits;
    const events = Array.from({ length: keptRemarksCount + 5 }, (_, i) => ({ id: 'alpha', comment: `c${i}` }));
    await quality.ask('usage/track', { events });
    await quality.ask('usage/track', { id: 'alpha', comment: 'last' });
    const { entries } = await quality.catalog.state(quality.callOf('test'));
    const all = await quality.records.remarksOf(quality.callOf('test'), entries, 1_000);
    const comments = all.get('alpha')?.comments.map(({ comment }) => comment);
    expect(comments).toHaveLength(keptRemarksCount);
    expect(comments?.slice(0, 2)).toEqual(['last', `c${keptRemarksCount + 4}`]);
  });

  test('of two processes at the same time are all kept', async () => {
    const tenant = engine.newTenant();
    const all = await Promise.all([0, 1].map(async () => engine.open({ tenant, storage: await engine.openOther() })));
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => all[i % 2]!.ask('usage/track', { id: 'alpha', signal: 'outdated' })),
    );
    expect(await remarksOf(engine.open({ tenant }))).toMatchObject({ alpha: { signals: { outdated: 8 } } });
  });

  test('[IN46] belong to a tenant', async () => {
    const one = engine.open();
    await one.ask('usage/track', { id: 'alpha', comment: 'mine' });
    const other = engine.open();
    expect(await remarksOf(other)).toEqual({});
    expect(await other.records.newestRemarks(other.callOf('test'), () => createEntry({ id: 'alpha' }))).toEqual({
      open: [],
      comments: [],
    });
  });

  test('a use that is not counted is not recorded', async () => {
    const quality = engine.open();
    for (let i = 0; i < 12; i += 1) await quality.ask('usage/track', { id: 'alpha', signal: 'helpful' });
    expect(await remarksOf(quality)).toMatchObject({ alpha: { signals: { helpful: 10 } } });
  });

  test('[IN61] gates count them, and rules that are unused', async () => {
    const gate = (id: string, where: object) => ({ id, where, op: '==', value: 0, severity: 'error' });
    const files = {
      'gates.json': JSON.stringify({
        gates: [
          gate('outdated', { signal: 'outdated' }),
          gate('outdated-twice', { signal: 'outdated', signalMin: 2 }),
          gate('unused', { unusedDays: 30 }),
          gate('not-unused', { not: { unusedDays: 30 } }),
          gate('overdue', { any: [{ reviewOverdue: true }] }),
          gate('nested', { all: [{ signal: ['not-relevant'] }] }),
          { id: 'expression', severity: 'error', not: { where: { signal: 'helpful' }, op: '>', value: 0 } },
        ],
      }),
    };
    const createdAt = new Date(engine.clock.now()).toISOString();
    const entries = ['alpha', 'beta', 'gamma'].map((id) => createEntry({ id, createdAt, nextReviewDue: createdAt }));
    const { ask, clock, serving, caller } = engine.open({ files, catalog: createMemoryCatalog(...entries) });
    const counts = async () => {
      const { results } = await ask('gates/evaluate');
      return Object.fromEntries((results as { id: string; count: number }[]).map(({ id, count }) => [id, count]));
    };
    expect(await counts()).toEqual({
      outdated: 0,
      'outdated-twice': 0,
      unused: 0,
      'not-unused': 3,
      overdue: 0,
      nested: 0,
      expression: 0,
    });
    clock.advance(31 * dayMs);
    expect(await counts()).toEqual({
      outdated: 0,
      'outdated-twice': 0,
      unused: 3,
      'not-unused': 0,
      overdue: 3,
      nested: 0,
      expression: 0,
    });
    await ask('usage/track', { id: 'alpha', signal: 'outdated' });
    for (const signal of ['not-relevant', 'helpful']) await ask('usage/track', { id: 'alpha', signal });
    serving.record(caller, { applies: ['beta'] });
    expect(await counts()).toEqual({
      outdated: 1,
      'outdated-twice': 0,
      unused: 1,
      'not-unused': 2,
      overdue: 3,
      nested: 1,
      expression: 1,
    });
  });
});

test('the buffer is limited, and known rules are still counted when it is full', () => {
  const buffer = createServedBuffer(2);
  const receiver = { tenant: toTenantId('local'), day: 1, actor: 'ada', workspace: '' };
  buffer.add(receiver, 1, ['a', 'b', 'c'], []);
  expect(buffer.isFull()).toBe(true);
  buffer.add({ ...receiver, workspace: 'other' }, 1, ['a'], []);
  buffer.add(receiver, 2, ['a'], ['b']);
  expect([...buffer.take().values()].flat().map((row) => [row.id, row.applies_count, row.may_apply_count])).toEqual([
    ['a', 2, 0],
    ['b', 1, 1],
  ]);
  expect(buffer.isEmpty()).toBe(true);
});
