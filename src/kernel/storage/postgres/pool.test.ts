import { expect, test } from 'vitest';
import { getTypeParser } from './pool.ts';

const parse = (oid: number, text: string) => getTypeParser(oid, 'text')(text);

test('whole numbers are numbers, up to what a number holds', () => {
  expect(parse(20, '9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  expect(parse(20, '-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER);
  expect(() => parse(20, '9007199254740992')).toThrow('which no number holds');
  expect(() => parse(1700, '9007199254740993')).toThrow('which no number holds');
});

test('sums and fractions are numbers', () => {
  expect(parse(1700, '12')).toBe(12);
  expect(parse(1700, '0.25')).toBe(0.25);
  expect(parse(701, '1e-7')).toBe(1e-7);
});

test('conditions are 1 and 0, bytes are bytes, and anything else is text', () => {
  expect([parse(16, 't'), parse(16, 'f')]).toEqual([1, 0]);
  expect(parse(17, '\\x00ff')).toEqual(Buffer.from([0, 255]));
  expect(parse(25, '12')).toBe('12');
});
