import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { httpLimits } from '#surfaces/http/http-limits.ts';
import { startHttp } from '#surfaces/http/start-http.ts';
import { openHttpFixture, openSocket, readToEnd, statusOf } from './http-server.fixture.ts';

async function takePort(port = 0) {
  const holder = createServer().listen(port, '127.0.0.1');
  await once(holder, 'listening');
  onTestFinished(() => void holder.close());
  return (holder.address() as { port: number }).port;
}

test('uses the next free port if one is taken', async () => {
  const { deps } = await openHttpFixture();
  const taken = await takePort();
  const server = await startHttp({ ...deps, settings: { ...deps.settings, port: taken, tries: 20 } });
  onTestFinished(() => server.close());
  expect(server.port).toBeGreaterThan(taken);
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test('reports one clear fault if no port is free', async () => {
  const { deps } = await openHttpFixture();
  const taken = await takePort();
  const settings = { ...deps.settings, port: taken, tries: 0 };
  await expect(startHttp({ ...deps, settings })).rejects.toMatchObject({
    code: 'CONFIG_ERROR',
    message: `port ${taken} on 127.0.0.1 is taken: stop the program that uses it, or choose another with --port`,
  });
});

test('reports one clear fault for an address of another machine', async () => {
  const { deps } = await openHttpFixture();
  const settings = { ...deps.settings, host: '192.0.2.1' };
  await expect(startHttp({ ...deps, settings })).rejects.toMatchObject({
    code: 'CONFIG_ERROR',
    message: expect.stringContaining('not an address of this machine'),
  });
});

test.each(['0.0.0.0', '::', '192.168.0.1', 'memory.example.com'])(
  'does not listen on %s without keys',
  async (host) => {
    const { deps } = await openHttpFixture();
    const settings = { ...deps.settings, auth: false, host };
    await expect(startHttp({ ...deps, settings })).rejects.toMatchObject({ code: 'CONFIG_ERROR' });
  },
);

test('lets running calls finish on close, rejects new ones and ends streams', async () => {
  const { server, post, get, key, started, released, mcp } = await openHttpFixture();
  const hold = Promise.withResolvers<void>();
  mcp.hold = hold.promise;
  const auth = { authorization: `Bearer ${key}` };
  const events = await get('/api/events', auth);
  const stream = await get('/mcp', auth);
  const apiCall = post('/api/tools/test/wait', {});
  const mcpCall = post('/mcp', { id: 1 });
  await started.promise;
  await expect.poll(() => mcp.seen.length).toBe(2);
  let isClosed = false;
  const closing = server.close().then(() => {
    isClosed = true;
  });
  expect(await events.text()).toContain('retry');
  await expect(get('/healthz', { connection: 'close' })).rejects.toThrow('fetch failed');
  expect(isClosed).toBe(false);
  released.resolve();
  hold.resolve();
  expect(await (await apiCall).json()).toEqual({ waited: true });
  expect(await (await mcpCall).json()).toEqual({ id: 1 });
  expect(await stream.text()).toContain('open');
  await closing;
  expect(mcp.heldAtClose).toBe(0);
  await server.close();
});

test('closes despite a connection without any request', async () => {
  const { server } = await openHttpFixture({ limits: { shutdownMs: 600_000 } });
  const fresh = await openSocket(server.port);
  const used = await openSocket(server.port);
  used.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(used, 'data');
  const ended = Promise.all([fresh, used].map((socket) => readToEnd(socket)));
  await server.close();
  await ended;
});

test('cuts off calls that do not finish in time', async () => {
  const { server, post, started, mcp } = await openHttpFixture({ limits: { shutdownMs: 50 } });
  mcp.hold = new Promise(() => {});
  const cut = Promise.allSettled([post('/api/tools/test/wait', {}), post('/mcp', {})]);
  await started.promise;
  await expect.poll(() => mcp.seen.length).toBe(1);
  await server.close();
  expect((await cut).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('disconnects a client that sends its headers or body slowly', async () => {
  const patience = { headersMs: 400, requestMs: 400, connectionsCheckMs: 20 };
  const { server, key, get } = await openHttpFixture({ limits: patience });
  const slow = [
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-',
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: 9000\r\n\r\n{`,
  ];
  for (const beginning of slow) {
    const socket = await openSocket(server.port);
    const answer = readToEnd(socket);
    socket.write(beginning);
    const dribble = setInterval(() => socket.write('a'), 30);
    const said = await answer;
    clearInterval(dribble);
    expect(statusOf(said)).toBe(408);
  }
  expect((await get('/healthz')).status).toBe(200);
});

test('has timeouts by default', () => {
  expect(httpLimits.headersMs).toBeLessThanOrEqual(httpLimits.requestMs);
  expect(Object.values(httpLimits).every((limit) => limit > 0)).toBe(true);
});
