import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmacHex, sha256Hex } from './hash.ts';

test('hashes the bytes of the text', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('computes the standard HMAC for keys of every length and any text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 500 }), (key, text) => {
      const expected = createHmac('sha256', key).update(text).digest('hex');
      expect(hmacHex(key, text)).toBe(expected);
      expect(hmacHex(key, text)).toBe(expected);
    }),
  );
});
