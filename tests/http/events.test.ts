import { expect, test } from 'vitest';
import { localTenant, toTenantId } from '#kernel/call.ts';
import { type HttpFixture, openHttpFixture, openSocket } from './http-server.fixture.ts';

/** Reads server-sent events; `next` returns the next frame except comments and `retry`. */
async function listenTo({ server, key }: HttpFixture, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${server.url}/api/events`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: abort.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function nextFrame(): Promise<string | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const frame = text.slice(0, end);
        text = text.slice(end + 2);
        return frame;
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  }
  async function next(): Promise<Record<string, string> | undefined> {
    for (;;) {
      const frame = await nextFrame();
      if (frame === undefined) return undefined;
      if (frame.startsWith(':') || frame.startsWith('retry')) continue;
      return Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/, 2) as [string, string]));
    }
  }
  return { response, nextFrame, next, stop: () => abort.abort() };
}

const put = (server: HttpFixture, id: string, headers: Record<string, string> = {}) =>
  server.post('/api/tools/test/put', { id }, headers);

test('sends a change to its tenant only, with its seq as event id', async () => {
  const server = await openHttpFixture();
  const foreignKey = await server.makeKey(['write'], toTenantId('other'));
  const own = await listenTo(server);
  const foreign = await listenTo(server, { authorization: `Bearer ${foreignKey}` });
  expect(own.response.headers.get('content-type')).toBe('text/event-stream');
  expect(own.response.headers.get('x-content-type-options')).toBe('nosniff');
  await put(server, 'a');
  await put(server, 'b', { authorization: `Bearer ${foreignKey}` });
  const seen = await own.next();
  expect(seen).toMatchObject({ event: 'change' });
  expect(JSON.parse(seen!['data']!)).toEqual({
    seq: Number(seen!['id']),
    topic: 'things',
    id: 'a',
    what: 'create',
    hash: 'hash-a',
  });
  expect(JSON.parse((await foreign.next())!['data']!)).toMatchObject({ id: 'b' });
});

test('replays missed changes to a returning client, in order and once, then sends new ones', async () => {
  const server = await openHttpFixture();
  await put(server, 'a');
  const since = String(await server.storage.version(localTenant, 'things'));
  await put(server, 'b');
  await put(server, 'c');
  const stream = await listenTo(server, { 'last-event-id': since });
  const ids = [];
  for (const expected of ['b', 'c', 'd']) {
    if (expected === 'd') await put(server, 'd');
    ids.push(JSON.parse((await stream.next())!['data']!).id);
  }
  expect(ids).toEqual(['b', 'c', 'd']);
});

test('replays more than the buffer holds', async () => {
  const server = await openHttpFixture({ limits: { eventBufferBytes: 64 * 1024 } });
  const longId = 'x'.repeat(20_000);
  const sent = Array.from({ length: 40 }, (_, at) => `${longId}${at}`);
  for (const id of sent) await put(server, id);
  const first = await server.storage.changesSince(localTenant, 'things', 0, 1);
  const stream = await listenTo(server, { 'last-event-id': String(first[0]!.seq - 1) });
  const seen = [];
  while (seen.length < sent.length) seen.push(JSON.parse((await stream.next())!['data']!).id);
  expect(seen).toEqual(sent);
});

test('asks a client that was away too long to reload', async () => {
  const server = await openHttpFixture({ limits: { eventReplayCount: 2 } });
  for (const id of ['a', 'b', 'c', 'd']) await put(server, id);
  const stream = await listenTo(server, { 'last-event-id': '1' });
  expect(await stream.next()).toMatchObject({ event: 'reset' });
  await put(server, 'e');
  expect(JSON.parse((await stream.next())!['data']!)).toMatchObject({ id: 'e' });
});

test('sends heartbeats on a silent stream', async () => {
  const server = await openHttpFixture({ limits: { heartbeatMs: 5 } });
  const { nextFrame } = await listenTo(server);
  expect(await nextFrame()).toBe('retry: 2000');
  expect(await nextFrame()).toBe(': beat');
});

test('limits streams in total and per tenant, and frees the slot of a closed one', async () => {
  const server = await openHttpFixture({ limits: { eventStreamsPerTenantCount: 1, eventStreamsCount: 2 } });
  const [second, third] = [
    await server.makeKey(['read'], toTenantId('t2')),
    await server.makeKey(['read'], toTenantId('t3')),
  ];
  const first = await listenTo(server);
  expect((await listenTo(server)).response.status).toBe(503);
  expect((await listenTo(server, { authorization: `Bearer ${second}` })).response.status).toBe(200);
  expect((await listenTo(server, { authorization: `Bearer ${third}` })).response.status).toBe(503);
  first.stop();
  await expect.poll(async () => (await listenTo(server)).response.status).toBe(200);
});

test('disconnects a reader that does not read', async () => {
  const server = await openHttpFixture({ limits: { eventBufferBytes: 1024, heartbeatMs: 600_000 } });
  const socket = await openSocket(server.server.port);
  socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.key}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  const streams = async () => /^fourfold_event_streams (\d+)$/m.exec(await (await server.get('/metrics')).text())?.[1];
  expect(await streams()).toBe('1');
  const longId = 'x'.repeat(50_000);
  await expect
    .poll(
      async () => {
        await Promise.all(Array.from({ length: 20 }, (_, at) => put(server, `${longId}${at}`)));
        return streams();
      },
      { timeout: 120_000 },
    )
    .toBe('0');
  socket.destroy();
});

test('requires a key and GET for a stream', async () => {
  const server = await openHttpFixture();
  expect((await listenTo(server, { authorization: '' })).response.status).toBe(401);
  expect((await server.post('/api/events', {})).status).toBe(404);
});
