import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { boundDetails, boundMessage, cutText } from './bound-fault.ts';
import { Fault } from './fault.ts';

const escapedBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

test('leaves details that fit as they are', () => {
  const details = { id: 'x', errors: [{ at: 1, ok: true, none: null }], list: Array(100).fill('a short text') };
  expect(boundDetails(details)).toBe(details);
});

test.each([
  ['a long text', { id: 'x'.repeat(5_000_000) }],
  ['a long text of control characters', { id: '\u0001'.repeat(1_000_000) }],
  ['a long key', { ['k'.repeat(5_000_000)]: 1 }],
  ['many items', { ids: Array(1_000_000).fill(1) }],
  ['many texts', { ids: Array.from({ length: 100_000 }, (_, i) => `id-${i}`) }],
  ['many members', Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i]))],
])('shortens %s to the limit', (_, details) => {
  const bounded = boundDetails(details);
  expect(escapedBytes(bounded)).toBeLessThanOrEqual(limits.faultDetailsBytes);
  expect(Object.keys(bounded).length).toBeGreaterThan(0);
});

test('keeps the beginning of details that are too long', () => {
  const { ids } = boundDetails({ ids: Array.from({ length: 100_000 }, (_, i) => `id-${i}`) });
  expect(ids.slice(0, 3)).toEqual(['id-0', 'id-1', 'id-2']);
  expect(ids.length).toBeGreaterThan(100);
});

test('any details fit afterwards', () => {
  const nasty = fc.oneof(
    fc.jsonValue({ maxDepth: 6 }),
    fc.array(fc.string({ unit: 'binary', maxLength: 3_000 }), { maxLength: 40 }),
    fc.dictionary(fc.string({ maxLength: 2_000 }), fc.string({ maxLength: 2_000 })),
  );
  fc.assert(
    fc.property(fc.array(nasty, { maxLength: 30 }), (values) => {
      expect(escapedBytes(boundDetails({ values }))).toBeLessThanOrEqual(limits.faultDetailsBytes);
    }),
    { numRuns: 20, seed: 11 },
  );
});

test('reads no more of long details than it shows', () => {
  let reads = 0;
  const items = new Proxy(Array(1_000_000).fill('x'), {
    get(target, key, receiver) {
      reads += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  boundDetails({ items });
  expect(reads).toBeLessThan(20_000);
});

test('cuts a text without leaving half a character', () => {
  expect(cutText('abcdef', 6)).toBe('abcdef');
  expect(cutText('abcdefg', 6)).toBe('abcde…');
  expect(cutText('ab😀😀😀', 4)).toBe('ab…');
});

test('every fault has a bounded message and bounded details', () => {
  const kind = { code: 'X', rpc: -32000, http: 400, retryable: false, fix: 'x' };
  const fault = new Fault(kind, 'm'.repeat(5_000_000), { id: 'x'.repeat(5_000_000) });
  expect(fault.message).toBe(boundMessage('m'.repeat(5_000_000)));
  expect(fault.message).toHaveLength(limits.faultMessageChars);
  expect(String(fault.details['id']).length).toBeLessThan(1_000);
});
