import { expect, test } from 'vitest';
import { getTypeParser } from './pool.ts';

const parse = (oid: number, text: string) => getTypeParser(oid, 'text')(text);

test('reads integers as numbers and rejects those that a number cannot hold', () => {
  expect(parse(20, '9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  expect(parse(20, '-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER);
  expect(() => parse(20, '9007199254740992')).toThrow('which a number cannot hold');
  expect(() => parse(1700, '9007199254740993')).toThrow('which a number cannot hold');
});

test('reads sums and fractions as numbers', () => {
  expect(parse(1700, '12')).toBe(12);
  expect(parse(1700, '0.25')).toBe(0.25);
  expect(parse(701, '1e-7')).toBe(1e-7);
});

test('reads conditions as 1 and 0, bytes as bytes, and anything else as text', () => {
  expect([parse(16, 't'), parse(16, 'f')]).toEqual([1, 0]);
  expect(parse(17, '\\x00ff')).toEqual(Buffer.from([0, 255]));
  expect(parse(25, '12')).toBe('12');
});
