import { expect, test } from 'vitest';
import { bodyOf, openHttpFixture, say, statusOf } from './http-server.fixture.ts';

const request = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;

test.each([
  ['another name', 'Host: evil.example.com'],
  ['a name that begins like ours', 'Host: localhost.evil.example.com'],
  ['a name that ends like ours', 'Host: evil-localhost'],
  ['a user part', 'Host: localhost@evil.example.com'],
  ['another address', 'Host: 192.168.1.1:8787'],
  ['nothing', 'Host:'],
])('rejects a request with Host %s on every route', async (_title, host) => {
  const { server } = await openHttpFixture();
  for (const path of ['/mcp', '/api/tools/test_whoami', '/', '/healthz', '/metrics']) {
    const answer = await say(server.port, request([`GET ${path} HTTP/1.1`, host, 'Connection: close']));
    expect([path, statusOf(answer)]).toEqual([path, 403]);
    expect(answer).toContain('FOREIGN_HOST');
  }
});

test('accepts loopback names and those of the settings, with any port and case', async () => {
  const { server } = await openHttpFixture({ settings: { allowedHosts: ['Memory.Example.com', 'fe80::1'] } });
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:8787', '[::1]:9', 'memory.example.com:443', '[fe80::1]']) {
    const answer = await say(server.port, request(['GET /healthz HTTP/1.1', `Host: ${host}`, 'Connection: close']));
    expect([host, statusOf(answer)]).toEqual([host, 200]);
  }
});

test('accepts only the address that a client used when bound to every address', async () => {
  const { server } = await openHttpFixture({ settings: { host: '0.0.0.0' } });
  const ask = (host: string) =>
    say(server.port, request(['GET /healthz HTTP/1.1', `Host: ${host}`, 'Connection: close']));
  expect(statusOf(await ask('127.0.0.1'))).toBe(200);
  expect(statusOf(await ask('10.0.0.1'))).toBe(403);
  expect(statusOf(await ask('0.0.0.0'))).toBe(403);
});

test('rejects a foreign page even with a valid key, and serves local pages', async () => {
  const { post, server } = await openHttpFixture();
  const { port } = server;
  for (const origin of [
    'https://evil.example.com',
    'null',
    'file://',
    'http://localhost:3000',
    'http://127.0.0.1:9999',
    'http://localhost',
    `http://localhost:${port}0`,
    `http://localhost:${port}@evil.example.com`,
    'http://localhost.evil.example.com',
    'http://localhost/x',
  ]) {
    const answer = await post('/mcp', {}, { origin });
    expect([origin, answer.status]).toEqual([origin, 403]);
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { data: { name: 'FOREIGN_ORIGIN' } },
    });
  }
  for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`]) {
    const answer = await post('/mcp', {}, { origin });
    expect([origin, answer.status]).toEqual([origin, 200]);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('answers preflights of allowed origins only, whose pages may read the answer', async () => {
  const { server, post } = await openHttpFixture({ settings: { allowedOrigins: ['https://app.example.com'] } });
  const preflight = (origin: string) =>
    fetch(`${server.url}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, mcp-session-id, x-evil, content-type',
      },
    });
  const allowed = await preflight('https://app.example.com');
  expect(allowed.status).toBe(204);
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    'access-control-allow-origin': 'https://app.example.com',
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'authorization, mcp-session-id, content-type',
    vary: 'Origin',
  });
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
  const answer = await post('/mcp', {}, { origin: 'https://app.example.com' });
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  const local = await preflight('http://localhost:3000');
  expect(local.headers.get('access-control-allow-origin')).toBeNull();
  expect((await preflight('https://app.example.com.evil.com')).status).toBe(403);
  expect((await preflight('http://app.example.com')).status).toBe(403);
});

