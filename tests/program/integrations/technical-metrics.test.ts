import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeFolder } from '#tests/support/program.ts';
import { prometheusPackage, startPrometheus, type TestPrometheus } from '#tests/support/prometheus.ts';
import { type DoubleAnswer, type DoubleRequest, startDouble } from '#tests/support/service-double.ts';
import {
  engines,
  type Json,
  openTruth,
  payloadInput,
  serveTruth,
  type TruthProgram,
} from '../truth/truth-program.fixture.ts';

interface Answer {
  readonly values: readonly { readonly timestamp: string; readonly value: number }[];
  readonly time_range: { readonly start: string; readonly end: string };
  readonly metadata: Json;
  readonly source: string;
  readonly hint?: string;
}

const tool = 'get_technical_metrics';
const documented = [
  'neotoma_record_upload_duration_ms',
  'neotoma_record_upload_total',
  'neotoma_search_duration_ms',
  'neotoma_extraction_errors_total',
  'neotoma_mcp_error_rate',
  'neotoma_graph_orphan_nodes_total',
  'neotoma_db_connection_pool_usage',
];

const numbers = ({ values }: Answer): readonly number[] => values.map(({ value }) => value);

async function open(env: Readonly<Record<string, string>>, engine: (typeof engines)[number] = 'SQLite') {
  const program = await openTruth(engine, env);
  onTestFinished(() => program.close());
  return program;
}

describe.each(engines)('[IG30] without Prometheus, on %s', (engine) => {
  it('answers every documented metric from what this process has measured', async () => {
    const { call, fail, files } = await open({}, engine);
    await call('store_record', { type: 'note', properties: { text: 'one' } });
    await call('submit_payload', payloadInput());
    await call('store_fact', { subject: { type: 'person', name: 'Ada' } });
    await fail('store_record', { type: '', properties: {} });
    writeFileSync(join(files, 'a.bin'), Buffer.from([0, 1, 2, 3, 255]));
    await fail('upload_file', { file_path: join(files, 'a.bin') });
    await call('retrieve_records', {});

    const sum = async (name: string, more: Json = {}) =>
      numbers(await call<Answer>(tool, { metric_name: name, aggregation: 'sum', step: '1h', ...more }));
    expect(await sum('neotoma_record_upload_total')).toEqual([4]);
    expect(await sum('neotoma_record_upload_total', { labels: { status: 'error' } })).toEqual([2]);
    expect(await sum('neotoma_extraction_errors_total', { labels: { error_code: 'UNSUPPORTED_FILE_TYPE' } })).toEqual([
      1,
    ]);
    expect(await sum('neotoma_record_upload_duration_ms', { aggregation: 'count' })).toEqual([4]);
    expect(await sum('neotoma_search_duration_ms', { aggregation: 'count' })).toEqual([1]);
    expect((await sum('neotoma_mcp_error_rate', { aggregation: 'max' }))[0]).toBeGreaterThan(0);
    // The invoice, its vendor and its customer are connected; Ada is not.
    expect(await sum('neotoma_graph_orphan_nodes_total', { aggregation: 'max' })).toEqual([1]);
    const [usage] = await sum('neotoma_db_connection_pool_usage', { aggregation: 'max' });
    expect(usage).toBeGreaterThanOrEqual(0);
    expect(usage).toBeLessThanOrEqual(1);
    const answer = await call<Answer>(tool, { metric_name: documented[0], aggregation: 'p95' });
    expect(answer).toMatchObject({
      source: 'embedded',
      metadata: { unit: 'ms', description: expect.stringContaining('upload duration') },
      values: [{ timestamp: expect.stringMatching(/Z$/), value: expect.any(Number) }],
    });
  });
});

