import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import { makeFolder } from '#tests/support/program.ts';
import { openHttpFixture, say, statusOf } from './http-server.fixture.ts';

test('healthz answers while readyz reports what is missing', async () => {
  let ok = true;
  const { get, clock } = await openHttpFixture({
    ready: async () => ({ ok, checks: { store: ok ? 'reachable' : 'gone' } }),
  });
  expect(await (await get('/readyz')).json()).toEqual({ ready: true, checks: { store: 'reachable' } });
  ok = false;
  clock.advance(1_000);
  const answer = await get('/readyz');
  expect([answer.status, await answer.json()]).toEqual([503, { ready: false, checks: { store: 'gone' } }]);
  expect((await get('/healthz')).status).toBe(200);
});

test('reports not ready if the readiness check hangs or throws', async () => {
  const hanging = await openHttpFixture({ ready: () => new Promise(() => {}), limits: { readyMs: 10 } });
  expect((await hanging.get('/readyz')).status).toBe(503);
  const throwing = await openHttpFixture({ ready: () => Promise.reject(new Error('/home/someone/secret')) });
  const answer = await throwing.get('/readyz');
  expect([answer.status, (await answer.text()).includes('someone')]).toEqual([503, false]);
});

test('shares one store query among concurrent readiness requests', async () => {
  let looks = 0;
  const { get } = await openHttpFixture({
    ready: async () => {
      looks += 1;
      return { ok: true, checks: {} };
    },
  });
  await Promise.all(Array.from({ length: 10 }, () => get('/readyz')));
  expect(looks).toBe(1);
});

