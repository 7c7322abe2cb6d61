import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanJson } from './scan.ts';

const bytes = (text: string) => Buffer.from(text);

function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Object.values(value).reduce((deepest: number, item) => Math.max(deepest, depthOf(item)), 0);
}

test('measures the depth of any JSON value exactly, at the limit and one past it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), fc.boolean(), (text, indented) => {
      const value: unknown = JSON.parse(text);
      const depth = depthOf(value);
      const written = bytes(indented ? JSON.stringify(value, null, 2) : text);
      expect(scanJson(written, depth)).toBe('ok');
      if (depth > 0) expect(scanJson(written, depth - 1)).toBe('too-deep');
    }),
  );
});

test('ignores brackets, quotes and backslashes inside strings', () => {
  expect(scanJson(bytes('{"[[[[\\"[[[[":"{{{{\\\\"}'), 1)).toBe('ok');
  expect(scanJson(bytes('["\\\\",[[]]]'), 2)).toBe('too-deep');
});

test('a hundred thousand open brackets are too deep, and invalid JSON does not throw', () => {
  expect(scanJson(bytes('['.repeat(100_000)), 64)).toBe('too-deep');
  for (const text of ['"\\', '"unfinished', ']]]]}}}}'.repeat(20), '']) expect(scanJson(bytes(text), 4)).toBe('ok');
});

test('unmatched closing brackets do not hide depth from text that would parse', () => {
  const hidden = `${']'.repeat(100)}${'['.repeat(100)}`;
  expect(scanJson(bytes(hidden), 64)).toBe('ok');
  expect(() => JSON.parse(hidden)).toThrow(SyntaxError);
});

test('counts all values, and neither commas nor brackets in strings', () => {
  const text = bytes('{"a,b":[1,"x,[,y",{"c":null}],"d":{}}');
  expect(scanJson(text, 4, 9)).toBe('ok');
  expect(scanJson(text, 4, 7)).toBe('too-many');
  expect(scanJson(bytes(`[${Array.from({ length: 100 }, () => 1).join(',')}]`), 4, 100)).toBe('too-many');
});

test('counts the values of any JSON text, at the limit and one past it', () => {
  expect(scanJson(bytes('[1,2,{"a":3,"b":[]}]'), 9, 7)).toBe('ok');
  expect(scanJson(bytes('[1,2,{"a":3,"b":[]}]'), 9, 6)).toBe('too-many');
  expect(scanJson(bytes('"a,b,c,[[["'), 9, 1)).toBe('ok');
});
