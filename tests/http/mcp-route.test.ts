import { once } from 'node:events';
import { expect, test } from 'vitest';
import { accessLimits } from '#kernel/access/access-limits.ts';
import { localTenant, toTenantId } from '#kernel/call.ts';
import { bodyOf, openHttpFixture, openSocket, readToEnd, say, statusOf } from './http-server.fixture.ts';

test("passes the body's bytes and the authenticated caller to MCP unchanged", async () => {
  const { mcp, post, makeKey } = await openHttpFixture();
  const key = await makeKey(['read'], toTenantId('acme'));
  const sent = '{"jsonrpc":"2.0",  "id":1,"method":"ping","params":{"ü":"\\u0000"}}';
  const answer = await post('/mcp?x=1', sent, { authorization: `bearer ${key}` });
  expect(await answer.text()).toBe(sent);
  expect(mcp.seen).toEqual([
    {
      body: Buffer.from(sent),
      caller: { tenant: 'acme', actor: expect.stringMatching(/^key:/), scopes: new Set(['read']) },
    },
  ]);
});

test('joins a body of many chunks', async () => {
  const { server, key, mcp } = await openHttpFixture();
  const socket = await openSocket(server.port);
  const answer = readToEnd(socket);
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  for (const part of ['{"a"', ':"', 'b"}']) socket.write(`${part.length}\r\n${part}\r\n`);
  socket.write('0\r\n\r\n');
  expect(bodyOf((await answer).replace(/\r\n\r\n[0-9a-f]+\r\n(.*)\r\n0\r\n\r\n$/, '\r\n\r\n$1'))).toEqual({ a: 'b' });
  expect(mcp.seen[0]?.body.toString()).toBe('{"a":"b"}');
});

test('answers 401 without a key or with a forged, expired or revoked one, before MCP', async () => {
  const { post, mcp, makeKey, clock, access, key } = await openHttpFixture();
  const expired = await makeKey(['read'], localTenant, clock.now() + 10);
  const revoked = await makeKey();
  await access.revokeKey(localTenant, revoked.split('_').at(-2)!);
  clock.advance(10);
  const credentials = [
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    `Bearer ${key}0`,
    `Bearer ${expired}`,
    `Bearer ${revoked}`,
    key,
  ];
  for (const authorization of credentials) {
    const answer = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization });
    expect([authorization, answer.status]).toEqual([authorization, 401]);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="fourfold"/);
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { data: { name: 'UNAUTHORIZED' } },
    });
  }
  expect(mcp.seen).toEqual([]);
  expect((await post('/mcp', {})).status).toBe(200);
});

test('does not accept a key in the URL', async () => {
  const { server, key } = await openHttpFixture();
  const answer = await fetch(`${server.url}/mcp?access_token=${key}`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(401);
});

test('treats local callers as admin if keys are off', async () => {
  const { post, mcp } = await openHttpFixture({ settings: { auth: false } });
  expect((await post('/mcp', {}, { authorization: '' })).status).toBe(200);
  expect(mcp.seen[0]?.caller).toEqual({ tenant: 'local', actor: 'http', scopes: new Set(['admin']) });
});

test('rejects a body over the limit as a JSON-RPC error that the client can read', async () => {
  const { post, server, key, mcp } = await openHttpFixture({ settings: { bodyBytes: 1000 } });
  expect((await post('/mcp', 'x'.repeat(1000))).status).toBe(200);
  const answer = await post('/mcp', 'x'.repeat(1001));
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32001, data: { name: 'RESOURCE_LIMIT' } },
  });
  const big = await post('/mcp', 'x'.repeat(5_000_000));
  expect(big.status).toBe(413);
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`;
  const chunked = await say(server.port, `${head}${chunk}${chunk}0\r\n\r\n`);
  expect(statusOf(chunked)).toBe(413);
  expect(mcp.seen).toHaveLength(1);
});

test('shows the error to a client that sends everything before it reads', async () => {
  const { server, key } = await openHttpFixture({ settings: { bodyBytes: 1000 } });
  const socket = await openSocket(server.port);
  const bytes = 8_000_000;
  socket.pause();
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.write(Buffer.alloc(bytes), resolve));
  expect(statusOf(await readToEnd(socket.resume()))).toBe(413);
});

test('disconnects an endless chunked body soon after the error', async () => {
  const { server, key } = await openHttpFixture({ settings: { bodyBytes: 1000 }, limits: { lingerMs: 50 } });
  const socket = await openSocket(server.port);
  const answer = readToEnd(socket);
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const pump = setInterval(() => socket.write(`3e8\r\n${'x'.repeat(1000)}\r\n`), 1);
  const said = await answer;
  clearInterval(pump);
  expect(statusOf(said)).toBe(413);
});

test('uses error codes outside the range that revision 2026-07-28 reserves', async () => {
  const { post } = await openHttpFixture();
  const answer = await post('/mcp', {}, { authorization: '', 'mcp-protocol-version': '2026-07-28' });
  expect(await answer.json()).toMatchObject({ error: { code: -31004 } });
});

test('lists the allowed methods for other methods than POST, GET and DELETE', async () => {
  const { server, key } = await openHttpFixture();
  for (const method of ['PUT', 'PATCH', 'HEAD']) {
    const answer = await fetch(`${server.url}/mcp`, { method, headers: { authorization: `Bearer ${key}` } });
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST, GET, DELETE']);
  }
});

test('logs a bug behind /mcp in full and shows only its id', async () => {
  const { post, log } = await openHttpFixture();
  const answer = await post('/mcp', 'explode');
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).not.toMatch(/swordfish|stack|\.ts/);
  const line = log.lines.find(({ level }) => level === 'error');
  expect(String(line?.fields['error'])).toContain('swordfish');
  expect(text).toContain(String(line?.fields['id']));
  expect((await post('/mcp', {})).status).toBe(200);
});

test('cleans up after a client that disconnects in the middle of its body', async () => {
  const { server, key, mcp, post, log } = await openHttpFixture();
  const socket = await openSocket(server.port);
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n{"half`,
  );
  await new Promise((resolve) => setImmediate(resolve));
  socket.resetAndDestroy();
  await once(socket, 'close');
  expect((await post('/mcp', {})).status).toBe(200);
  expect(mcp.seen).toHaveLength(1);
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('ends an open stream when its key is revoked, also by another process', async () => {
  const { server, openAccess, clock, makeKey } = await openHttpFixture({ limits: { credentialCheckMs: 10 } });
  const key = await makeKey(['read']);
  const stream = await fetch(`${server.url}/mcp`, { headers: { authorization: `Bearer ${key}` } });
  expect(stream.status).toBe(200);
  await openAccess().revokeKey(localTenant, key.split('_').at(-2)!);
  clock.advance(accessLimits.keyTrustMs);
  await expect(stream.text()).rejects.toThrow('terminated');
});
