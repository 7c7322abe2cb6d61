import { isInitializeRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHandshake } from './handshake.ts';

const isValid = (params: object) => isInitializeRequest({ jsonrpc: '2.0', id: 1, method: 'initialize', params });

test('gives the SDK a handshake it accepts, for any input', () => {
  const told = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        protocolVersion: fc.oneof(fc.constantFrom('1.0.0', '2025-06-18', '2024-11-05'), fc.jsonValue()),
        capabilities: fc.oneof(
          fc.jsonValue(),
          fc.dictionary(
            fc.constantFrom('roots', 'sampling', 'elicitation', 'experimental', 'extensions', 'tools'),
            fc.oneof(fc.boolean(), fc.jsonValue()),
          ),
        ),
        clientInfo: fc.oneof(fc.jsonValue(), fc.record({ name: fc.string(), version: fc.string() })),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(told, (params) => {
      expect(isValid(readHandshake(params).params)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('reads the documented example as it was meant', () => {
  const { params, isOdd } = readHandshake({ protocolVersion: '1.0.0', capabilities: { tools: true, roots: true } });
  expect(isOdd).toBe(true);
  expect(params).toEqual({
    protocolVersion: '1.0.0',
    capabilities: { roots: {} },
    clientInfo: { name: 'unknown', version: '0' },
  });
});

test('passes a valid handshake on unchanged', () => {
  const told = {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {}, tasks: { list: {} } },
    clientInfo: { name: 'a', version: '1', icons: [] },
  };
  expect(readHandshake(told)).toEqual({ params: told, isOdd: false });
});
