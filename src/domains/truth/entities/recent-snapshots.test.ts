import { expect, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import type { EntitySnapshot } from './entity-model.ts';
import { createRecentSnapshots } from './recent-snapshots.ts';

const tenant = toTenantId('one');
const shown = (entity_id: string, chars = 0): EntitySnapshot => ({
  ...{ entity_id, entity_type: 'company', schema_version: '1.0', snapshot: { name: 'x'.repeat(chars) } },
  ...{ provenance: {}, provenance_all: {}, computed_at: '', observation_count: 1, last_observation_at: '' },
});

const now = 1_000;
const lasting = (snapshot: EntitySnapshot) => ({ snapshot, nextChangeAt: null });

test('caches a snapshot per tenant until the entity changes', () => {
  const recent = createRecentSnapshots();
  const one = shown('a');
  recent.keep(tenant, 'a', lasting(one), recent.mark());
  expect(recent.peek(tenant, 'a', now)).toBe(one);
  expect(recent.peek(toTenantId('two'), 'a', now)).toBeUndefined();
  recent.forget(toTenantId('two'), 'a');
  expect(recent.peek(tenant, 'a', now)).toBe(one);
  recent.forget(tenant, 'a');
  expect(recent.peek(tenant, 'a', now)).toBeUndefined();
});

test("drops snapshots read through a merged entity's id when its root changes", () => {
  const recent = createRecentSnapshots();
  recent.keep(tenant, 'merged', lasting(shown('root')), recent.mark());
  recent.keep(tenant, 'other', lasting(shown('other')), recent.mark());
  recent.forget(tenant, 'root');
  expect(recent.peek(tenant, 'merged', now)).toBeUndefined();
  expect(recent.peek(tenant, 'other', now)).toBeDefined();
});

test('does not cache a snapshot that was read before an invalidation', () => {
  const recent = createRecentSnapshots();
  const mark = recent.mark();
  recent.forget(tenant, 'a');
  recent.keep(tenant, 'a', lasting(shown('a')), mark);
  expect(recent.peek(tenant, 'a', now)).toBeUndefined();
  const another = recent.mark();
  recent.clear();
  recent.keep(tenant, 'a', lasting(shown('a')), another);
  expect(recent.peek(tenant, 'a', now)).toBeUndefined();
});

test('evicts the oldest entries and does not cache a snapshot that is too large', () => {
  const recent = createRecentSnapshots(5_000);
  for (const id of ['a', 'b', 'c']) recent.keep(tenant, id, lasting(shown(id, 700)), recent.mark());
  expect(['a', 'b', 'c'].map((id) => recent.peek(tenant, id, now) !== undefined)).toEqual([false, true, true]);
  recent.keep(tenant, 'b', lasting(shown('b', 100_000)), recent.mark());
  expect(recent.peek(tenant, 'b', now)).toBeUndefined();
  // The evicted bytes are available again.
  recent.keep(tenant, 'd', lasting(shown('d', 700)), recent.mark());
  expect(recent.peek(tenant, 'c', now)).toBeDefined();
});

test('returns no snapshot from the moment at which it changes', () => {
  const recent = createRecentSnapshots();
  const one = shown('a');
  recent.keep(tenant, 'a', { snapshot: one, nextChangeAt: now + 1 }, recent.mark());
  expect(recent.peek(tenant, 'a', now)).toBe(one);
  expect(recent.peek(tenant, 'a', now + 1)).toBeUndefined();
});
