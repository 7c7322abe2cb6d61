import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { limits } from '#kernel/limits.ts';
import { serveStdio } from '#surfaces/mcp/stdio.ts';
import { call, envelope, initialize, initialized, modernCall, request } from './support/messages.ts';
import { openPipes } from './support/pipes.ts';
import { createSampleServer, toCaller } from './support/sample-server.ts';

const open = (...args: Parameters<typeof createSampleServer>) => {
  const server = createSampleServer(...args);
  return { ...server, ...openPipes(server.deps) };
};

const parse = (line: string) => JSON.parse(line);

describe('the handshake', () => {
  test('is answered with the revision that the client requested', async () => {
    const { ask, service } = open();
    const params = { ...initialize.params, protocolVersion: '2025-03-26' };
    const { result } = parse(await ask({ ...initialize, params }));
    expect(result).toEqual({
      protocolVersion: '2025-03-26',
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: 'sample', title: 'Sample', version: '1.2.3' },
      instructions: 'Use the sample tools.',
    });
    await service.close();
  });

  test('in the documented form is answered with a revision we support, then server/ready', async () => {
    const { ask, next, service } = open();
    const params = { protocolVersion: '1.0.0', capabilities: { tools: true, logging: true } };
    expect(parse(await ask(request(1, 'initialize', params))).result.protocolVersion).toBe('2025-11-25');
    expect(parse(await next())).toMatchObject({ method: 'server/ready', params: { version: '1.2.3' } });
    expect(parse(await ask(call(2, 'sample_noop'))).result.structuredContent).toEqual({ ok: true });
    await service.close();
  });

  test('is followed by nothing unrequested', async () => {
    const { ask, send, waiting, service } = open();
    await ask(initialize);
    send(initialized);
    await ask(request(2, 'ping'));
    expect(waiting).toEqual([]);
    await service.close();
  });

  test('is not needed for ping, shutdown and plain methods', async () => {
    const { ask, service } = open();
    expect(parse(await ask(request(1, 'ping'))).result).toEqual({});
    expect(parse(await ask(request(2, 'sample/noop')))).toEqual({ result: { ok: true }, jsonrpc: '2.0', id: 2 });
    expect(parse(await ask(request(3, 'shutdown'))).result).toEqual({});
    await service.close();
  });

  test('in an unusual form is accepted even after other messages', async () => {
    const { ask, service } = open();
    await ask(request(1, 'resources/list'));
    const { result } = parse(await ask(request(2, 'initialize', { protocolVersion: '1.0.0', capabilities: true })));
    expect(result.protocolVersion).toBe('2025-11-25');
    await service.close();
  });
});

describe('the end of the connection', () => {
  test('takes a second at most', () => {
    expect(limits.stdinEndMs).toBeLessThanOrEqual(1_000);
  });

  test('answers pending requests after stdin ends', async () => {
    const { stdin, service, waiting, letGo, whenBegun } = open();
    const begun = whenBegun();
    stdin.write(`${JSON.stringify(call(1, 'sample_wait'))}\n`);
    stdin.end(JSON.stringify(call(2, 'sample_noop')));
    await begun;
    letGo();
    await service.done;
    expect(waiting.map((line) => parse(line).id).sort((a, b) => a - b)).toEqual([1, 2]);
  });

  test('stops a call that does not end', async () => {
    const { stdin, service, sample, whenBegun } = open();
    const begun = whenBegun();
    stdin.write(`${JSON.stringify(call(1, 'sample_wait'))}\n`);
    await begun;
    stdin.end();
    await service.done;
    expect(sample.stoppedCount).toBe(1);
  });

  test('stops a call that the SDK runs, too', async () => {
    const { stdin, service, sample, whenBegun } = open();
    const begun = whenBegun();
    stdin.write(`${JSON.stringify(call(1, 'sample_slow'))}\n`);
    await begun;
    stdin.end();
    await service.done;
    expect(sample.stoppedCount).toBe(1);
  });

  test('follows an exit notification', async () => {
    const { send, service } = open();
    send({ jsonrpc: '2.0', method: 'exit' });
    await service.done;
  });

  test('follows without a crash when the client stops reading', async () => {
    const { stdout, send, service } = open();
    stdout.destroy(new Error('write EPIPE'));
    send(call(1, 'sample_noop'));
    await service.done;
  });

  test('stops listening for changes', async () => {
    const { ask, send, service, listenerCount } = open({
      skills: { topic: 'notes', list: async () => ({ items: [] }), find: async () => undefined },
    });
    await ask(initialize);
    send(initialized);
    await ask(request(1, 'ping'));
    expect(listenerCount()).toBe(1);
    await service.close();
    expect(listenerCount()).toBe(0);
  });
});

describe('cancellation', () => {
  test.each(['sample_wait', 'sample_slow'])('of %s stops the work, and nothing is answered', async (name) => {
    const { send, ask, waiting, service, sample, whenBegun } = open();
    const begun = whenBegun();
    send(call(7, name));
    await begun;
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'enough' } });
    await ask(request(8, 'ping'));
    expect(sample.stoppedCount).toBe(1);
    expect(waiting).toEqual([]);
    await service.close();
  });

  test('of a plain method works the same', async () => {
    const { send, ask, waiting, service, sample, whenBegun } = open();
    const begun = whenBegun();
    send(request('p', 'sample/wait'));
    await begun;
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'p' } });
    await ask(request(8, 'ping'));
    expect([sample.stoppedCount, waiting]).toEqual([1, []]);
    await service.close();
  });

  test('of an unknown id changes nothing', async () => {
    const { send, ask, service } = open();
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } });
    expect(parse(await ask(call(1, 'sample_noop'))).result.isError).toBeUndefined();
    await service.close();
  });
});

