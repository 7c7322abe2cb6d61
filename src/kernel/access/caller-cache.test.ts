import { expect, test } from 'vitest';
import { type Caller, localTenant } from '../call.ts';
import { createCallerCache } from './caller-cache.ts';

const caller: Caller = { tenant: localTenant, actor: 'key:1', scopes: new Set(['read']) };

test('a caller is trusted up to the end of its time and not a millisecond longer', () => {
  const cache = createCallerCache();
  cache.remember('a', { caller, trustedUntil: 100 }, cache.generation);
  expect(cache.find('a', 99)).toBe(caller);
  expect(cache.find('a', 100)).toBeUndefined();
});

test('what was proven before a revocation is not remembered after it', () => {
  const cache = createCallerCache();
  const { generation } = cache;
  cache.clear();
  cache.remember('a', { caller, trustedUntil: 100 }, generation);
  expect(cache.find('a', 0)).toBeUndefined();
});

test('it holds so many callers and no more; the oldest goes first', () => {
  const cache = createCallerCache(2);
  for (const digest of ['a', 'b', 'c']) cache.remember(digest, { caller, trustedUntil: 100 }, cache.generation);
  expect(['a', 'b', 'c'].map((digest) => cache.find(digest, 0) !== undefined)).toEqual([false, true, true]);
});
