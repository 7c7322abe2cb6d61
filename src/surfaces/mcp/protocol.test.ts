import * as sdk from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimsRevision, eraOfMeta } from './client-meta.ts';
import { legacyRevisions, metaKeys, modernRevision } from './protocol.ts';

test('matches the constants of the SDK', () => {
  expect(legacyRevisions).toEqual(sdk.SUPPORTED_PROTOCOL_VERSIONS);
  expect(metaKeys).toMatchObject({
    protocolVersion: sdk.PROTOCOL_VERSION_META_KEY,
    clientInfo: sdk.CLIENT_INFO_META_KEY,
    clientCapabilities: sdk.CLIENT_CAPABILITIES_META_KEY,
    logLevel: sdk.LOG_LEVEL_META_KEY,
    serverInfo: sdk.SERVER_INFO_META_KEY,
  });
});

const classify = (meta: unknown) =>
  sdk.classifyInboundRequest({
    httpMethod: 'POST',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } },
  });

describe('the era of a request by its _meta', () => {
  const capability = fc.oneof(
    fc.constant({}),
    fc.jsonValue({ maxDepth: 2 }),
    fc.constant({ listChanged: true }),
    fc.constant({ form: {}, url: {} }),
  );
  const meta = fc.record(
    {
      [metaKeys.protocolVersion]: fc.oneof(
        { weight: 5, arbitrary: fc.constant<unknown>(modernRevision) },
        { weight: 1, arbitrary: fc.jsonValue() },
      ),
      [metaKeys.clientCapabilities]: fc.oneof(
        {
          weight: 4,
          arbitrary: fc.dictionary(
            fc.constantFrom('roots', 'sampling', 'elicitation', 'experimental', 'extensions', 'other'),
            capability,
          ),
        },
        { weight: 1, arbitrary: fc.jsonValue() },
      ),
      [metaKeys.clientInfo]: fc.oneof(
        fc.record(
          { name: fc.string(), version: fc.string(), title: fc.oneof(fc.string(), fc.integer()) },
          { requiredKeys: ['name', 'version'] },
        ),
        fc.jsonValue(),
      ),
      [metaKeys.logLevel]: fc.constantFrom('info', 'loud'),
      progressToken: fc.oneof(fc.integer(), fc.constant(null)),
      note: fc.string(),
    },
    { requiredKeys: [] },
  );

  test('agrees with the SDK whenever it is decided', () => {
    fc.assert(
      fc.property(meta, (it) => {
        const era = eraOfMeta(it);
        const outcome = classify(it);
        if (era === 'modern')
          expect(outcome).toMatchObject({ kind: 'modern', classification: { revision: modernRevision } });
        if (era === 'legacy') expect(outcome).toMatchObject({ kind: 'legacy' });
        if (outcome.kind === 'legacy') expect(claimsRevision({ _meta: it })).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is recognised for real clients', () => {
    const envelope = {
      [metaKeys.protocolVersion]: modernRevision,
      [metaKeys.clientCapabilities]: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } },
    };
    expect(eraOfMeta(undefined)).toBe('legacy');
    expect(eraOfMeta({ 'fourfold/idempotencyKey': 'k' })).toBe('legacy');
    expect(eraOfMeta(envelope)).toBe('modern');
    expect(eraOfMeta({ ...envelope, [metaKeys.clientInfo]: { name: 'a', version: '1' }, traceparent: 'x' })).toBe(
      'modern',
    );
    expect(eraOfMeta({ ...envelope, progressToken: 1 })).toBeUndefined();
    expect(eraOfMeta({ ...envelope, [metaKeys.logLevel]: 'info' })).toBeUndefined();
  });
});
