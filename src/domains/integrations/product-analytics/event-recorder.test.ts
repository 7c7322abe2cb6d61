import { expect, test } from 'vitest';
import { type TenantId, toTenantId } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { describeOnEngines } from '#kernel/jobs/engines.fixture.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import { sql } from '#kernel/storage/sql.ts';
import type { Card } from '#kernel/tool/card.ts';
import type { Outcome } from '#kernel/tool/invoke.ts';
import { analyticsLimits, dayMs } from './analytics-limits.ts';
import { createEmbeddedSource } from './embedded-source.ts';
import { createEventRecorder } from './event-recorder.ts';
import { type AnalyticsInput, createProductAnalytics } from './product-analytics.ts';

const cardOf = (name: string): Card => ({ name, effect: 'read', toolset: 'truth' }) as Card;

describeOnEngines('[IG34] events of users', (engine) => {
  function openRecorder(tenant: TenantId = engine.newTenant()) {
    const { clock } = engine;
    const log = createLogFixture();
    const storage = engine.storage();
    const recorder = createEventRecorder({ storage, clock, log, hashActor: (_, actor) => `hash of ${actor}` });
    let outcome: Outcome;
    const invoke = recorder.track(async () => outcome);
    const ask = createProductAnalytics({
      clock,
      source: async () => createEmbeddedSource(storage),
      flush: recorder.flush,
    });
    return {
      tenant,
      clock,
      log,
      recorder,
      async call(actor: string, name: string, value: object = {}, surface: 'cli' | 'mcp' = 'cli') {
        outcome = { ok: true, card: cardOf(name), value, text: '' };
        await invoke({ name, args: {}, caller: { tenant, actor, scopes: new Set() }, surface });
      },
      async fail(actor: string, name: string) {
        outcome = { ok: false, card: cardOf(name), fault: faults.CANCELLED() };
        await invoke({ name, args: {}, caller: { tenant, actor, scopes: new Set() } });
      },
      ask: (input: AnalyticsInput) => ask(input, systemCall('test', { tenant })),
      /** Advances to the next midnight and `hours` beyond it. */
      nextDay(hours = 0) {
        clock.advance(dayMs - (clock.now() % dayMs) + hours * 3_600_000);
      },
    };
  }

  test('computes the rate of users who did something on their first day', async () => {
    const { call, fail, ask, nextDay } = openRecorder();
    nextDay(23);
    for (const actor of ['ada', 'bob', 'cy', 'dan']) await call(actor, 'health/check');
    await call('ada', 'upload_file', { record: {} });
    await fail('bob', 'upload_file');
    nextDay(1);
    await call('bob', 'store_record');
    await call('dan', 'submit_payload', { entities: [{}] }, 'mcp');
    nextDay(23);
    await call('cy', 'store_record');
    expect(await ask({ metric_type: 'activation' })).toMatchObject({
      metric_name: 'activation_first_upload_rate',
      value: 0.75,
      metadata: {
        description: expect.stringContaining('in first session'),
        threshold: { required: 0.6, target: 0.8 },
      },
      source: 'embedded',
    });
    const rate = async (name: string) =>
      (await ask({ metric_type: 'activation', metric_name: `activation_first_${name}_rate` })).value;
    expect([await rate('extraction'), await rate('entity'), await rate('event'), await rate('ai_query')]).toEqual([
      0.5, 0.25, 0, 0.25,
    ]);
    expect(await ask({ metric_type: 'funnel' })).toMatchObject({
      metric_name: 'signup_to_timeline',
      value: 0,
      steps: [
        { step: 'signup', users: 4, rate: 1 },
        { step: 'upload', users: 4, rate: 1 },
        { step: 'extraction', users: 2, rate: 0.5 },
        { step: 'entity', users: 1, rate: 0.25 },
        { step: 'timeline', users: 0, rate: 0 },
      ],
    });
  });

  test('computes who comes back, only for days that are over', async () => {
    const { clock, call, ask, nextDay } = openRecorder();
    nextDay();
    const start = clock.now();
    for (const actor of ['ada', 'bob']) await call(actor, 'health/check');
    nextDay(5);
    await call('ada', 'health/check');
    await call('cy', 'health/check');
    const retention = (metric_name: string) =>
      ask({
        metric_type: 'retention',
        metric_name,
        time_range: { start: toIso(start), end: toIso(start + 40 * dayMs) },
      });
    expect((await retention('day_1_retention')).value).toEqual([]);
    nextDay();
    expect((await retention('day_1_retention')).value).toEqual([{ date: toIso(start).slice(0, 10), value: 0.5 }]);
    for (let i = 0; i < 6; i += 1) nextDay();
    await call('bob', 'health/check');
    await call('eve', 'health/check');
    for (let i = 0; i < 8; i += 1) nextDay();
    expect((await retention('day_1_retention')).value).toEqual([
      { date: toIso(start).slice(0, 10), value: 0.333333 },
      { date: toIso(start + 7 * dayMs).slice(0, 10), value: 0 },
    ]);
    expect((await retention('week_1_retention')).value).toEqual([{ date: toIso(start).slice(0, 10), value: 0.333333 }]);
    expect((await retention('month_1_retention')).value).toEqual([]);
    const day = toIso(start).slice(0, 10);
    expect((await ask({ metric_type: 'cohort', metric_name: 'cohort_size', cohort: day })).value).toBe(2);
    expect((await ask({ metric_type: 'cohort', cohort: day })).value).toEqual([
      { date: day, value: 1 },
      { date: toIso(start + 7 * dayMs).slice(0, 10), value: 0.5 },
    ]);
  });

  test('counts active users and events per user', async () => {
    const { clock, call, ask, nextDay, recorder } = openRecorder();
    nextDay();
    const time_range = { start: toIso(clock.now()), end: toIso(clock.now() + 14 * dayMs) };
    const first = time_range.start.slice(0, 10);
    const second = toIso(clock.now() + dayMs).slice(0, 10);
    for (let i = 0; i < 3; i += 1) {
      await call('ada', 'retrieve_records');
      await recorder.flush();
    }
    await call('bob', 'retrieve_entities');
    nextDay();
    await call('ada', 'health/check');
    const usage = async (metric_name: string) => (await ask({ metric_type: 'usage', metric_name, time_range })).value;
    expect(await usage('daily_active_users')).toEqual([
      { date: first, value: 2 },
      { date: second, value: 1 },
    ]);
    expect(await usage('weekly_active_users')).toEqual([{ date: first, value: 2 }]);
    expect(await usage('avg_searches_per_user_per_week')).toEqual([{ date: first, value: 2 }]);
    expect(await usage('avg_uploads_per_user_per_week')).toEqual([]);
  });

  test('[IG35] separates tenants and stores no names', async () => {
    const mine = openRecorder();
    const theirs = openRecorder();
    await mine.call('ada', 'store_record');
    await mine.recorder.flush();
    expect((await theirs.ask({ metric_type: 'usage' })).value).toEqual([]);
    const rows = await engine
      .storage()
      .read(systemCall('test', { tenant: mine.tenant }), (db) =>
        db.all(sql<{ actor: string }>`select actor from analytics_days where tenant = ${db.tenant}`),
      );
    expect(rows).toEqual([{ actor: 'hash of ada' }, { actor: 'hash of ada' }]);
  });

  test('[IG35] forgets old events and users who have not called since', async () => {
    const { clock, call, ask, recorder, nextDay, tenant } = openRecorder();
    nextDay();
    await call('old', 'health/check');
    await call('both', 'health/check');
    await recorder.flush();
    const start = toIso(clock.now() - dayMs);
    clock.advance((analyticsLimits.keptDays + 1) * dayMs);
    await call('both', 'health/check');
    await recorder.flush();
    const [sweep] = recorder.jobs(async () => [tenant]);
    await sweep!.run(new AbortController().signal);
    const usage = { metric_type: 'usage', time_range: { start, end: toIso(clock.now() + dayMs) } } as const;
    expect((await ask(usage)).value).toEqual([{ date: toIso(clock.now()).slice(0, 10), value: 1 }]);
    expect((await ask({ ...usage, metric_type: 'cohort', metric_name: 'cohort_size' })).value).toBe(1);
  });

  test('[IG35] drops events that cannot be stored or are too many, and says so in the log', async () => {
    const log = createLogFixture();
    const failing = { write: () => Promise.reject(new Error('the disk is full')) };
    const recorder = createEventRecorder({ storage: failing, clock: engine.clock, log, hashActor: String });
    const outcome: Outcome = { ok: true, card: cardOf('health/check'), value: {}, text: '' };
    const invoke = recorder.track(async () => outcome);
    for (let i = 0; i <= analyticsLimits.waitingSumsCount; i += 1) {
      const caller = { tenant: toTenantId('a'), actor: `user ${i}`, scopes: new Set<never>() };
      expect(await invoke({ name: 'health/check', args: {}, caller })).toBe(outcome);
    }
    await recorder.flush();
    expect(log.lines).toEqual([
      {
        level: 'warn',
        fields: expect.objectContaining({ count: analyticsLimits.waitingSumsCount }),
        message: 'could not store the analytics events',
      },
    ]);
  });
});
