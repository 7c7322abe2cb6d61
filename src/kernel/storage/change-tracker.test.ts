import { expect, test } from 'vitest';
import { localTenant, toTenantId } from '../call.ts';
import { createChangeTracker } from './change-tracker.ts';
import type { Change } from './port.ts';

const bounds = { followedTenantsCount: 20, followedChangesCount: 8 };

/** A change log and a stamp that the test controls. */
function openLog() {
  const log: Change[] = [];
  const state = { stamp: 1 as number | undefined };
  const heard: string[] = [];
  let lostCount = 0;
  const following = createChangeTracker(
    {
      stamp: () => state.stamp,
      version: async () => log.length,
      changesSince: async (_tenant, _topic, seq, limit) => log.slice(seq, seq + limit),
    },
    { changed: (_tenant, { id }) => heard.push(id), lost: () => (lostCount += 1) },
    bounds,
  );
  const commit = (...ids: string[]) => {
    for (const id of ids) log.push({ seq: log.length + 1, topic: 'thing', id, what: 'update', hash: '' });
    state.stamp = (state.stamp ?? 0) + 1;
  };
  return { following, state, heard, commit, lostCount: () => lostCount };
}

test('is not current before the first read, and current while the stamp stays the same', async () => {
  const { following, commit, heard } = openLog();
  commit('before');
  expect(following.isCurrent(localTenant)).toBe(false);
  expect(await following.catchUp(localTenant)).toBe(true);
  expect(following.isCurrent(localTenant)).toBe(true);
  expect(heard).toEqual([]);
});

test('reports each change once, whatever their number', async () => {
  const { following, commit, heard } = openLog();
  await following.catchUp(localTenant);
  const ids = Array.from({ length: bounds.followedChangesCount + 1 }, (_, i) => `thing-${i}`);
  commit(...ids);
  expect(following.isCurrent(localTenant)).toBe(false);
  await following.catchUp(localTenant);
  await following.catchUp(localTenant);
  expect(heard).toEqual(ids);
  expect(following.isCurrent(localTenant)).toBe(true);
});

test('reports a commit that happens during a read with the next read', async () => {
  const { following, commit, heard } = openLog();
  await following.catchUp(localTenant);
  commit('one');
  const reading = following.catchUp(localTenant);
  commit('two');
  await reading;
  expect(following.isCurrent(localTenant)).toBe(false);
  await following.catchUp(localTenant);
  expect(heard).toEqual(['one', 'two']);
});

test('reports that a store without a stamp cannot be tracked', async () => {
  const { following, state } = openLog();
  state.stamp = undefined;
  expect(await following.catchUp(localTenant)).toBe(false);
  expect(following.isCurrent(localTenant)).toBe(false);
});

test('reports lost changes when there are too many tenants to track', async () => {
  const { following, lostCount } = openLog();
  for (let i = 0; i < bounds.followedTenantsCount; i += 1) await following.catchUp(toTenantId(`t${i}`));
  expect(lostCount()).toBe(0);
  await following.catchUp(localTenant);
  expect(lostCount()).toBe(1);
  expect(following.isCurrent(toTenantId('t0'))).toBe(false);
});