test.each([
  ['two Host headers', ['GET /healthz HTTP/1.1', 'Host: localhost', 'Host: evil.example.com']],
  ['no Host header', ['GET /healthz HTTP/1.1']],
  ['a whole address as its target', ['GET http://evil.example.com/mcp HTTP/1.1', 'Host: localhost']],
  ['a target that is not a path', ['OPTIONS * HTTP/1.1', 'Host: localhost']],
  ['a length and chunks', ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Length: 3', 'Transfer-Encoding: chunked']],
  ['two lengths', ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Length: 3', 'Content-Length: 4']],
  ['a length that is none', ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Length: -1']],
  ['an unknown encoding', ['POST /mcp HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: xchunked']],
  ['a header with a blank before its colon', ['GET /healthz HTTP/1.1', 'Host : localhost']],
  ['a folded header', ['GET /healthz HTTP/1.1', 'Host: localhost', 'X-A: 1', ' folded']],
  ['a bare line feed in a header', ['GET /healthz HTTP/1.1', 'Host: localhost', 'X-A: 1\nX-B: 2']],
  ['no HTTP at all', ['\u0016\u0003\u0001 hello']],
])('answers 400 and closes the connection for a request with %s', async (_title, lines) => {
  const { server, mcp, get } = await openHttpFixture();
  const answer = await say(server.port, request([...lines, 'Connection: close']));
  expect(statusOf(answer)).toBe(400);
  expect(answer).not.toMatch(/\bat .*:\d+:\d+/);
  expect(mcp.seen).toEqual([]);
  expect((await get('/healthz')).status).toBe(200);
});

test('rejects oversized headers, and the next request works', async () => {
  const { server, get } = await openHttpFixture();
  const lines = ['GET /healthz HTTP/1.1', 'Host: localhost', `X-Long: ${'x'.repeat(20_000)}`];
  expect(statusOf(await say(server.port, request(lines)))).toBe(431);
  expect((await get('/healthz')).status).toBe(200);
});

test('does not take a body sent to the wrong host for the next request', async () => {
  const { server, mcp } = await openHttpFixture();
  const smuggled = request(['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Length: 0']);
  const lines = ['POST /mcp HTTP/1.1', 'Host: evil.example.com', `Content-Length: ${smuggled.length}`];
  const answer = await say(server.port, request(lines) + smuggled);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(bodyOf(answer)).toMatchObject({ jsonrpc: '2.0', error: { data: { name: 'FOREIGN_HOST' } } });
  expect(mcp.seen).toEqual([]);
});

test('regards a page of a host in the settings as its own on the usual port, and on that of the request', async () => {
  const { server, key } = await openHttpFixture({ settings: { allowedHosts: ['memory.example.com'] } });
  const ask = async (host: string, origin: string) =>
    statusOf(
      await say(
        server.port,
        request([
          'POST /api/tools/test_whoami HTTP/1.1',
          `Host: ${host}`,
          `Origin: ${origin}`,
          `Authorization: Bearer ${key}`,
          'Content-Length: 0',
          'Connection: close',
        ]),
      ),
    );
  expect(await ask('memory.example.com', 'https://memory.example.com')).toBe(200);
  expect(await ask('127.0.0.1:8787', 'https://memory.example.com')).toBe(200);
  expect(await ask('memory.example.com:8443', 'https://memory.example.com:8443')).toBe(200);
  expect(await ask('localhost:8080', 'http://localhost:8080')).toBe(200);
  expect(await ask('memory.example.com', 'https://memory.example.com:8443')).toBe(403);
  expect(await ask('localhost:8080', 'http://localhost:3000')).toBe(403);
  expect(await ask('localhost:8080', 'https://memory.example.com.evil.example.com')).toBe(403);
});

test('without keys, rejects what a form of a foreign page or a proxy could send', async () => {
  const { server, meter } = await openHttpFixture({ settings: { auth: false } });
  const ask = async (...lines: readonly string[]) =>
    statusOf(
      await say(
        server.port,
        request([
          'POST /api/tools/test_whoami HTTP/1.1',
          'Host: localhost',
          ...lines,
          'Content-Length: 0',
          'Connection: close',
        ]),
      ),
    );
  expect(await ask()).toBe(415);
  expect(await ask('Content-Type: text/plain')).toBe(415);
  expect(await ask('Content-Type: application/x-www-form-urlencoded')).toBe(415);
  expect(await ask('Content-Type: application/json', 'Origin: http://localhost:3000')).toBe(403);
  expect(await ask('Content-Type: application/json', 'X-Forwarded-For: 10.0.0.1')).toBe(401);
  expect(await ask('Content-Type: application/json', 'Forwarded: for=10.0.0.1')).toBe(401);
  expect(meter.snapshot()).toEqual([]);
  expect(await ask('Content-Type: application/json')).toBe(200);
});

test('rejects compressed bodies and unknown encodings on every route', async () => {
  const { post, mcp } = await openHttpFixture();
  for (const path of ['/mcp', '/api/tools/test_whoami']) {
    for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'nonsense']) {
      const answer = await post(path, '{}', { 'content-encoding': encoding });
      expect([path, encoding, answer.status]).toEqual([path, encoding, 415]);
      expect(answer.headers.get('accept-encoding')).toBe('identity');
      expect(await answer.text()).toContain('UNSUPPORTED_ENCODING');
    }
    expect((await post(path, '{}', { 'content-encoding': 'identity' })).status).toBe(200);
  }
  expect(mcp.seen).toHaveLength(1);
});
