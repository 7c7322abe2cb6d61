import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, modernCall, request } from './support/messages.ts';
import { openPipes, type Pipes } from './support/pipes.ts';
import { createSampleServer } from './support/sample-server.ts';

let server: ReturnType<typeof createSampleServer>;
let legacy: Pipes;
let modern: Pipes;

beforeAll(() => {
  server = createSampleServer();
  legacy = openPipes(server.deps);
  modern = openPipes(server.deps);
});
afterAll(async () => {
  await legacy.service.close();
  await modern.service.close();
});

const resultOf = async (pipes: Pipes, message: object) => JSON.parse(await pipes.ask(message)).result;
const errorOf = async (pipes: Pipes, message: object) => JSON.parse(await pipes.ask(message)).error;

describe('a successful tool', () => {
  test('answers with one text and the same object', async () => {
    for (const result of [
      await resultOf(legacy, call(1, 'sample_noop')),
      await resultOf(modern, modernCall(1, 'sample_noop')),
    ]) {
      expect(result.structuredContent).toEqual({ ok: true });
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    }
  });

  test('answers to every spelling of its name, listed or not', async () => {
    for (const name of ['sample/echoAll', 'sample_echoAll', 'sample_echo_all']) {
      expect((await resultOf(legacy, call(1, name, { text: 'x' }))).structuredContent).toEqual({
        given: { text: 'x' },
      });
    }
    expect((await resultOf(legacy, call(1, 'sample_big', { chars: 3 }))).structuredContent).toEqual({ text: 'xxx' });
  });
});

describe('a fault in the form of its family', () => {
  const failed = async (name: string, how: string, pipes = legacy) => {
    const message = pipes === legacy ? call(1, name, { how }) : modernCall(1, name, { how });
    const { isError, content, structuredContent } = await resultOf(pipes, message);
    expect([isError, structuredContent]).toEqual([true, undefined]);
    return content[0].text as string;
  };

  test('has a number, shifted in the 2026 era', async () => {
    const fault = {
      message: 'No luck: as requested',
      data: { name: 'NO_LUCK', asked: 'fault', suggestion: 'Try something else.' },
    };
    expect(JSON.parse(await failed('sample_fail', 'fault'))).toMatchObject({ error: { code: -32002, ...fault } });
    expect(JSON.parse(await failed('sample_fail', 'fault', modern))).toMatchObject({
      error: { code: -31002, ...fault },
    });
  });

  test('is a plain line, followed by its fix', async () => {
    expect(await failed('plain_fail', 'fault')).toBe('Error: No luck: as requested');
    const { content } = await resultOf(legacy, call(1, 'plain_fail', { how: 'fault' }));
    expect(content[1]).toEqual({ type: 'text', text: 'Fix: Try something else.' });
  });

  test('is an object with ok: false', async () => {
    expect(JSON.parse(await failed('flagged_fail', 'fault'))).toEqual({
      ok: false,
      error: {
        code: 'NO_LUCK',
        message: 'No luck: as requested',
        error: 'No luck: as requested',
        details: { asked: 'fault', fix: 'Try something else.' },
      },
    });
  });

  test('has a trace id, which is also in the log', async () => {
    const { error } = JSON.parse(await failed('traced_fail', 'fault'));
    expect(error).toMatchObject({ code: 'NO_LUCK', details: { asked: 'fault' } });
    expect(server.log.lines.map(({ fields }) => fields['traceId'])).toContain(error.trace_id);
  });

  test('is internal for a bug, with an id and without details', async () => {
    for (const name of ['sample_fail', 'plain_fail', 'flagged_fail', 'traced_fail']) {
      const text = await failed(name, 'bug');
      expect(text).not.toContain('secret');
      expect(text).toContain('Internal error');
    }
    const { error } = JSON.parse(await failed('traced_fail', 'bug'));
    expect(server.bugs.map(({ id }) => id)).toContain(error.trace_id);
  });

  test('is internal for an answer of the wrong shape', async () => {
    expect(JSON.parse(await failed('sample_fail', 'shape')).error.code).toBe(-32603);
  });

  test('names each place of invalid arguments', async () => {
    const { error } = JSON.parse(
      (await resultOf(legacy, call(1, 'sample_echoAll', { count: 'x', what: 1 }))).content[0].text,
    );
    expect(error.code).toBe(-32602);
    expect(
      error.data.errors.map((it: { instancePath: string; keyword: string }) => [it.instancePath, it.keyword]),
    ).toEqual([
      ['/count', 'type'],
      ['', 'additionalProperties'],
    ]);
  });
});

