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

test('counts the members of each object on its own, and neither items nor colons in strings', () => {
  const object = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}:":":${i}"`).join(',')}}`;
  expect(scanJson(bytes(`[${object(5)},${object(5)},[1,2,3,4,5,6,7]]`), 4, 5)).toBe('ok');
  expect(scanJson(bytes(`[${object(5)},{"a":${object(6)}}]`), 4, 5)).toBe('too-many');
  expect(scanJson(bytes(`{"a":${object(5)},"b":${object(5)},"c":1}`), 4, 5)).toBe('ok');
});
