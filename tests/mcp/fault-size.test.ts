import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faultBytes } from '#tests/support/fault-bytes.ts';
import { modernHeaders, openSession, post } from './support/http-client.ts';
import { type Loopback, listenOnLoopback } from './support/loopback.ts';
import { call, envelope, initialize, modernCall, request } from './support/messages.ts';
import { openPipes, type Pipes } from './support/pipes.ts';
import { sampleCatalogs } from './support/sample-catalogs.ts';
import { createSampleServer } from './support/sample-server.ts';

const long = 'x'.repeat(1_000_000);
const escaped = '\u0001"\\'.repeat(100_000);
const manyKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));

const texts = { 'a long text': long, 'a long text with escapes': escaped };

/** A message per place in which a client can put a long text, and whether the answer must be an error. */
const messages = (text: string): Readonly<Record<string, object>> => ({
  'a tool name': call(1, text),
  'a method with a slash': request(1, `a/${text}`),
  'a method': request(1, text),
  'a notification method': request(1, `notifications/${text}`),
  'an argument name': call(1, 'sample_echoAll', { [text]: 1 }),
  'an argument': call(1, 'sample_echoAll', { text: 1, more: text }),
  'an argument of a plain method': request(1, 'sample/echoAll', { more: text }),
  'a request id': call(text, 'sample_noop'),
  'a cursor': request(1, 'tools/list', { cursor: text }),
  'a resource': request(1, 'resources/read', { uri: `x://${text}` }),
  'a resource of a family': request(1, 'resources/read', { uri: `note://${encodeURIComponent(text)}` }),
  'a resource of the 2026 era': request(1, 'resources/read', { uri: `x://${text}`, _meta: envelope }),
  'a subscription': request(1, 'resources/subscribe', { uri: text }),
  'a skill': request(1, 'resources/read', { uri: `skill://${text}` }),
  'a prompt': request(1, 'prompts/get', { name: text }),
  'a completion': request(1, 'completion/complete', {
    ref: { type: 'ref/prompt', name: text },
    argument: { name: text, value: text },
  }),
  'a log level': request(1, 'logging/setLevel', { level: text }),
  'a revision': request(1, 'tools/list', { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': text } }),
  'a revision at the start': request(1, 'initialize', { ...initialize.params, protocolVersion: text }),
  'an idempotency key': call(1, 'sample_noop', {}, { 'fourfold/idempotencyKey': text }),
  'a member of the message': { ...call(1, 'sample_noop'), [text]: 1 },
  'a tool name of the 2026 era': modernCall(1, text),
  'an argument of the 2026 era': modernCall(1, 'sample_echoAll', { [text]: 1 }),
  'a method of the 2026 era': request(1, text, { _meta: envelope }),
});

const nasty: readonly (readonly [string, object])[] = [
  ...Object.entries(texts).flatMap(([what, text]) =>
    Object.entries(messages(text)).map(([where, message]) => [`${what} as ${where}`, message] as const),
  ),
  ['50,000 unknown arguments', call(1, 'sample_echoAll', manyKeys(50_000))],
  ['200,000 unknown arguments', call(1, 'sample_echoAll', manyKeys(200_000))],
  ['200,000 wrong items', call(1, 'sample_echoAll', { list: Array.from({ length: 200_000 }, () => ({})) })],
];

const paths = [
  ['the fast path', false],
  ['the SDK', true],
] as const;

describe.each(paths)('on stdio, by %s', (_, isFastPathOff) => {
  let pipes: Pipes;
  beforeEach(async () => {
    pipes = openPipes(createSampleServer(sampleCatalogs).deps, { isFastPathOff });
  });
  afterEach(() => pipes.service.close());

  test.each(nasty)('answers %s within the limit', async (_label, message) => {
    const answer = await pipes.ask(message);
    expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(faultBytes);
    expect(JSON.parse(answer)).toMatchObject({ jsonrpc: '2.0' });
    let next = JSON.parse(await pipes.ask(call('next', 'sample_noop')));
    // The answer to `initialize` is followed by a notification.
    if (next.id === undefined) next = JSON.parse(await pipes.next());
    expect(next).toMatchObject({ id: 'next' });
  });
});

describe.each(paths)('over HTTP, by %s', (_, isFastPathOff) => {
  let loopback: Loopback;
  let session: Record<string, string>;
  beforeEach(async () => {
    loopback = await listenOnLoopback(createSampleServer(sampleCatalogs).deps, { isFastPathOff });
    session = await openSession(loopback.url);
  });
  afterEach(() => loopback.close());

  test.each(nasty)('answers %s within the limit', async (_label, message) => {
    const isModern = JSON.stringify(message).includes('"io.modelcontextprotocol/protocolVersion"');
    const { method } = message as { method: string };
    const headers = isModern && method.length < 100 ? modernHeaders({ method }) : session;
    for (const sent of [headers, {}]) {
      const answer = await post(loopback.url, message, sent);
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(faultBytes);
    }
  });
});
