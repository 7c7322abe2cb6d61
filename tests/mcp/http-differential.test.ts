import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modernHeaders, openSession, post } from './support/http-client.ts';
import { type Loopback, listenOnLoopback } from './support/loopback.ts';
import { envelope, request } from './support/messages.ts';
import { createSampleServer } from './support/sample-server.ts';

let fast: Loopback;
let sdk: Loopback;

beforeAll(async () => {
  fast = await listenOnLoopback(createSampleServer().deps);
  sdk = await listenOnLoopback(createSampleServer().deps, { isFastPathOff: true });
});
afterAll(async () => {
  await fast.close();
  await sdk.close();
});

const message = fc
  .record({
    id: fc.oneof(fc.integer(), fc.string()),
    name: fc.constantFrom(
      'tools_call',
      'instructions_dispatch',
      'sample_noop',
      'sample/echoAll',
      'sample_fail',
      'traced_fail',
      'flagged_fail',
      'plain_fail',
      'nobody',
    ),
    args: fc.oneof(
      fc.constant({}),
      fc.record({ text: fc.string(), count: fc.integer({ min: 0, max: 12 }) }, { requiredKeys: [] }),
      fc.record({ how: fc.constantFrom('fault', 'bug', 'shape') }),
      fc.record({ action: fc.constantFrom('sample', 'nothing'), fails: fc.boolean() }),
      fc.record({
        name: fc.constantFrom('sample_noop', 'sample_fail', 'traced_fail', 'unknown_tool'),
        arguments: fc.record({ how: fc.constantFrom('fault', 'bug') }, { requiredKeys: [] }),
      }),
    ),
    isList: fc.boolean(),
  })
  .map((it) => (meta: object) => {
    return it.isList
      ? request(it.id, 'tools/list', meta)
      : request(it.id, 'tools/call', { name: it.name, arguments: it.args, ...meta });
  });

test('over HTTP in the 2026 era both paths answer with the same status, type and bytes', async () => {
  await fc.assert(
    fc.asyncProperty(message, async (make) => {
      const asked = make({ _meta: envelope });
      const headers = modernHeaders(asked);
      const [ours, theirs] = [await post(fast.url, asked, headers), await post(sdk.url, asked, headers)];
      expect(ours.text).toBe(theirs.text);
      expect(ours.status).toBe(theirs.status);
      expect(ours.headers.get('content-type')).toBe(theirs.headers.get('content-type'));
    }),
    { numRuns: 150 },
  );
});

test('over HTTP in the 2025 era both paths answer with the same message', async () => {
  const [ours, theirs] = [await openSession(fast.url), await openSession(sdk.url)];
  await fc.assert(
    fc.asyncProperty(message, async (make) => {
      const asked = make({});
      const [a, b] = [await post(fast.url, asked, ours), await post(sdk.url, asked, theirs)];
      expect(a.text).toBe(b.text);
      expect(a.status).toBe(b.status);
    }),
    { numRuns: 150 },
  );
});

test('both paths reject headers that do not match the body in the same way', async () => {
  const asked = request(1, 'tools/call', { name: 'sample_noop', arguments: {}, _meta: envelope });
  const right = modernHeaders(asked);
  const wrong: Record<string, string>[] = [
    { ...right, 'mcp-name': 'sample_fail' },
    { ...right, 'mcp-method': 'tools/list' },
    { ...right, 'mcp-protocol-version': '2025-11-25' },
    { 'mcp-protocol-version': '2026-07-28' },
    {},
    { ...right, 'content-type': 'text/plain' },
  ];
  for (const headers of wrong) {
    const [a, b] = [await post(fast.url, asked, headers), await post(sdk.url, asked, headers)];
    expect([a.status, a.text]).toEqual([b.status, b.text]);
    expect(a.status).toBeGreaterThanOrEqual(400);
  }
});