test('counts calls by canonical name and faults by code in the Prometheus format', async () => {
  const { post, get } = await openHttpFixture();
  await post('/api/tools/test_echo_text', {});
  await post('/api/tools/test/echoText', { text: 1 });
  await post('/mcp', {}, { authorization: '' });
  const answer = await get('/metrics');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  for (const line of [
    'fourfold_info{version="1.2.3-test"} 1',
    'fourfold_calls_total{method="test/echoText"} 2',
    'fourfold_call_errors_total{method="test/echoText"} 1',
    'fourfold_faults_total{code="INVALID_PARAMS"} 1',
    'fourfold_http_refusals_total{code="UNAUTHORIZED"} 1',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
  expect(await (await get('/metrics')).text()).toContain('fourfold_calls_total{method="test/echoText"} 2\n');
});

const askForMetrics = async (port: number, lines: readonly string[], version = '1.1') =>
  statusOf(await say(port, `GET /metrics HTTP/${version}\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`));

test('serves metrics locally without a key, but not to a proxy', async () => {
  const { server, key } = await openHttpFixture();
  expect(await askForMetrics(server.port, ['Host: localhost'])).toBe(200);
  for (const header of ['X-Forwarded-For: 10.0.0.1', 'Forwarded: for=10.0.0.1', 'X-Forwarded-Host: x', 'Via: 1.1 x'])
    expect([header, await askForMetrics(server.port, ['Host: localhost', header])]).toEqual([header, 401]);
  expect(await askForMetrics(server.port, ['Host: localhost'], '1.0')).toBe(401);
  expect(await askForMetrics(server.port, ['Host: localhost', 'Via: 1.1 x', `Authorization: Bearer ${key}`])).toBe(200);
});

test('regards no request as local if the settings name other hosts', async () => {
  const { server, key } = await openHttpFixture({ settings: { allowedHosts: ['memory.example.com'] } });
  for (const host of ['localhost', 'memory.example.com']) {
    expect(await askForMetrics(server.port, [`Host: ${host}`])).toBe(401);
    expect(await askForMetrics(server.port, [`Host: ${host}`, `Authorization: Bearer ${key}`])).toBe(200);
  }
});

test('serves metrics at the configured path, or not at all', async () => {
  const moved = await openHttpFixture({ settings: { metricsPath: '/internal/metrics' } });
  expect((await moved.get('/internal/metrics')).status).toBe(200);
  expect((await moved.get('/metrics')).status).toBe(404);
  const off = await openHttpFixture({ settings: { metrics: false } });
  expect((await off.get('/metrics')).status).toBe(404);
});

test('serves the registry without code as tools.json', async () => {
  const { get, registry } = await openHttpFixture();
  const served = (await (await get('/tools.json')).json()) as { tools: unknown[] };
  expect(served.tools).toEqual(JSON.parse(JSON.stringify(registry.cards)));
});

test('shows metrics only to callers with a key unless the setting allows local programs', async () => {
  const { get, key, makeKey } = await openHttpFixture({ settings: { metricsAuth: 'key' } });
  expect((await get('/metrics')).status).toBe(401);
  expect((await get('/metrics', { authorization: `Bearer ${key}` })).status).toBe(200);
  const other = await get('/metrics', { authorization: `Bearer ${await makeKey(['admin'], toTenantId('acme'))}` });
  expect(other.status).toBe(403);
  expect(await other.text()).toContain('a key of the tenant local');
});

test('serves the page of the dashboard with a new nonce, its files by name, and nothing outside its folder', async () => {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<meta name="csp-nonce" content="__NONCE__">');
  writeFileSync(join(folder, 'assets/app-1.js'), 'let a = 1;');
  writeFileSync(join(folder, 'secret.js'), 'secret');
  const { get } = await openHttpFixture({ dashboardFolder: folder });
  const [first, second] = [await get('/'), await get('/truth/ent_1?at=2026')];
  const policy = first.headers.get('content-security-policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  expect(nonce.length).toBeGreaterThan(20);
  expect(await first.text()).toContain(nonce);
  expect(second.headers.get('content-security-policy')).not.toBe(policy);
  expect(policy).not.toMatch(/unsafe|https?:/);
  const file = await get('/assets/app-1.js');
  expect([file.headers.get('content-type'), file.headers.get('content-encoding'), await file.text()]).toEqual([
    'text/javascript; charset=utf-8',
    'gzip',
    'let a = 1;',
  ]);
  for (const path of ['/assets/../secret.js', '/assets/..%2fsecret.js', '/assets/app-2.js', '/assets/index.html'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test('says how to build the dashboard where it is not built', async () => {
  const { get } = await openHttpFixture({ dashboardFolder: '/nowhere' });
  const answer = await get('/');
  expect([answer.status, await answer.json()]).toMatchObject([
    404,
    { error: { data: { suggestion: 'Run npm run build.' } } },
  ]);
});

test('adds the security headers to every answer except calls, errors included', async () => {
  const { get } = await openHttpFixture();
  for (const path of [
    '/',
    '/healthz',
    '/readyz',
    '/tools.json',
    '/metrics',
    '/nowhere',
    '/api/events',
    '/%ff',
    '/a//b',
  ]) {
    const { headers, status } = await get(path);
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(status).toBeLessThan(500);
  }
});

test('serves resource metadata at both well-known paths only with OAuth, and names it in challenges', async () => {
  const without = await openHttpFixture();
  expect((await without.get('/.well-known/oauth-protected-resource')).status).toBe(404);
  const oauth = {
    issuer: 'https://login.example.com',
    audience: 'x',
    jwks: { keys: [] },
    tenantClaim: 'org',
    scopeClaim: 'scope',
  };
  const { get, post, server } = await openHttpFixture({ settings: { oauth } });
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    expect(await (await get(path)).json()).toMatchObject({
      resource: `${server.url}/mcp`,
      authorization_servers: ['https://login.example.com'],
    });
  }
  const refused = await post('/mcp', {}, { authorization: '' });
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer realm="fourfold", resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`,
  );
});

test('answers a fault in JSON for an unknown path', async () => {
  const { get } = await openHttpFixture();
  const answer = await get('/nowhere');
  expect([answer.status, await answer.json()]).toMatchObject([404, { error: { data: { name: 'NOT_FOUND' } } }]);
});