describe('an unknown tool name', () => {
  test('is a failed result up to 2025-11-25', async () => {
    expect(await resultOf(legacy, call(1, 'unknown_tool'))).toEqual({
      content: [
        { type: 'text', text: 'Error: Unknown tool: unknown_tool' },
        { type: 'text', text: expect.stringMatching(/^Fix: The nearest names are .*tools_find/) },
      ],
      isError: true,
    });
    for (const params of [{}, undefined, { name: '' }, { arguments: {} }]) {
      expect((await resultOf(legacy, request(1, 'tools/call', params))).content[0].text).toBe(
        'Error: Missing tool name',
      );
    }
  });

  test('is -32602 from 2026-07-28 on', async () => {
    expect(await errorOf(modern, modernCall(1, 'unknown_tool'))).toMatchObject({
      code: -32602,
      message: 'Unknown tool: unknown_tool',
    });
  });
});

describe('a plain method', () => {
  test('answers with its bare result', async () => {
    expect(await resultOf(legacy, request(1, 'sample/echoAll', { text: 'x' }))).toEqual({ given: { text: 'x' } });
    expect(await resultOf(legacy, request(1, 'sample/noop'))).toEqual({ ok: true });
  });

  test('answers with an error that has the documented number', async () => {
    expect(await errorOf(legacy, request(1, 'sample/fail', { how: 'fault' }))).toMatchObject({
      code: -32002,
      data: { name: 'NO_LUCK', asked: 'fault', documentation: 'docs/reference/faults.md#no_luck' },
    });
    const internal = await errorOf(legacy, request(1, 'sample/fail', { how: 'bug' }));
    expect(internal).toMatchObject({ code: -32603, data: { id: server.bugs.at(-1)?.id, message: expect.any(String) } });
    expect((await errorOf(legacy, request(1, 'sample/echoAll', { what: 1 }))).data.errors).toHaveLength(1);
  });

  test('rejects params that are not an object', async () => {
    expect((await errorOf(legacy, { jsonrpc: '2.0', id: 1, method: 'sample/echoAll', params: ['x'] })).code).toBe(
      -32602,
    );
  });

  test('carries the identity in the 2026 era, even with a progress token', async () => {
    const { _meta } = modernCall(1, '').params as never as { _meta: object };
    for (const meta of [_meta, { ..._meta, progressToken: 1 }]) {
      const result = await resultOf(modern, request(1, 'sample/echoAll', { text: 'x', _meta: meta }));
      expect(result).toMatchObject({ given: { text: 'x' }, resultType: 'complete' });
      expect(result._meta['io.modelcontextprotocol/serverInfo'].name).toBe('sample');
    }
    expect((await errorOf(modern, request(1, 'sample/fail', { how: 'fault', _meta }))).code).toBe(-31002);
  });

  test('runs as a notification without an answer', async () => {
    legacy.send({ jsonrpc: '2.0', method: 'sample/write', params: { id: 'silent', text: 'yes' } });
    expect((await resultOf(legacy, request(1, 'sample/read', { id: 'silent' }))).text).toBe('yes');
    expect(legacy.waiting).toEqual([]);
  });

  test('is unknown when its name has no slash', async () => {
    expect(await errorOf(legacy, request(1, 'plain_fail', { how: 'fault' }))).toMatchObject({
      code: -32601,
      data: { name: 'METHOD_NOT_FOUND', suggestion: expect.any(String) },
    });
  });
});
