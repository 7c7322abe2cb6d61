import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { modernHeaders, openSession, post } from './support/http-client.ts';
import { type Loopback, listenOnLoopback } from './support/loopback.ts';
import { call, envelope, initialize, modernCall, request } from './support/messages.ts';
import { openPipes, type Pipes } from './support/pipes.ts';
import { createSampleServer } from './support/sample-server.ts';

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const twentyMegabytes = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(20_000_000)}"}}`;

/** The message, the code and the id of its answer. */
const cases: readonly (readonly [string, unknown, number, unknown])[] = [
  ['a line that is not JSON', 'hello', -32700, null],
  ['half a message', '{"jsonrpc":"2.0","id":1', -32700, null],
  ['JSON that is no object', '42', -32600, null],
  ['a batch', [call(1, 'sample_noop')], -32600, null],
  ['nested 100,000 deep', deep, -32600, null],
  [
    'nested 100,000 deep inside a request',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep}}`,
    -32600,
    1,
  ],
  [
    'nested 100,000 deep before its id',
    `{"jsonrpc":"2.0","params":{"id":7,"x":${deep}},"method":"tools/call","id":"late"}`,
    -32600,
    'late',
  ],
  ['an answer nested 100,000 deep', `{"jsonrpc":"2.0","id":1,"result":${deep}}`, -32600, null],
  ['20 MB long', twentyMegabytes, -32600, null],
  ['an object that is no request', { hello: 1 }, -32600, null],
  ['a request of another JSON-RPC', { jsonrpc: '1.0', id: 4, method: 'ping' }, -32600, 4],
  ['a request with a member too many', { ...call(4, 'sample_noop'), extra: 1 }, -32600, 4],
  ['a fractional id', { jsonrpc: '2.0', id: 1.5, method: 'tools/list' }, -32600, null],
  ['a null id', { jsonrpc: '2.0', id: null, method: 'tools/list' }, -32600, null],
  ['params that are no object', { jsonrpc: '2.0', id: 4, method: 'tools/list', params: [1] }, -32600, 4],
  ['an unknown method', request(4, 'no/such/method'), -32601, 4],
  ['an unknown method without a slash', request(4, 'nonsense'), -32601, 4],
  ['arguments that are no object', request(4, 'tools/call', { name: 'sample_noop', arguments: 7 }), -32602, 4],
  ['a name that is no text', request(4, 'tools/call', { name: { a: 1 } }), -32602, 4],
  ['a cursor that nobody gave', request(4, 'tools/list', { cursor: 'x' }), -32602, 4],
];

describe('on stdio', () => {
  let pipes: Pipes;
  beforeEach(() => {
    pipes = openPipes(createSampleServer().deps);
  });
  afterEach(() => pipes.service.close());

  test.each(cases)('answers %s with its error, and the next request works', async (_, message, code, id) => {
    const answer = JSON.parse(await pipes.ask(message));
    expect(answer).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(answer.id ?? null).toBe(id);
    expect(JSON.parse(await pipes.ask(call('next', 'sample_noop')))).toMatchObject({
      id: 'next',
      result: { structuredContent: { ok: true } },
    });
  });

  test('does not buffer a line of 20 MB', async () => {
    const chunk = Buffer.alloc(1_000_000, 'x');
    for (let i = 0; i < 20; i += 1) pipes.stdin.write(chunk);
    expect(JSON.parse(await pipes.next()).error.code).toBe(-32600);
    pipes.send('');
    expect(JSON.parse(await pipes.ask(request(1, 'ping'))).result).toEqual({});
    expect(pipes.waiting).toEqual([]);
  });

  test('skips blank lines and unknown notifications', async () => {
    for (const line of [
      '',
      '  ',
      '\r',
      { jsonrpc: '2.0', method: 'notifications/whatever' },
      { jsonrpc: '2.0', method: 'whatever' },
    ])
      pipes.send(line);
    pipes.send({ jsonrpc: '2.0', id: 5, result: { late: true } });
    expect(JSON.parse(await pipes.ask(request(1, 'ping'))).id).toBe(1);
  });

  test('counts duplicate keys once, and a __proto__ key pollutes nothing', async () => {
    const line =
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"sample_echoAll","arguments":{"open":{"__proto__":{"polluted":1},"a":1}}}}';
    const { id, result } = JSON.parse(await pipes.ask(line));
    expect(id).toBe(2);
    expect(result.structuredContent.given.open.a).toBe(1);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const refused =
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"sample_echoAll","arguments":{"__proto__":{"polluted":1}}}}';
    await pipes.ask(refused);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('rejects a lone surrogate and NUL anywhere', async () => {
    for (const text of ['\\ud800', '\\u0000']) {
      const line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sample_echoAll","arguments":{"text":"${text}"}}}`;
      expect(JSON.parse(await pipes.ask(line)).result.isError).toBe(true);
    }
  });
});

describe('over HTTP', () => {
  let loopback: Loopback;
  beforeEach(async () => {
    loopback = await listenOnLoopback(createSampleServer().deps);
  });
  afterEach(() => loopback.close());

  test.each(cases)('answers %s with its error, and the next request works', async (_, message, code, id) => {
    const session = await openSession(loopback.url);
    const answer = JSON.parse((await post(loopback.url, message, session)).text);
    expect(answer).toMatchObject({ error: { code } });
    expect([id, null]).toContain(answer.id ?? null);
    const next = await post(loopback.url, call('next', 'sample_noop'), session);
    expect(JSON.parse(next.text)).toMatchObject({ id: 'next', result: { structuredContent: { ok: true } } });
  });

  test.each([
    ['an unknown method', request(4, 'no/such/method', { _meta: envelope }), 404, -32601],
    ['an unknown tool', modernCall(4, 'nobody'), 200, -32602],
    [
      'a revision that nobody speaks',
      request(4, 'tools/list', { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } }),
      400,
      -32020,
    ],
  ])('answers %s with the status and code of the 2026 era', async (_, message, status, code) => {
    const answer = await post(loopback.url, message, modernHeaders(message));
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([status, code]);
  });

  test('rejects a request that is too deep under its id', async () => {
    const session = await openSession(loopback.url);
    const message = `{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":${deep}}`;
    const { status, text } = await post(loopback.url, message, session);
    expect([status, JSON.parse(text).id]).toEqual([400, 'deep']);
  });

  test('distinguishes a missing session from an unknown one', async () => {
    expect(await post(loopback.url, call(1, 'sample_noop'))).toMatchObject({ status: 400 });
    expect(await post(loopback.url, call(1, 'sample_noop'), { 'mcp-session-id': 'no' })).toMatchObject({ status: 404 });
    expect((await fetch(loopback.url, { headers: { accept: 'text/event-stream' } })).status).toBe(400);
    expect((await fetch(loopback.url, { method: 'DELETE', headers: { 'mcp-session-id': 'no' } })).status).toBe(404);
  });

  test('rejects a client that accepts only one form of answer, or sends no JSON', async () => {
    expect(await post(loopback.url, initialize, { accept: 'application/json' })).toMatchObject({ status: 406 });
    expect(await post(loopback.url, initialize, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  });
});
