import { isStringOneByteRepresentation } from 'node:v8';
import { expect, test } from 'vitest';
import { toOneByte } from './one-byte.ts';

test.each(['', 'plain', 'a → b', 'größe', '\ud800', '\0\x7f'])('%j stays what it is', (text) => {
  expect(toOneByte(text)).toBe(text);
});

test('what is left when wider characters are gone takes one byte a character', () => {
  const left = 'first the hook → then the service'.replaceAll('→', '->');
  expect(isStringOneByteRepresentation(left)).toBe(false);
  expect(isStringOneByteRepresentation(toOneByte(left))).toBe(true);
});