describe('[IG32] bad questions', () => {
  let program: TruthProgram;
  beforeAll(async () => {
    program = await openTruth('SQLite');
  });
  afterAll(() => program.close());
  const name = documented[0];

  it.each<readonly [string, Json, string, string]>([
    [
      'a name that does not exist',
      { metric_name: 'neotoma_search_ms' },
      'METRIC_NOT_FOUND',
      'neotoma_search_duration_ms',
    ],
    ['a name that is PromQL', { metric_name: 'up or vector(1)' }, 'VALIDATION_ERROR', 'metric_name'],
    ['an unknown aggregation', { metric_name: name, aggregation: 'median' }, 'VALIDATION_ERROR', 'aggregation'],
    ['a label name that is PromQL', { metric_name: name, labels: { 'a"}': 'x' } }, 'VALIDATION_ERROR', 'labels'],
    ['the label of the name', { metric_name: name, labels: { __name__: 'up' } }, 'VALIDATION_ERROR', 'labels'],
    ['a step without a unit', { metric_name: name, step: '60' }, 'VALIDATION_ERROR', 'step'],
    [
      'an end before the start',
      { metric_name: name, time_range: { start: '2026-01-02T00:00:00Z', end: '2026-01-01T00:00:00Z' } },
      'VALIDATION_ERROR',
      'later than',
    ],
    [
      'a day that does not exist',
      { metric_name: name, time_range: { start: '2026-02-30T00:00:00Z', end: '2026-03-01T00:00:00Z' } },
      'VALIDATION_ERROR',
      'time_range',
    ],
    [
      'a year at steps of a second',
      { metric_name: name, time_range: { start: '2025-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z' }, step: '1s' },
      'VALIDATION_ERROR',
      'use step 6h',
    ],
  ])('%s', async (_, args, code, text) => {
    const failure = await program.fail(tool, args);
    expect(failure.code).toBe(code);
    expect(JSON.stringify(failure)).toContain(text);
  });
});

/** A day of values, one every 15 minutes. Uploads take 20 to 40 ms, and every tenth fails. */
function makeHistory(): string {
  const startS = Date.UTC(2024, 0, 15) / 1_000;
  const times = Array.from({ length: 24 * 4 + 1 }, (_, i) => [i, startS + i * 900] as const);
  const series = (name: string, valueAt: (i: number) => number): string =>
    times.map(([i, at]) => `${name} ${valueAt(i)} ${at}\n`).join('');
  return [
    '# TYPE neotoma_record_upload_duration_ms histogram\n',
    series('neotoma_record_upload_duration_ms_bucket{le="20"}', () => 0),
    series('neotoma_record_upload_duration_ms_bucket{le="40"}', (i) => i * 10),
    series('neotoma_record_upload_duration_ms_bucket{le="+Inf"}', (i) => i * 10),
    series('neotoma_record_upload_duration_ms_count', (i) => i * 10),
    series('neotoma_record_upload_duration_ms_sum', (i) => i * 300),
    '# TYPE neotoma_record_upload counter\n',
    series('neotoma_record_upload_total{status="success"}', (i) => i * 9),
    series('neotoma_record_upload_total{status="error"}', (i) => i),
    '# TYPE neotoma_mcp_error_rate gauge\n',
    series('neotoma_mcp_error_rate', (i) => (i % 4) / 10),
    '# TYPE node_load1 gauge\n',
    series('node_load1{path="C:\\\\a \\"b\\""}', () => 3),
    '# EOF\n',
  ].join('');
}

