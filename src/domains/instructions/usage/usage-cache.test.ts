import { expect, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import { postgresCapabilities } from '#kernel/storage/postgres/capabilities.ts';
import { sqliteCapabilities } from '#kernel/storage/sqlite/capabilities.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { UsageCount } from './usage.ts';
import { createUsageCache } from './usage-cache.ts';

const tenant = toTenantId('local');
const once: UsageCount = { usageCount: 1, firstSeenTs: 'then', lastUsedAt: 'then' };

function open(capabilities = sqliteCapabilities) {
  const wakes: (() => void)[] = [];
  const kept = createUsageCache({
    capabilities,
    watch(wake) {
      wakes.push(wake);
      return () => {};
    },
  });
  const read = (ids: readonly string[], found: Record<string, UsageCount>) =>
    kept.beginRead(tenant, ids)(new Map(Object.entries(found)));
  return { kept, read, wakes };
}

test('caches counts, and that there is none', () => {
  const { kept, read } = open();
  expect(kept.find(tenant, ['a'])).toBeUndefined();
  read(['a', 'b'], { a: once });
  expect(kept.find(tenant, ['a', 'b'])).toEqual(new Map([['a', once]]));
  expect(kept.find(tenant, ['b'])).toEqual(new Map());
  expect(kept.find(tenant, ['a', 'c'])).toBeUndefined();
  expect(kept.find(toTenantId('other'), ['a'])).toBeUndefined();
});

test('any commit of this or another process clears the cache', () => {
  const { kept, read, wakes } = open();
  read(['a'], { a: once });
  for (const wake of wakes) wake();
  expect(kept.find(tenant, ['a'])).toBeUndefined();
  read(['a'], { a: once });
  kept.clear();
  expect(kept.find(tenant, ['a'])).toBeUndefined();
  expect(wakes).toHaveLength(1);
});

test('does not cache a read that spans a commit', () => {
  const { kept } = open();
  const keep = kept.beginRead(tenant, ['a']);
  kept.clear();
  keep(new Map([['a', once]]));
  expect(kept.find(tenant, ['a'])).toBeUndefined();
});

test('caches nothing where the store does not report every commit', () => {
  const { kept, read } = open(postgresCapabilities);
  read(['a'], { a: once });
  expect(kept.find(tenant, ['a'])).toBeUndefined();
});

test('holds a limited number of counts', () => {
  const { kept, read } = open();
  const ids = Array.from({ length: instructionLimits.cachedCountsCount }, (_, i) => `a${i}`);
  read(ids, {});
  expect(kept.find(tenant, ['a1'])).toBeDefined();
  read(['one-more'], {});
  expect(kept.find(tenant, ['a1'])).toBeUndefined();
  expect(kept.find(tenant, ['one-more'])).toBeDefined();
});
