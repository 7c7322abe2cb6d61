import { once } from 'node:events';
import { expect, test } from 'vitest';
import { localTenant } from '#kernel/call.ts';
import { limits } from '#kernel/limits.ts';
import { faultBytes } from '#tests/support/fault-bytes.ts';
import { openHttpFixture, openSocket } from './http-server.fixture.ts';

test("answers a tool's bare result under each of its spellings", async () => {
  const { post, meter } = await openHttpFixture();
  for (const name of ['test/echoText', 'test%2FechoText', 'test_echoText', 'test_echo_text']) {
    const answer = await post(`/api/tools/${name}`, { text: 'ä' });
    expect([name, answer.status, await answer.json()]).toEqual([name, 200, { text: 'ä' }]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  }
  expect(meter.snapshot()).toMatchObject([{ method: 'test/echoText', count: 4, errors: 0 }]);
});

test('treats an empty body as a call without arguments', async () => {
  const { server, key } = await openHttpFixture();
  const answer = await fetch(`${server.url}/api/tools/test/whoami`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  expect(await answer.json()).toMatchObject({ tenant: 'local', scopes: ['write'] });
});

test('answers faults in the form of each family, with the status of the fault', async () => {
  const { post, log } = await openHttpFixture();
  const fail = async (name: string) => {
    const answer = await post(`/api/tools/${name}`, {});
    return [answer.status, await answer.json()];
  };
  const message = 'Not found: pad p1';
  expect(await fail('pad_fail')).toEqual([
    404,
    {
      ok: false,
      error: { code: 'NOT_FOUND', message, error: message, details: { scratch_id: 'p1', fix: expect.any(String) } },
    },
  ]);
  expect(await fail('doc_fail')).toEqual([404, { error: { message, details: { fix: expect.any(String) } } }]);
  const [status, traced] = await fail('fact_fail');
  expect([status, traced]).toEqual([
    404,
    {
      error: {
        code: 'NOT_FOUND',
        message,
        details: { scratch_id: 'p1', fix: expect.any(String) },
        trace_id: expect.any(String),
      },
    },
  ]);
  const traceId = (traced as { error: { trace_id: string } }).error.trace_id;
  // At a level that is logged by default.
  expect(log.lines.filter(({ fields }) => fields['traceId'] === traceId)).toMatchObject([{ level: 'info' }]);
  expect(await fail('no_such_tool')).toMatchObject([404, { error: { code: -32602, data: { name: 'UNKNOWN_TOOL' } } }]);
  expect(await fail('test/cliOnly')).toMatchObject([404, { error: { data: { name: 'UNKNOWN_TOOL' } } }]);
});

test('names the place of invalid arguments', async () => {
  const { post } = await openHttpFixture();
  for (const [sent, path] of [
    [{ text: 7 }, '/text'],
    [{ txt: 'x' }, ''],
    [[], ''],
    ['"text"', ''],
    ['null', undefined],
    ['{"__proto__":{"text":"x"}}', ''],
  ] as const) {
    const answer = await post('/api/tools/test/echoText', sent);
    if (path === undefined) {
      expect(answer.status).toBe(200);
      continue;
    }
    expect([sent, answer.status]).toEqual([sent, 400]);
    expect(await answer.json()).toMatchObject({ error: { code: -32602, data: { errors: [{ instancePath: path }] } } });
  }
});

test('answers nasty arguments within the limit of a fault', async () => {
  const { post } = await openHttpFixture({ settings: { bodyBytes: limits.messageBytes } });
  const manyKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
  const nasty = [
    ['many keys', manyKeys(50_000), 400],
    ['more keys than a message may have', manyKeys(limits.messageValuesCount + 1), 413],
    ['a long key', { ['k'.repeat(1_000_000)]: 1 }, 400],
    ['long keys of control characters', { ['\u0001'.repeat(100_000)]: 1, ['\u0080'.repeat(100_000)]: 1 }, 400],
    ['many items', Array.from({ length: 25_000 }, () => ({})), 400],
  ] as const;
  for (const [label, args, status] of nasty) {
    const answer = await post('/api/tools/test/echoText', args);
    expect([label, answer.status]).toEqual([label, status]);
    expect(Buffer.byteLength(await answer.text())).toBeLessThan(faultBytes);
  }
  const unknown = await post(`/api/tools/${'x'.repeat(10_000)}`, {});
  expect((await unknown.text()).length).toBeLessThan(faultBytes);
});

test('rejects a body that is not JSON, of another type, too deep or too long before parsing it', async () => {
  const { post, meter } = await openHttpFixture({ settings: { bodyBytes: 300_000 } });
  const echo = '/api/tools/test/echoText';
  expect((await post(echo, '{"text":')).status).toBe(400);
  expect((await post(echo, '{}', { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await post(echo, '{}', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  const deep = (levels: number) => `{"nested":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  expect((await post(echo, deep(limits.messageDepth))).status).toBe(200);
  expect((await post(echo, deep(limits.messageDepth + 1))).status).toBe(413);
  expect((await post(echo, deep(100_000))).status).toBe(413);
  const long = await post(echo, { text: 'x'.repeat(300_000) });
  expect(long.status).toBe(413);
  expect(await long.json()).toMatchObject({ error: { code: -32001, data: { name: 'RESOURCE_LIMIT' } } });
  expect(meter.snapshot()).toMatchObject([{ count: 1 }]);
});

test('rejects a missing key or one with too weak a scope, with a challenge', async () => {
  const { post, makeKey } = await openHttpFixture();
  const without = await post('/api/tools/test/whoami', {}, { authorization: '' });
  expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="fourfold"']);
  const forged = await post('/api/tools/test/whoami', {}, { authorization: 'Bearer x' });
  expect(forged.headers.get('www-authenticate')).toContain('error="invalid_token"');
  const reader = await makeKey(['read']);
  const weak = await post('/api/tools/test/put', { id: 'a' }, { authorization: `Bearer ${reader}` });
  expect(weak.status).toBe(403);
  expect(weak.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
});

test('answers a rate-limited caller with the time to retry', async () => {
  const { post, clock } = await openHttpFixture();
  expect((await post('/api/tools/test/limited', {})).status).toBe(200);
  clock.advance(15_000);
  const answer = await post('/api/tools/test/limited', {});
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '45']);
});

test('limits the traced family exactly at both edges of its window, per user', async () => {
  const { post, clock, makeKey } = await openHttpFixture();
  const limited = '/api/tools/fact_limited';
  clock.advance(20_000);
  for (let i = 0; i < 100; i += 1) expect((await post(limited, {})).status).toBe(200);
  const refused = await post(limited, {});
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '40',
    {
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'Rate limit exceeded. Retry after 40 seconds.',
        details: { retry_after_seconds: 40, fix: expect.any(String) },
        trace_id: expect.any(String),
      },
    },
  ]);
  const other = { authorization: `Bearer ${await makeKey(['read'])}` };
  expect((await post(limited, {}, other)).status).toBe(200);
  clock.advance(39_999);
  expect((await post(limited, {})).headers.get('retry-after')).toBe('1');
  clock.advance(1);
  expect((await post(limited, {})).status).toBe(200);
});

test('logs a trace id once, and never uses the id of an item as one', async () => {
  const { post, log } = await openHttpFixture();
  const traceOf = async (name: string) => {
    const answer = await post(`/api/tools/${name}`, {});
    return ((await answer.json()) as { error: { trace_id: string } }).error.trace_id;
  };
  const lost = await traceOf('fact_lost');
  expect(lost).not.toBe('fact-1');
  expect(log.lines.filter(({ fields }) => fields['traceId'] === lost)).toHaveLength(1);
  const bug = await traceOf('fact_boom');
  expect(log.lines.find(({ message }) => message === 'bug')?.fields['id']).toBe(bug);
});

test('answers a forwarded call in the form of the inner tool', async () => {
  const { post } = await openHttpFixture();
  const answer = await post('/api/tools/test/forward', { name: 'fact_fail' });
  expect([answer.status, await answer.json()]).toMatchObject([
    404,
    { error: { code: 'NOT_FOUND', trace_id: expect.any(String) } },
  ]);
  const unknown = await post('/api/tools/test/forward', { name: 'nothing' });
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: -32602 } }]);
});

test('runs a repeated write once per idempotency key, and rejects other arguments under it', async () => {
  const { post, storage } = await openHttpFixture();
  const key = { 'idempotency-key': 'k-1' };
  const first = await post('/api/tools/test/put', { id: 'a' }, key);
  const second = await post('/api/tools/test/put', { id: 'a' }, key);
  expect(await first.json()).toEqual(await second.json());
  expect(await storage.changesSince(localTenant, 'things', 0, 10)).toHaveLength(1);
  expect((await post('/api/tools/test/put', { id: 'b' }, key)).status).toBe(409);
  expect((await post('/api/tools/test/put', { id: 'b' }, { 'idempotency-key': 'a b' })).status).toBe(400);
});

test('answers a bug in a tool with an id and leaks nothing', async () => {
  const { post, log } = await openHttpFixture();
  const answer = await post('/api/tools/test/boom', {});
  const text = await answer.text();
  expect([answer.status, /swordfish|stack|\.ts/.test(text)]).toEqual([500, false]);
  const bug = log.lines.find(({ message }) => message === 'bug');
  expect(text).toContain(String(bug?.fields['id']));
});

test('cancels the call of a client that disconnects', async () => {
  const { server, key, started, cancelled } = await openHttpFixture();
  const socket = await openSocket(server.port);
  socket.write(
    `POST /api/tools/test/wait HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: 0\r\n\r\n`,
  );
  await started.promise;
  socket.destroy();
  await once(socket, 'close');
  await cancelled.promise;
});

test('accepts only POST for tools', async () => {
  const { server, key } = await openHttpFixture();
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const answer = await fetch(`${server.url}/api/tools/test/whoami`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  }
});
