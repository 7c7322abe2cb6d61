import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '#kernel/call.ts';
import { limits } from '#kernel/limits.ts';
import { createResponder } from '#surfaces/mcp/responder.ts';
import { loadSdk } from '#surfaces/mcp/sdk.ts';
import { createSessions } from '#surfaces/mcp/sessions.ts';
import { openSession, post } from './support/http-client.ts';
import { type Loopback, listenOnLoopback } from './support/loopback.ts';
import { call, initialize, modernCall, request } from './support/messages.ts';
import { createSampleServer, otherCaller, type SampleServer, toCaller } from './support/sample-server.ts';

let server: SampleServer;
let loopback: Loopback;
beforeEach(async () => {
  server = createSampleServer();
  loopback = await listenOnLoopback(server.deps, {}, { other: otherCaller, colleague: toCaller('colleague') });
});
afterEach(() => loopback.close());

const noop = call(1, 'sample_noop');
const statusOf = async (headers: Record<string, string>) => (await post(loopback.url, noop, headers)).status;

test('hides a session from other tenants and actors', async () => {
  const session = await openSession(loopback.url);
  expect(await statusOf(session)).toBe(200);
  for (const name of ['other', 'colleague']) {
    expect(await statusOf({ ...session, 'x-caller': name })).toBe(404);
    const streamed = await fetch(loopback.url, {
      headers: { ...session, 'x-caller': name, accept: 'text/event-stream' },
    });
    expect(streamed.status).toBe(404);
    expect((await fetch(loopback.url, { method: 'DELETE', headers: { ...session, 'x-caller': name } })).status).toBe(
      404,
    );
  }
  expect(await statusOf(session)).toBe(200);
});

test('ends a session on request', async () => {
  const session = await openSession(loopback.url);
  expect((await fetch(loopback.url, { method: 'DELETE', headers: session })).status).toBe(200);
  expect(await statusOf(session)).toBe(404);
});

test('drops a session that is idle for too long, and keeps one in use', async () => {
  const [used, idle] = [await openSession(loopback.url), await openSession(loopback.url)];
  server.clock.advance(limits.httpSessionIdleMs);
  expect(await statusOf(used)).toBe(200);
  server.clock.advance(1);
  expect(await statusOf(idle)).toBe(404);
  expect(await statusOf(used)).toBe(200);
});

test('keeps a session with an open stream', async () => {
  const session = await openSession(loopback.url);
  const stream = await fetch(loopback.url, { headers: { ...session, accept: 'text/event-stream' } });
  server.clock.advance(limits.httpSessionIdleMs * 2);
  expect(await statusOf(session)).toBe(200);
  await stream.body?.cancel();
});

test('drops the oldest session of a caller that opens too many', async () => {
  const sdk = await loadSdk();
  const sessions = createSessions(server.deps, {}, createResponder(server.deps));
  const open = async (caller: Caller): Promise<string> => {
    const session = await sessions.open(sdk, caller);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const asked = new Request('http://localhost/mcp', { method: 'POST', headers });
    const answer = await session.serve(asked, initialize);
    await answer.body?.cancel();
    return answer.headers.get('mcp-session-id') ?? '';
  };
  const theirs = await open(otherCaller);
  const first = await open(toCaller());
  server.clock.advance(1);
  const second = await open(toCaller());
  while (sessions.count < limits.httpSessionsCount) await open(toCaller());
  expect(sessions.find(first, toCaller())).toBeDefined();
  server.clock.advance(1);
  await open(toCaller('newcomer'));
  expect(sessions.find(theirs, otherCaller)).toBeUndefined();
  await open(toCaller());
  expect([second, first].filter((id) => sessions.find(id, toCaller()) === undefined)).toHaveLength(1);
  expect(sessions.count).toBe(limits.httpSessionsCount);
  await sessions.close();
  expect(sessions.count).toBe(0);
});

