import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnswerParts } from '#surfaces/mcp/mcp-deps.ts';
import { envelope, initialize, initialized, request } from './support/messages.ts';
import { openPipes, type Pipes } from './support/pipes.ts';
import { createSampleServer } from './support/sample-server.ts';

/** The same server twice: one uses the fast path where it can, the other never does. */
function openBoth(
  opening: readonly object[],
  answers: AnswerParts = 'both',
): { readonly fast: Pipes; readonly sdk: Pipes } {
  const fast = openPipes(createSampleServer({ instructions: 'Be brief.', answers }).deps);
  const sdk = openPipes(createSampleServer({ instructions: 'Be brief.', answers }).deps, { isFastPathOff: true });
  for (const message of opening) {
    fast.send(message);
    sdk.send(message);
  }
  return { fast, sdk };
}

const id = fc.oneof(fc.integer(), fc.string(), fc.constant(0), fc.constant('"\u2028'));
const toolName = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('sample/noop', 'sample_noop', 'sample_echoAll', 'sample_echo_all', 'sample/echoAll'),
  },
  { weight: 4, arbitrary: fc.constantFrom('sample/fail', 'plain_fail', 'flagged_fail', 'traced_fail', 'sample_write') },
  { weight: 2, arbitrary: fc.constantFrom('unknown_tool', 'sample/', 'constructor', '__proto__', '☃') },
  { weight: 1, arbitrary: fc.string({ minLength: 1 }) },
);
const args = fc.oneof(
  fc.constant(undefined),
  fc.record({ text: fc.string({ unit: 'binary' }), count: fc.integer({ min: -1, max: 11 }) }, { requiredKeys: [] }),
  fc.record({ how: fc.constantFrom('fault', 'bug', 'shape', 'other') }),
  fc.record({ id: fc.string(), text: fc.string() }),
  fc.record({ open: fc.dictionary(fc.string(), fc.jsonValue()) }),
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
  fc.constant({ _meta: { note: 1 } }),
);
const requestMeta = fc.oneof(
  fc.constant(undefined),
  fc.record({ idempotencyKey: fc.oneof(fc.constantFrom('k1', 'k 2', ''), fc.integer()) }),
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
);

const dispatched = fc
  .record({ action: fc.constantFrom('sample', 'nothing', 'dispatch', '', 7), fails: fc.boolean(), given: args })
  .map(({ action, fails, given }) => ({ ...given, action, ...(fails ? { fails } : {}) }));
/** Calls of the forwarding tools, also of each other and of themselves. */
const forwarded = fc.oneof(
  dispatched.map((given) => ({ name: 'instructions_dispatch', args: given as object | undefined })),
  fc
    .oneof(
      fc.record({ name: toolName, arguments: args }),
      dispatched.map((given) => ({ name: 'instructions/dispatch', arguments: given })),
      fc.constant({ name: 'tools_call', arguments: { name: 'sample_noop' } }),
    )
    .map((target) => ({ name: 'tools_call', args: target as object | undefined })),
);
const direct = fc.record({ name: toolName, args });

const call = (era: 'legacy' | 'modern') =>
  fc.record({ id, tool: fc.oneof(direct, forwarded), meta: requestMeta }).map(({ tool, ...rest }) => {
    const it = { ...rest, ...tool };
    const _meta = era === 'modern' ? { ...it.meta, ...envelope } : it.meta;
    return request(it.id, 'tools/call', {
      name: it.name,
      ...(it.args === undefined ? {} : { arguments: it.args }),
      ...(_meta === undefined ? {} : { _meta }),
    });
  });

/** Messages that must fall through unchanged, or be rejected in the same way. */
const irregular = (era: 'legacy' | 'modern') =>
  fc
    .record({
      id,
      odd: fc.constantFrom('cursor', 'task', 'arguments', 'name', 'list', 'unlisted', 'noMeta', 'info', 'version'),
    })
    .map(({ id: it, odd }) => {
      const _meta = era === 'modern' ? { _meta: envelope } : {};
      switch (odd) {
        case 'cursor':
          return request(it, 'tools/list', { cursor: 'nonsense', ..._meta });
        case 'task':
          return request(it, 'tools/call', { name: 'sample_noop', task: { ttl: 1 }, ..._meta });
        case 'arguments':
          return request(it, 'tools/call', { name: 'sample_noop', arguments: null, ..._meta });
        case 'name':
          return request(it, 'tools/call', { name: 7, ..._meta });
        case 'list':
          return request(it, 'tools/list', era === 'modern' ? _meta : undefined);
        case 'unlisted':
          return request(it, 'resources/list', _meta);
        case 'noMeta':
          return request(it, 'tools/call', { name: 'sample_noop' });
        case 'info':
          return request(it, 'tools/list', {
            _meta: { ...envelope, 'io.modelcontextprotocol/clientInfo': { name: 1 } },
          });
        default:
          return request(it, 'tools/list', {
            _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' },
          });
      }
    });

const openings = {
  legacy: [initialize, initialized],
  modern: [request('first', 'tools/list', { _meta: envelope })],
} as const;

