import { expect, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import type { EntitySnapshot } from './entity-model.ts';
import { createRecentSnapshots } from './recent-snapshots.ts';

const tenant = toTenantId('one');
const shown = (entity_id: string, chars = 0): EntitySnapshot => ({
  ...{ entity_id, entity_type: 'company', schema_version: '1.0', snapshot: { name: 'x'.repeat(chars) } },
  ...{ provenance: {}, provenance_all: {}, computed_at: '', observation_count: 1, last_observation_at: '' },
});

test('caches a snapshot per tenant until the entity changes', () => {
  const recent = createRecentSnapshots();
  const one = shown('a');
  recent.keep(tenant, 'a', one, recent.mark());
  expect(recent.peek(tenant, 'a')).toBe(one);
  expect(recent.peek(toTenantId('two'), 'a')).toBeUndefined();
  recent.forget(toTenantId('two'), 'a');
  expect(recent.peek(tenant, 'a')).toBe(one);
  recent.forget(tenant, 'a');
  expect(recent.peek(tenant, 'a')).toBeUndefined();
});

test("drops snapshots read through a merged entity's id when its root changes", () => {
  const recent = createRecentSnapshots();
  recent.keep(tenant, 'merged', shown('root'), recent.mark());
  recent.keep(tenant, 'other', shown('other'), recent.mark());
  recent.forget(tenant, 'root');
  expect(recent.peek(tenant, 'merged')).toBeUndefined();
  expect(recent.peek(tenant, 'other')).toBeDefined();
});

test('does not cache a snapshot that was read before an invalidation', () => {
  const recent = createRecentSnapshots();
  const mark = recent.mark();
  recent.forget(tenant, 'a');
  recent.keep(tenant, 'a', shown('a'), mark);
  expect(recent.peek(tenant, 'a')).toBeUndefined();
  const another = recent.mark();
  recent.clear();
  recent.keep(tenant, 'a', shown('a'), another);
  expect(recent.peek(tenant, 'a')).toBeUndefined();
});

test('evicts the oldest entries and does not cache a snapshot that is too large', () => {
  const recent = createRecentSnapshots(5_000);
  for (const id of ['a', 'b', 'c']) recent.keep(tenant, id, shown(id, 700), recent.mark());
  expect(['a', 'b', 'c'].map((id) => recent.peek(tenant, id) !== undefined)).toEqual([false, true, true]);
  recent.keep(tenant, 'b', shown('b', 100_000), recent.mark());
  expect(recent.peek(tenant, 'b')).toBeUndefined();
  // The evicted bytes are available again.
  recent.keep(tenant, 'd', shown('d', 700), recent.mark());
  expect(recent.peek(tenant, 'c')).toBeDefined();
});