test('allows the same request id in two sessions, and cancels only one of them', async () => {
  const [a, b] = [await openSession(loopback.url), await openSession(loopback.url)];
  const begun = server.whenBegun();
  const first = post(loopback.url, call(7, 'sample_wait'), a);
  await begun;
  const alsoBegun = server.whenBegun();
  const second = post(loopback.url, call(7, 'sample_wait'), b);
  await alsoBegun;
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  expect((await post(loopback.url, cancelled, a)).status).toBe(202);
  expect(await first).toMatchObject({ status: 202, text: '' });
  server.letGo();
  expect(JSON.parse((await second).text).result.structuredContent).toEqual({ finished: true });
  expect(server.sample.stoppedCount).toBe(1);
});

test.each([
  ['2025 era, front', 'sample_wait', false],
  ['2025 era, SDK', 'sample_slow', false],
  ['2026 era, front', 'sample_wait', true],
  ['2026 era, SDK', 'sample_slow', true],
])('stops the call of a client that disconnects (%s)', async (_, name, isModern) => {
  const session = isModern ? {} : await openSession(loopback.url);
  const message = isModern ? modernCall(1, name) : call(1, name);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...session,
    ...(isModern ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name } : {}),
  };
  const begun = server.whenBegun();
  const req = httpRequest(loopback.url, { method: 'POST', headers });
  req.on('error', () => {});
  req.end(JSON.stringify(message));
  await begun;
  req.destroy();
  await expect.poll(() => server.sample.stoppedCount).toBe(1);
  expect((await post(loopback.url, request(1, 'sample/noop'))).status).toBe(200);
});

test('needs no session and no Accept header for plain methods, ping, shutdown and exit', async () => {
  const headers = { accept: '*/*' };
  expect(JSON.parse((await post(loopback.url, request(1, 'sample/noop'), headers)).text)).toEqual({
    result: { ok: true },
    jsonrpc: '2.0',
    id: 1,
  });
  expect(JSON.parse((await post(loopback.url, request(1, 'ping'), headers)).text).result).toEqual({});
  expect(JSON.parse((await post(loopback.url, request(1, 'shutdown'), headers)).text).result).toEqual({});
  expect((await post(loopback.url, { jsonrpc: '2.0', method: 'exit' }, headers)).status).toBe(202);
  expect(JSON.parse((await post(loopback.url, request(1, 'no/such'), headers)).text).error.code).toBe(-32601);
});

test('opens a session for the documented handshake too', async () => {
  const params = { protocolVersion: '1.0.0', capabilities: { tools: true } };
  const { headers, text } = await post(loopback.url, request(1, 'initialize', params));
  expect(JSON.parse(text).result.protocolVersion).toBe('2025-11-25');
  expect(await statusOf({ 'mcp-session-id': headers.get('mcp-session-id') ?? '' })).toBe(200);
});

test('serves the 2025 era without sessions and promises less', async () => {
  const stateless = await listenOnLoopback(createSampleServer({ httpSessions: false }).deps);
  const opened = await post(stateless.url, initialize);
  expect(opened.headers.get('mcp-session-id')).toBeNull();
  expect(JSON.parse(opened.text).result.capabilities).toEqual({ tools: {} });
  expect(JSON.parse((await post(stateless.url, noop)).text).result.structuredContent).toEqual({ ok: true });
  const { text } = await post(stateless.url, call(2, 'sample_noop', {}, { progressToken: 1 }));
  expect(JSON.parse(text).result.structuredContent).toEqual({ ok: true });
  expect((await fetch(stateless.url, { headers: { accept: 'text/event-stream' } })).status).toBe(405);
  await stateless.close();
});

test('ends every open stream on close and rejects later requests', async () => {
  const session = await openSession(loopback.url);
  const stream = await fetch(loopback.url, { headers: { ...session, accept: 'text/event-stream' } });
  const ended = stream.text();
  await loopback.mcp.close();
  await ended;
  const { status, text } = await post(loopback.url, noop, session);
  expect([status, JSON.parse(text).error.data.name]).toEqual([503, 'SHUTTING_DOWN']);
});