/** The configuration that the how-to page shows, with the address and key of this server and shorter intervals. */
function pageConfig(host: string, keyFile: string): string {
  const page = readFileSync(new URL('../../../docs/how-to/watch-with-prometheus.md', import.meta.url), 'utf8');
  const [, shown = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const config = shown
    .replace('127.0.0.1:8787', host)
    .replace('/etc/prometheus/fourfold-key', keyFile)
    .replace('15s', '1s');
  for (const part of [host, keyFile, '1s']) expect(config).toContain(part);
  return config;
}

const missing = prometheusPackage.reason;

describe.skipIf(missing !== undefined)(
  `[IG31] with a real Prometheus${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let prometheus: TestPrometheus;
    let program: TruthProgram;
    const { folder, remove } = makeFolder();

    beforeAll(async () => {
      prometheus = await startPrometheus({ folder, history: makeHistory() });
      program = await openTruth('SQLite', { FOURFOLD_PROMETHEUS_URL: prometheus.url });
    });
    afterAll(async () => {
      await program?.close();
      await prometheus?.stop();
      remove();
    });

    const day = { start: '2024-01-15T00:00:00Z', end: '2024-01-15T23:59:59Z' };
    const ask = (metric_name: string, more: Json = {}) =>
      program.call<Answer>(tool, { metric_name, time_range: day, step: '1h', ...more });

    it('answers the documented example', async () => {
      const answer = await ask('neotoma_record_upload_duration_ms', { aggregation: 'p95' });
      expect(answer).toMatchObject({
        metric_name: 'neotoma_record_upload_duration_ms',
        aggregation: 'p95',
        time_range: { start: '2024-01-15T00:00:00.000Z', end: '2024-01-15T23:59:59.000Z' },
        metadata: { unit: 'ms' },
        source: 'prometheus',
      });
      expect(answer.values).toHaveLength(24);
      expect(answer.values[0]!.timestamp).toBe('2024-01-15T00:00:00.000Z');
      for (const { value } of answer.values) expect(value).toBeCloseTo(39, 6);
    });

    it.each([
      ['avg', 30],
      ['p50', 30],
      ['max', 40],
      ['min', 20],
      ['count', 40],
      ['sum', 1200],
    ])('computes %s of a histogram', async (aggregation, expected) => {
      const [, second] = numbers(await ask('neotoma_record_upload_duration_ms', { aggregation }));
      expect(second).toBeCloseTo(expected, 3);
    });

    it('computes increases of a counter, by label', async () => {
      const increase = async (more: Json) => numbers(await ask('neotoma_record_upload_total', more))[1];
      expect(await increase({ aggregation: 'sum' })).toBeCloseTo(40, 6);
      expect(await increase({ aggregation: 'sum', labels: { status: 'error' } })).toBeCloseTo(4, 6);
      expect(await increase({ aggregation: 'max' })).toBeCloseTo(36, 6);
      expect(await increase({})).toBeCloseTo(20, 6);
    });

    it('computes values of a gauge over time', async () => {
      const gauge = async (aggregation: string) => numbers(await ask('neotoma_mcp_error_rate', { aggregation }))[1];
      expect(await gauge('max')).toBeCloseTo(0.3);
      expect(await gauge('min')).toBe(0);
      expect(await gauge('p50')).toBeGreaterThan(0);
    });

    it('takes any text as the value of a label', async () => {
      const labels = { path: 'C:\\a "b"' };
      expect(numbers(await ask('node_load1', { labels }))[1]).toBe(3);
      expect(await ask('node_load1', { labels: { path: 'x"} or vector(9) #' } })).toMatchObject({
        values: [],
        hint: expect.stringContaining('No values'),
      });
    });

    it('distinguishes a metric without values from one that does not exist', async () => {
      const later = { start: '2025-01-01T00:00:00Z', end: '2025-01-02T00:00:00Z' };
      expect((await ask('neotoma_mcp_error_rate', { time_range: later })).values).toEqual([]);
      expect((await program.fail(tool, { metric_name: 'neotoma_nothing' })).code).toBe('METRIC_NOT_FOUND');
    });

    it('shows metrics of other programs to admins only', async () => {
      const shared = await serveTruth('SQLite', { FOURFOLD_PROMETHEUS_URL: prometheus.url });
      onTestFinished(() => shared.stop());
      const key = await shared.makeKey('acme');
      const args = { metric_name: 'node_load1', time_range: day, step: '1h' };
      expect(await shared.post(key, tool, args)).toMatchObject({ status: 404, error: { code: 'METRIC_NOT_FOUND' } });
      expect(await shared.post(key, tool, { ...args, metric_name: 'neotoma_mcp_error_rate' })).toMatchObject({
        status: 200,
        body: { source: 'prometheus' },
      });
    });

    it('scrapes every documented metric from this server, with its type', async () => {
      const shared = await serveTruth('SQLite');
      const { folder: own, remove: removeOwn } = makeFolder();
      const keyFile = join(own, 'key');
      writeFileSync(keyFile, await shared.makeKey('local'));
      const config = pageConfig(new URL(shared.served.url).host, keyFile);
      const scraper = await startPrometheus({ folder: own, config });
      const reader = await openTruth('SQLite', { FOURFOLD_PROMETHEUS_URL: scraper.url });
      onTestFinished(async () => {
        await reader.close();
        await scraper.stop();
        await shared.stop();
        removeOwn();
      });
      const client = await shared.connect(await shared.makeKey('acme'));
      let stored = 0;
      await vi.waitFor(
        async () => {
          stored += 1;
          await client.call('store_record', { type: 'note', properties: { text: `note ${stored}` } });
          await client.call('retrieve_records', {});
          const count = { metric_name: documented[0], aggregation: 'count', step: '1h' };
          expect(numbers(await reader.call<Answer>(tool, count))[0]).toBeGreaterThan(0);
        },
        { timeout: 120_000, interval: 500 },
      );
      for (const metric_name of documented) {
        const answer = await reader.call<Answer>(tool, { metric_name, aggregation: 'max', step: '1h' });
        expect([metric_name, answer.source, answer.metadata['description']]).toEqual([
          metric_name,
          'prometheus',
          expect.any(String),
        ]);
      }
      const types = (await (await fetch(`${scraper.url}/api/v1/metadata`)).json()) as {
        readonly data: Readonly<Record<string, readonly { readonly type: string }[]>>;
      };
      expect(documented.map((name) => types.data[name]?.[0]?.type)).toEqual([
        'histogram',
        'counter',
        'histogram',
        'counter',
        'gauge',
        'gauge',
        'gauge',
      ]);
      await client.client.close();
    });
  },
);

/** The three paths of the HTTP API of Prometheus that are used, with their parameters. */
function checkRequest({ method, url, headers }: DoubleRequest, token: string): void {
  const parameters: Readonly<Record<string, readonly string[]>> = {
    '/prom/api/v1/label/__name__/values': ['match[]'],
    '/prom/api/v1/metadata': ['metric'],
    '/prom/api/v1/query_range': ['query', 'start', 'end', 'step'],
  };
  expect(method).toBe('GET');
  expect([...url.searchParams.keys()]).toEqual(parameters[url.pathname]);
  expect(headers.authorization).toBe(`Bearer ${token}`);
}

describe('[IG33] a Prometheus that fails', () => {
  const token = 'secret-token-of-prometheus';
  const html = '<html><body>Sign in</body></html>';

  const brokenAnswers: readonly (readonly [title: string, answer: DoubleAnswer, code: string, text: string])[] = [
    [
      'HTML instead of JSON',
      { body: html, headers: { 'content-type': 'text/html' } },
      'PROMETHEUS_QUERY_FAILED',
      'not JSON',
    ],
    ['half an answer', { body: '{"status":"success","data":[' }, 'PROMETHEUS_QUERY_FAILED', 'not JSON'],
    ['another JSON', { body: { status: 'success', data: 'x' } }, 'PROMETHEUS_QUERY_FAILED', 'not one of Prometheus'],
    [
      'its own error',
      { status: 422, body: { status: 'error', errorType: 'execution', error: 'x' } },
      'PROMETHEUS_QUERY_FAILED',
      'execution',
    ],
    ['status 401', { status: 401, body: '' }, 'PROMETHEUS_QUERY_FAILED', 'credentials'],
    ['status 500', { status: 500, body: html }, 'PROMETHEUS_QUERY_FAILED', '500'],
    ['status 429', { status: 429, body: '' }, 'METRICS_SERVICE_UNAVAILABLE', '429'],
    ['status 503', { status: 503, body: '' }, 'METRICS_SERVICE_UNAVAILABLE', '503'],
    ['an oversized answer', { body: ' '.repeat(9 * 1024 * 1024) }, 'PROMETHEUS_QUERY_FAILED', 'too large'],
    [
      'a redirect to a private address',
      { status: 302, body: '', headers: { location: 'http://10.0.0.1/' } },
      'METRICS_SERVICE_UNAVAILABLE',
      'public',
    ],
  ];

  it('is reported with a documented code and the reason, and without its token', async () => {
    let answer: DoubleAnswer = { body: {} };
    const double = await startDouble((request) => {
      checkRequest(request, token);
      return answer;
    });
    const { folder, remove } = makeFolder();
    writeFileSync(join(folder, 'token'), `${token}\n`);
    const program = await open({
      FOURFOLD_PROMETHEUS_URL: `${double.url}/prom/`,
      FOURFOLD_PROMETHEUS_TOKEN_FILE: join(folder, 'token'),
    });
    onTestFinished(async () => {
      await double.stop();
      remove();
    });
    for (const [title, next, code, text] of brokenAnswers) {
      answer = next;
      const before = double.requests.length;
      const failure = await program.fail(tool, { metric_name: documented[0] });
      expect(failure, title).toMatchObject({ code, message: expect.stringContaining(text) });
      expect(JSON.stringify(failure), title).not.toContain(token);
      expect(double.requests.length, title).toBeGreaterThan(before);
    }
    double.check();
    expect(program.logged()).not.toContain(token);
  });

  it('reports a service that is not there', async () => {
    const double = await startDouble(() => ({ body: '' }));
    await double.stop();
    const { fail } = await open({ FOURFOLD_PROMETHEUS_URL: double.url });
    const failure = await fail(tool, { metric_name: documented[0] });
    expect(failure).toMatchObject({
      code: 'METRICS_SERVICE_UNAVAILABLE',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});
