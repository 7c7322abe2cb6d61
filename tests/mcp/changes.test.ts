import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { type Connected, connect, ways } from './support/clients.ts';
import { listenOnLoopback } from './support/loopback.ts';
import { call, initialize, initialized, request } from './support/messages.ts';
import { openPipes } from './support/pipes.ts';
import { sampleCatalogs } from './support/sample-catalogs.ts';
import { createSampleServer, otherCaller, toCaller } from './support/sample-server.ts';

let open: Connected | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

function listen(client: Client): string[] {
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('resources'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => void heard.push('prompts'));
  return heard;
}

const write = (id: string) => ({ name: 'sample_write', arguments: { id, text: 'x' } });

describe.each(ways)('over %s', (way) => {
  test('notifies a client of the resources it named and of the lists, and of nothing else', async () => {
    open = await connect(way, sampleCatalogs);
    const { client } = open;
    const heard = listen(client);
    expect(client.getServerCapabilities()).toMatchObject({
      tools: {},
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
    });
    if (way.endsWith('2026')) {
      await client.listen({
        resourceSubscriptions: ['note://a'],
        resourcesListChanged: true,
        promptsListChanged: true,
      });
    } else {
      await client.subscribeResource({ uri: 'note://a' });
    }
    if (way === 'http 2025') await expect.poll(() => open?.listenerCount()).toBe(1);
    await client.callTool(write('a'));
    await expect.poll(() => [...heard].sort()).toEqual(['note://a', 'prompts', 'resources']);
    heard.length = 0;
    await client.callTool(write('b'));
    await client.callTool(write('a'));
    await expect.poll(() => heard.filter((it) => it.startsWith('note'))).toEqual(['note://a']);
    expect(heard).not.toContain('note://b');
  });
});

test('stops notifying a 2025-era client after it unsubscribes', async () => {
  open = await connect('stdio 2025', sampleCatalogs);
  const { client } = open;
  const heard = listen(client);
  await client.subscribeResource({ uri: 'note://a' });
  await client.unsubscribeResource({ uri: 'note://a' });
  await client.callTool(write('a'));
  await expect.poll(() => heard).toContain('resources');
  expect(heard).not.toContain('note://a');
  await expect(client.subscribeResource({ uri: 'picture://x' })).rejects.toMatchObject({ code: -32602 });
});

test('announces list changes on stdio without the SDK, once for many changes', async () => {
  let builtCount = 0;
  const server = createSampleServer(sampleCatalogs);
  const fixtures = () => {
    builtCount += 1;
  };
  const { ask, send, next, waiting, service } = openPipes(server.deps, { fixtures });
  await ask(initialize);
  send(initialized);
  for (let i = 0; i < 50; i += 1) server.sample.changed(`n${i}`, 'create');
  const told = [JSON.parse(await next()), JSON.parse(await next())];
  expect(told.map(({ method }) => String(method)).sort()).toEqual([
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
  ]);
  await ask(request(1, 'ping'));
  expect([waiting, builtCount]).toEqual([[], 0]);
  await service.close();
});

test('sends no notification before the client is ready', async () => {
  const server = createSampleServer(sampleCatalogs);
  const { ask, waiting, service } = openPipes(server.deps);
  await ask(initialize);
  server.sample.changed('a', 'create');
  await ask(call(1, 'sample_noop'));
  expect(waiting).toEqual([]);
  await service.close();
});

test('keeps changes of another tenant from sessions and listeners', async () => {
  const server = createSampleServer(sampleCatalogs);
  const loopback = await listenOnLoopback(server.deps, {}, { other: otherCaller, us: toCaller() });
  const connectAs = async (name: string, mode: 'legacy' | { pin: string }) => {
    const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { 'x-caller': name } };
    await client.connect(new StreamableHTTPClientTransport(new URL(loopback.url), { requestInit }));
    const heard = listen(client);
    if (mode === 'legacy') await client.subscribeResource({ uri: 'note://a' });
    else await client.listen({ resourceSubscriptions: ['note://a'], resourcesListChanged: true });
    return { client, heard };
  };
  const modern = { pin: '2026-07-28' };
  const [ours, ourListener] = [await connectAs('us', 'legacy'), await connectAs('us', modern)];
  const [theirs, theirListener] = [await connectAs('other', 'legacy'), await connectAs('other', modern)];
  await expect.poll(() => server.listenerCount()).toBe(4);
  server.sample.changed('a', 'update');
  await expect
    .poll(() => [ours.heard, ourListener.heard])
    .toEqual([
      ['note://a', 'resources', 'prompts'],
      ['note://a', 'resources'],
    ]);
  expect([theirs.heard, theirListener.heard]).toEqual([[], []]);
  for (const { client } of [ours, ourListener, theirs, theirListener]) await client.close();
  await loopback.close();
});

test('forgets a listener that disconnects', async () => {
  open = await connect('http 2026', sampleCatalogs);
  const subscription = await open.client.listen({ resourceSubscriptions: ['note://a'] });
  expect(open.listenerCount()).toBe(1);
  await subscription.close();
  await expect.poll(() => open?.listenerCount()).toBe(0);
});
