import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { type DoubleAnswer, type DoubleRequest, startDouble } from '#tests/support/service-double.ts';
import { engines, type Json, openTruth, payloadInput, serveTruth } from '../truth/truth-program.fixture.ts';

interface Answer {
  readonly metric_name: string;
  readonly value: number | readonly { readonly date: string; readonly value: number }[];
  readonly source: string;
  readonly hint?: string;
}

const tool = 'get_product_analytics';
const captured = { FOURFOLD_ANALYTICS_EVENTS: '1' };
const documented: Readonly<Record<string, readonly string[]>> = {
  activation: ['upload', 'extraction', 'entity', 'event', 'search', 'ai_query'].map(
    (name) => `activation_first_${name}_rate`,
  ),
  retention: ['day_1_retention', 'week_1_retention', 'month_1_retention'],
  usage: [
    'daily_active_users',
    'weekly_active_users',
    'avg_uploads_per_user_per_week',
    'avg_searches_per_user_per_week',
  ],
  funnel: ['signup_to_timeline'],
  cohort: ['cohort_retention'],
};

async function open(env: Readonly<Record<string, string>>, engine: (typeof engines)[number] = 'SQLite') {
  const program = await openTruth(engine, env);
  onTestFinished(() => program.close());
  return program;
}

describe.each(engines)('[IG34] our own events, on %s', (engine) => {
  it('answers every documented metric, and counts a call without waiting', async () => {
    const { call } = await open(captured, engine);
    await call('submit_payload', payloadInput());
    await call('retrieve_records', {});
    await call('tools_call', { name: 'list_timeline_events', arguments: {} });
    for (const [metric_type, names] of Object.entries(documented)) {
      for (const metric_name of names) {
        const answer = await call<Answer>(tool, { metric_type, metric_name });
        expect(answer).toMatchObject({ metric_type, metric_name, source: 'embedded', metadata: {} });
      }
    }
    const value = async (args: Json) => (await call<Answer>(tool, args)).value;
    expect(await value({ metric_type: 'activation' })).toBe(1);
    expect(await value({ metric_type: 'funnel' })).toBe(1);
    expect(await value({ metric_type: 'usage' })).toEqual([{ date: expect.any(String), value: 1 }]);
    expect(await value({ metric_type: 'cohort', metric_name: 'cohort_size' })).toBe(1);
  });

  it('[IG35] separates tenants, stores no names, and keeps what was counted when the program ends', async () => {
    const served = await serveTruth(engine, captured);
    onTestFinished(() => served.stop());
    const [acme, umbrella] = [await served.makeKey('acme'), await served.makeKey('umbrella')];
    for (let i = 0; i < 3; i += 1) {
      await served.post(acme, 'store_record', { type: 'note', properties: { text: `note ${i}` } });
    }
    const weekly = { metric_type: 'usage', metric_name: 'avg_uploads_per_user_per_week' };
    expect((await served.post(acme, tool, weekly)).body).toMatchObject({ value: [{ value: 3 }] });
    expect((await served.post(umbrella, tool, weekly)).body).toMatchObject({ value: [] });
    await served.served.stop();
    const env = { ...served.store.env, ...captured };
    await runProgram(['retrieve', 'records', '--json'], env);
    const { stdout } = await runProgram(['get', 'product', 'analytics', 'usage', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({ value: [{ value: 1 }] });
  });
});

describe('[IG35] without the setting', () => {
  it('captures nothing and says how to start', async () => {
    const { call } = await open({});
    await call('store_record', { type: 'note', properties: { text: 'one' } });
    const answer = await call<Answer>(tool, { metric_type: 'usage' });
    expect(answer).toMatchObject({ value: [], source: 'embedded', hint: expect.stringContaining('analyticsEvents') });
  });

  it.each<readonly [string, Json, string, string]>([
    ['an unknown type', { metric_type: 'growth' }, 'VALIDATION_ERROR', 'metric_type'],
    ['an unknown name', { metric_type: 'retention', metric_name: 'day_2' }, 'METRIC_NOT_FOUND', 'day_1_retention'],
    [
      'a name of another type',
      { metric_type: 'usage', metric_name: 'day_1_retention' },
      'VALIDATION_ERROR',
      'retention',
    ],
    [
      'an end before the start',
      { metric_type: 'usage', time_range: { start: '2026-01-02T00:00:00Z', end: '2026-01-01T00:00:00Z' } },
      'VALIDATION_ERROR',
      'later than',
    ],
    [
      'a range of a century',
      { metric_type: 'usage', time_range: { start: '1926-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z' } },
      'VALIDATION_ERROR',
      '1100 days',
    ],
    ['a day that does not exist', { metric_type: 'cohort', cohort: '2026-02-30' }, 'VALIDATION_ERROR', 'cohort'],
    ['a cohort for usage', { metric_type: 'usage', cohort: '2026-01' }, 'VALIDATION_ERROR', 'cohort'],
    ['filters', { metric_type: 'usage', filters: { plan: 'pro' } }, 'VALIDATION_ERROR', 'PostHog'],
  ])('refuses %s', async (_, args, code, text) => {
    const { fail } = await open({});
    const failure = await fail(tool, args);
    expect(failure.code).toBe(code);
    expect(JSON.stringify(failure)).toContain(text);
  });
});

/** Files with the secrets of both services. */
function writeSecrets(secret: string) {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(folder, 'secret');
  writeFileSync(file, `${secret}\n`);
  return file;
}

const january = { start: '2024-01-01T00:00:00Z', end: '2024-02-01T00:00:00Z' };

/** The request that https://posthog.com/docs/api/query describes. */
const hogQl = z.strictObject({
  query: z.strictObject({
    kind: z.literal('HogQLQuery'),
    query: z.string(),
    values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  }),
});

describe('[IG36] PostHog', () => {
  const secret = 'phx_secret_of_the_test';

  async function openPostHog(answer: (query: z.infer<typeof hogQl>['query']) => DoubleAnswer) {
    const double = await startDouble((request: DoubleRequest) => {
      expect([request.method, request.url.pathname, request.url.search]).toEqual([
        'POST',
        '/api/projects/4711/query/',
        '',
      ]);
      expect(request.headers).toMatchObject({
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
      });
      const { query } = hogQl.parse(JSON.parse(request.body));
      const placeholders = [...query.query.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      expect([...new Set(placeholders)].sort()).toEqual(Object.keys(query.values).sort());
      return answer(query);
    });
    onTestFinished(() => double.stop());
    const env = {
      FOURFOLD_POSTHOG_URL: double.url,
      FOURFOLD_POSTHOG_PROJECT: '4711',
      FOURFOLD_POSTHOG_KEY_FILE: writeSecrets(secret),
    };
    return { double, env, program: await open(env) };
  }

  const rows = (query: { readonly query: string }): DoubleAnswer => ({
    body: {
      results: query.query.includes('step')
        ? [
            ['2024-01-01', 0, 10],
            ['2024-01-01', 1, 4],
            ['2024-01-08', 1, 1],
          ]
        : [
            ['2024-01-01', 10],
            ['2024-01-08', 5],
          ],
      columns: ['day', 'step', 'users'],
    },
  });

  it('computes the documented retention from HogQL results', async () => {
    const { program, double } = await openPostHog(rows);
    const answer = await program.call<Answer>(tool, { metric_type: 'retention', time_range: january });
    double.check();
    expect(answer).toMatchObject({
      metric_name: 'day_1_retention',
      value: [
        { date: '2024-01-01', value: 0.4 },
        { date: '2024-01-08', value: 0.2 },
      ],
      metadata: { threshold: { required: 0.4, target: 0.6 } },
      source: 'posthog',
    });
  });

  it('answers every documented metric, with filters as values', async () => {
    const { program, double } = await openPostHog(({ query }) =>
      query.includes('signed_up') ? rows({ query }) : { body: { results: [[0, 2]] } },
    );
    for (const [metric_type, names] of Object.entries(documented)) {
      for (const metric_name of names) {
        const filters = { plan: "pro' or 1=1 --" };
        await program.call<Answer>(tool, { metric_type, metric_name, time_range: january, filters });
      }
    }
    double.check();
    expect(
      double.requests.some(({ body }) => (JSON.parse(body) as z.infer<typeof hogQl>).query.query.includes('1=1')),
    ).toBe(false);
  });

  it('is for admins, because it covers all tenants', async () => {
    const { env, double } = await openPostHog(rows);
    const served = await serveTruth('SQLite', env);
    onTestFinished(() => served.stop());
    const posted = await served.post(await served.makeKey('acme'), tool, { metric_type: 'usage' });
    expect(posted).toMatchObject({ status: 403, error: { code: 'PERMISSION_DENIED' } });
    expect(double.requests).toEqual([]);
  });

  const brokenAnswers: readonly (readonly [title: string, answer: DoubleAnswer, code: string, text: string])[] = [
    ['HTML instead of JSON', { body: '<html></html>' }, 'ANALYTICS_QUERY_FAILED', 'not JSON'],
    ['rows of another shape', { body: { results: [['yesterday', -1]] } }, 'ANALYTICS_QUERY_FAILED', 'not a result'],
    [
      'its own error',
      { status: 400, body: { type: 'validation_error', detail: 'x' } },
      'ANALYTICS_QUERY_FAILED',
      '400',
    ],
    ['a refused key', { status: 401, body: {} }, 'ANALYTICS_QUERY_FAILED', 'credentials'],
    ['status 500', { status: 500, body: {} }, 'ANALYTICS_QUERY_FAILED', '500'],
    ['status 429', { status: 429, body: {} }, 'ANALYTICS_SERVICE_UNAVAILABLE', '429'],
    ['an oversized answer', { body: ' '.repeat(9 * 1024 * 1024) }, 'ANALYTICS_QUERY_FAILED', 'too large'],
    ['half an answer', { body: '{"results": [[' }, 'ANALYTICS_QUERY_FAILED', 'not JSON'],
    [
      'a redirect to a private address',
      { status: 302, body: '', headers: { location: 'http://169.254.169.254/' } },
      'ANALYTICS_SERVICE_UNAVAILABLE',
      'not a public host',
    ],
  ];

  it('[IG38] reports a broken answer with a documented code and its reason', async () => {
    let answer: DoubleAnswer = { body: {} };
    const { program, double } = await openPostHog(() => answer);
    for (const [title, next, code, text] of brokenAnswers) {
      answer = next;
      const failure = await program.fail(tool, { metric_type: 'retention' });
      expect(failure, title).toMatchObject({ code, message: expect.stringContaining(text) });
      expect(JSON.stringify(failure), title).not.toContain(secret);
    }
    double.check();
    expect(program.logged()).not.toContain(secret);
  });

  it('[IG38] reports a service that is not there, and a missing setting', async () => {
    const { program, double } = await openPostHog(rows);
    await double.stop();
    expect((await program.fail(tool, { metric_type: 'usage' })).code).toBe('ANALYTICS_SERVICE_UNAVAILABLE');
    const { fail } = await open({ FOURFOLD_POSTHOG_URL: 'http://127.0.0.1:1' });
    const failure = await fail(tool, { metric_type: 'usage' });
    expect(failure).toMatchObject({ code: 'CONFIG_ERROR', message: expect.stringContaining('posthogProject') });
  });
});

/** The parameters that https://docs.mixpanel.com/reference describes for both reports. */
const common = {
  project_id: z.literal('42'),
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  where: z.string().optional(),
};
const retentionForm = z.strictObject({
  ...common,
  retention_type: z.enum(['birth', 'compounded']),
  born_event: z.string().optional(),
  event: z.string().optional(),
  unit: z.enum(['day', 'week', 'month']).optional(),
  interval: z.coerce.number().int().min(1).max(90).optional(),
  interval_count: z.coerce.number().int().min(1),
});
const segmentationForm = z.strictObject({
  ...common,
  event: z.string(),
  type: z.enum(['general', 'unique', 'average']),
  unit: z.enum(['minute', 'hour', 'day', 'week', 'month']),
});

describe('[IG37] Mixpanel', () => {
  const secret = 'mixpanel_secret_of_the_test';

  async function openMixpanel(answer: () => DoubleAnswer | undefined = () => undefined) {
    const double = await startDouble(({ method, url, headers }) => {
      expect(method).toBe('GET');
      expect(headers.authorization).toBe(`Basic ${Buffer.from(`robot:${secret}`).toString('base64')}`);
      const form = Object.fromEntries(url.searchParams);
      if (url.pathname === '/api/query/segmentation') {
        const { event } = segmentationForm.parse(form);
        return (
          answer() ?? {
            body: { data: { series: ['2024-01-01'], values: { [event]: { '2024-01-01': 2.5 } } }, legend_size: 1 },
          }
        );
      }
      expect(url.pathname).toBe('/api/query/retention');
      const { retention_type, born_event } = retentionForm.parse(form);
      // A cohort of first-time users is defined by its event.
      expect(born_event === undefined).toBe(retention_type === 'compounded');
      return (
        answer() ?? {
          body: { '2024-01-08': { first: 5, counts: [5, 1] }, '2024-01-01': { first: 10, counts: [9, 4] } },
        }
      );
    });
    onTestFinished(() => double.stop());
    const program = await open({
      FOURFOLD_MIXPANEL_URL: `${double.url}/api/query`,
      FOURFOLD_MIXPANEL_PROJECT: '42',
      FOURFOLD_MIXPANEL_USER: 'robot',
      FOURFOLD_MIXPANEL_SECRET_FILE: writeSecrets(secret),
    });
    return { double, program };
  }

  it('answers every documented metric from its reports', async () => {
    const { program, double } = await openMixpanel();
    const value = async (metric_type: string, metric_name?: string) =>
      (await program.call<Answer>(tool, { metric_type, metric_name, time_range: january, filters: { plan: 'a "b"' } }))
        .value;
    for (const [type, names] of Object.entries(documented)) for (const name of names) await value(type, name);
    double.check();
    expect(await value('activation')).toBe(0.933333);
    expect(await value('retention')).toEqual([
      { date: '2024-01-01', value: 0.4 },
      { date: '2024-01-08', value: 0.2 },
    ]);
    expect(await value('usage')).toEqual([
      { date: '2024-01-01', value: 10 },
      { date: '2024-01-08', value: 5 },
    ]);
    expect(await value('usage', 'avg_uploads_per_user_per_week')).toEqual([{ date: '2024-01-01', value: 2.5 }]);
    expect(double.requests[0]!.url.searchParams.get('where')).toBe('properties["plan"] == "a \\"b\\""');
  });

  const brokenAnswers: readonly (readonly [title: string, answer: DoubleAnswer, code: string])[] = [
    ['HTML', { body: '<html></html>' }, 'ANALYTICS_QUERY_FAILED'],
    ['wrong types', { body: { '2024-01-01': { first: 'many', counts: [] } } }, 'ANALYTICS_QUERY_FAILED'],
    ['status 429', { status: 429, body: {} }, 'ANALYTICS_SERVICE_UNAVAILABLE'],
    ['status 503', { status: 503, body: {} }, 'ANALYTICS_SERVICE_UNAVAILABLE'],
    ['status 500', { status: 500, body: {} }, 'ANALYTICS_QUERY_FAILED'],
    ['a refused secret', { status: 401, body: {} }, 'ANALYTICS_QUERY_FAILED'],
    ['half an answer', { body: '{"2024-01-01": {' }, 'ANALYTICS_QUERY_FAILED'],
    ['an oversized answer', { body: ' '.repeat(9 * 1024 * 1024) }, 'ANALYTICS_QUERY_FAILED'],
    [
      'a redirect to a private address',
      { status: 302, body: '', headers: { location: 'http://169.254.169.254/' } },
      'ANALYTICS_SERVICE_UNAVAILABLE',
    ],
  ];

  it('[IG38] reports a broken answer with a documented code', async () => {
    let answer: DoubleAnswer | undefined;
    const { program, double } = await openMixpanel(() => answer);
    for (const [title, next, code] of brokenAnswers) {
      answer = next;
      const failure = await program.fail(tool, { metric_type: 'retention' });
      expect(failure, title).toMatchObject({ code });
      expect(JSON.stringify(failure), title).not.toContain(secret);
    }
    double.check();
    expect(program.logged()).not.toContain(secret);
  });
});
