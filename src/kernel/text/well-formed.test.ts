import { isStringOneByteRepresentation } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { findIllFormedChar, findIllFormedText, textAt, toOneByte } from './well-formed.ts';

describe('text that no store keeps', () => {
  it.each<[unknown, string | undefined]>([
    ['fine \u{1f600}', undefined],
    ['\0', ''],
    ['\ud83d', ''],
    ['\ude00\ud83d', ''],
    [{ a: ['x', { b: 'y\0' }] }, '/a/1/b'],
    [{ 'a/b': { '~': '\ud800' } }, '/a~1b/~0'],
    [{ a: { 'k\0': 1 } }, '/a'],
    [{ '\udfff': 1 }, ''],
    [[['ok'], ['\0']], '/1/0'],
    [null, undefined],
    [5, undefined],
    [undefined, undefined],
    [{ a: null, b: [], c: {} }, undefined],
  ])('in %j is found at %j', (value, at) => {
    expect(findIllFormedText(value)).toBe(at);
  });

  it('is found exactly where it was inserted', () => {
    const wellFormed = fc
      .jsonValue({ stringUnit: 'grapheme' })
      .filter((value) => !JSON.stringify(value).includes('\\u0000'));
    fc.assert(
      fc.property(wellFormed, fc.constantFrom('\0', '\ud800', '\udc00'), fc.nat(3), (value, bad, depth) => {
        expect(findIllFormedText(value)).toBeUndefined();
        let nested: unknown = { value, bad: `x${bad}` };
        for (let i = 0; i < depth; i += 1) nested = [value, nested];
        expect(findIllFormedText(nested)).toBe(`${'/1'.repeat(depth)}/bad`);
      }),
    );
  });
});

test.each(['', 'plain', 'a → b', 'größe', '\ud800', '\0\x7f'])('%j is kept', (text) => {
  expect(toOneByte(text)).toBe(text);
});

test('takes one byte per character once wider characters are removed', () => {
  const left = 'first the hook → then the service'.replaceAll('→', '->');
  expect(isStringOneByteRepresentation(left)).toBe(false);
  expect(isStringOneByteRepresentation(toOneByte(left))).toBe(true);
});

test.each([
  ['a\0', 1],
  ['\ud800', 0],
  ['x\udc00', 1],
  ['\ud83d\ude00\ud83d', 2],
  ['\ud83d\ude00', -1],
  ['plain', -1],
])('the first character of %j that no store keeps is at %i', (text, at) => {
  expect(findIllFormedChar(text)).toBe(at);
});

test('finds the text at a pointer, and nothing where another value is', () => {
  const value = { 'a/b': [{ '~': 'x' }], n: 1 };
  expect(textAt(value, '/a~1b/0/~0')).toBe('x');
  for (const pointer of ['', '/n', '/a~1b', '/none/deeper']) expect(textAt(value, pointer)).toBeUndefined();
});