describe.each(['legacy', 'modern'] as const)('in the %s era', (era) => {
  let both: ReturnType<typeof openBoth>;

  beforeAll(async () => {
    both = openBoth(openings[era]);
    expect(await both.fast.next()).toBe(await both.sdk.next());
  });
  afterAll(async () => {
    await both.fast.service.close();
    await both.sdk.service.close();
  });

  test('the fast path answers any message with the same bytes as the SDK', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 5, arbitrary: call(era) }, { weight: 2, arbitrary: irregular(era) }),
        async (message) => {
          both.fast.send(message);
          both.sdk.send(message);
          expect(await both.fast.next()).toBe(await both.sdk.next());
        },
      ),
      { numRuns: 1_500 },
    );
  });

  test('a large answer, whose text is one line, is the same too', async () => {
    const params = {
      name: 'sample_big',
      arguments: { chars: 1_200_000 },
      ...(era === 'modern' ? { _meta: envelope } : {}),
    };
    const answer = await both.fast.ask(request(1, 'tools/call', params));
    expect(answer).toBe(await both.sdk.ask(request(1, 'tools/call', params)));
    const { content, structuredContent } = JSON.parse(answer).result;
    expect(content[0].text).toBe('Answer at length: 1200011 bytes of JSON, in structuredContent.');
    expect(structuredContent.text).toHaveLength(1_200_000);
  });
});

test('a probe of the 2026 era gets the same answer, whichever era the client then chooses', async () => {
  for (const next of [request(2, 'tools/list', { _meta: envelope }), { ...initialize, id: 2 }]) {
    const { fast, sdk } = openBoth([]);
    for (const message of [
      request('probe', 'server/discover', { _meta: envelope }),
      next,
      request(3, 'tools/call', { name: 'no' }),
    ]) {
      expect(await fast.ask(message)).toBe(await sdk.ask(message));
    }
    await Promise.all([fast.service.close(), sdk.service.close()]);
  }
});

test('a connection opened in one era answers messages of the other as the SDK would', async () => {
  const legacyCall = request(1, 'tools/call', { name: 'sample_noop' });
  const modernCall = request(2, 'tools/call', { name: 'sample_noop', _meta: envelope });
  for (const [first, second] of [
    [legacyCall, modernCall],
    [modernCall, legacyCall],
  ]) {
    const { fast, sdk } = openBoth([]);
    for (const message of [first, second, { ...initialize, id: 9 }, second, first]) {
      expect(await fast.ask(message)).toBe(await sdk.ask(message));
    }
    await Promise.all([fast.service.close(), sdk.service.close()]);
  }
});

test.each(['text', 'structured'] as const)('with answers: %s both paths put the data in one part', async (answers) => {
  for (const [opening, _meta] of [
    [[initialize, initialized], undefined],
    [[], envelope],
  ] as const) {
    const { fast, sdk } = openBoth(opening, answers);
    if (opening.length > 0) expect(await fast.next()).toBe(await sdk.next());
    for (const [name, given] of [
      ['sample_noop', {}],
      ['sample_echoAll', { text: 'x' }],
      ['sample_big', { chars: 1_200_000 }],
      ['flagged_fail', { how: 'fault' }],
      ['plain_fail', { how: 'fault' }],
    ] as const) {
      const message = request(1, 'tools/call', { name, arguments: given, ...(_meta !== undefined && { _meta }) });
      const answer = await fast.ask(message);
      expect(answer).toBe(await sdk.ask(message));
      const { result } = JSON.parse(answer);
      const isFault = name.endsWith('_fail');
      expect('structuredContent' in result).toBe(!isFault && answers === 'structured');
      if (name === 'sample_echoAll') {
        const isText = answers === 'text';
        const shown = isText ? result.content[0].text : JSON.stringify(result.structuredContent);
        expect(JSON.parse(shown)).toEqual({ given: { text: 'x' } });
        expect(result.content[0].text.startsWith('{')).toBe(isText);
      }
      if (name === 'sample_big' && answers === 'text') expect(result.content[0].text.length).toBeGreaterThan(1_200_000);
    }
    await Promise.all([fast.service.close(), sdk.service.close()]);
  }
});

test('negative control: another version of the server is detected', async () => {
  const { fast, sdk } = openBoth([]);
  const { deps } = createSampleServer();
  const other = openPipes({ ...deps, server: { ...deps.server, version: '9' } });
  const message = request(1, 'tools/call', { name: 'sample_noop', _meta: envelope });
  expect(await fast.ask(message)).toBe(await sdk.ask(message));
  expect(await other.ask(message)).not.toBe(await sdk.ask(message));
  await Promise.all([fast.service.close(), sdk.service.close(), other.service.close()]);
});

test('the fast path creates no SDK server for calls, but leaves other requests to it', async () => {
  for (const [opening, meta] of [
    [[initialize, initialized], {}],
    [[], { _meta: envelope }],
  ] as const) {
    let builtCount = 0;
    const pipes = openPipes(createSampleServer().deps, {
      fixtures: () => {
        builtCount += 1;
      },
    });
    for (const message of opening) pipes.send(message);
    if (opening.length > 0) await pipes.next();
    for (const params of [
      { name: 'sample_noop' },
      { name: 'tools_call', arguments: { name: 'sample_noop' } },
      { name: 'instructions_dispatch', arguments: { action: 'sample' } },
    ]) {
      expect(await pipes.ask(request(1, 'tools/call', { ...params, ...meta }))).toContain('"structuredContent"');
    }
    expect(builtCount).toBe(0);
    await pipes.ask(request('x', 'resources/list', meta));
    expect(builtCount).toBe(1);
    await pipes.service.close();
  }
});
