import { expect, test } from 'vitest';
import { isLarge } from './is-large.ts';

test('counts the values at every depth', () => {
  const value = { a: [1, { b: 2 }], c: null };
  expect(isLarge(value, 6)).toBe(false);
  expect(isLarge(value, 5)).toBe(true);
  expect(isLarge('text', 1)).toBe(false);
});

test('stops at the limit', () => {
  const visited: string[] = [];
  const value = new Proxy(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, i])), {
    get(target, key) {
      visited.push(String(key));
      return Reflect.get(target, key) as unknown;
    },
  });
  expect(isLarge(value, 10)).toBe(true);
  expect(visited).toHaveLength(10);
});