test('reports increasing progress before the answer, and only on request', async () => {
  const { send, ask, next, service, letGo } = open();
  await ask(initialize);
  letGo();
  send(call(1, 'sample_slow', {}, { progressToken: 'p' }));
  const told = [parse(await next()), parse(await next()), parse(await next())];
  expect(told.map(({ params }) => params)).toEqual(
    [1, 2, 3].map((progress) => ({ progressToken: 'p', progress, total: 3, message: `step ${progress}` })),
  );
  expect(parse(await next()).result.structuredContent).toEqual({ finished: true });
  expect(parse(await ask(call(2, 'sample_slow'))).id).toBe(2);
  await service.close();
});

test('logs calls to a client that sets a log level, also those of the fast path', async () => {
  const { ask, next, service } = open();
  await ask(initialize);
  await ask(request(1, 'logging/setLevel', { level: 'info' }));
  expect(parse(await ask(call(2, 'sample_noop')))).toMatchObject({
    method: 'notifications/message',
    params: { level: 'info', logger: 'tools', data: { tool: 'sample/noop', ok: true } },
  });
  expect(parse(await next()).id).toBe(2);
  await service.close();
});

test('passes an idempotency key in _meta to the tool under either name', async () => {
  const { ask, service } = open();
  const args = { id: 'a', text: 'b' };
  for (const meta of [{ idempotencyKey: 'k' }, { 'fourfold/idempotencyKey': 'k' }]) {
    expect(parse(await ask(call(1, 'sample_write', args, meta))).result.structuredContent.key).toBe('k');
    expect(
      parse(await ask(call(1, 'sample_write', args, { ...meta, progressToken: 1 }))).result.structuredContent.key,
    ).toBe('k');
    expect(parse(await ask(request(1, 'sample/write', { ...args, _meta: meta }))).result.key).toBe('k');
  }
  expect(parse(await ask(call(1, 'sample_write', args, { idempotencyKey: 7 }))).result.isError).toBe(true);
  await service.close();
});

test('answers all messages of one chunk', async () => {
  const { stdin, next, service } = open();
  const ids = Array.from({ length: 500 }, (_, i) => i);
  stdin.write(ids.map((id) => `${JSON.stringify(call(id, 'sample_noop'))}\n`).join(''));
  const answers = await Promise.all(ids.map(next));
  expect(answers.map((line) => parse(line).id).sort((a, b) => a - b)).toEqual(ids);
  await service.close();
});

test('pings a silent client', async () => {
  const server = createSampleServer();
  const { ask, send, next, service } = openPipes(server.deps, { keepAliveMs: 5 });
  await ask(initialize);
  send(initialized);
  const ping = parse(await next());
  expect(ping).toMatchObject({ jsonrpc: '2.0', method: 'ping' });
  send({ jsonrpc: '2.0', id: ping.id, result: {} });
  await service.close();
});

test('sends its identity with every answer of the 2026 era, but icons only with the first', async () => {
  const icons = [{ src: 'data:image/svg+xml,x', mimeType: 'image/svg+xml', sizes: ['any'] }];
  const { ask, service } = open({ server: { name: 'sample', title: 'Sample', version: '1', icons } });
  const identity = { name: 'sample', title: 'Sample', version: '1' };
  const infoOf = (line: string) => parse(line).result._meta['io.modelcontextprotocol/serverInfo'];
  expect(infoOf(await ask(request(1, 'server/discover', { _meta: envelope })))).toEqual({ ...identity, icons });
  expect(infoOf(await ask(modernCall(2, 'sample_noop')))).toEqual(identity);
  expect(infoOf(await ask(request(3, 'tools/list', { _meta: envelope })))).toEqual(identity);
  await service.close();
});

test('pauses reading from a client with too many running calls', async () => {
  const { stdin, next, service, letGo, whenBegun } = open();
  const begun = whenBegun();
  for (let id = 0; id < 1_000; id += 1) stdin.write(`${JSON.stringify(call(id, 'sample_wait'))}\n`);
  await begun;
  await expect.poll(() => stdin.isPaused()).toBe(true);
  stdin.write(`${JSON.stringify(call('last', 'sample_noop'))}\n`);
  letGo();
  const answers = await Promise.all(Array.from({ length: 1_001 }, next));
  expect(answers.map((line) => parse(line).id)).toContain('last');
  expect(stdin.isPaused()).toBe(false);
  await service.close();
});

test('pauses reading from a client that does not read its answers', async () => {
  const server = createSampleServer();
  const stdin = new PassThrough();
  const stdout = new PassThrough({ highWaterMark: 1_000 });
  const service = serveStdio(server.deps, { stdin, stdout, caller: toCaller() });
  stdin.write(`${JSON.stringify(call(1, 'sample_big', { chars: 100_000 }))}\n`);
  await expect.poll(() => stdin.isPaused()).toBe(true);
  stdout.resume();
  await expect.poll(() => stdin.isPaused()).toBe(false);
  await service.close();
});

test('answers both requests of an id that is reused before its first answer', async () => {
  const { send, next, service, letGo, whenBegun } = open();
  const begun = whenBegun();
  send(call(1, 'sample_wait'));
  await begun;
  const alsoBegun = whenBegun();
  send(call(1, 'sample_wait'));
  await alsoBegun;
  letGo();
  expect([parse(await next()).id, parse(await next()).id]).toEqual([1, 1]);
  await service.close();
});
