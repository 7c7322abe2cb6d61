import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import type { TestStore } from '#tests/contract/storage/engine.ts';
import { createSqliteTestStore } from '#tests/contract/storage/sqlite-engine.ts';
import { createLogFixture } from '../log/log.ts';
import { type ChangeFeed, createChangeFeed } from './change-feed.ts';
import type { Storage } from './port.ts';

describe('the change feed', () => {
  let testStore: TestStore;
  let storage: Storage;
  let feed: ChangeFeed;

  beforeEach(async () => {
    testStore = await createSqliteTestStore();
    storage = await testStore.open();
    feed = createChangeFeed(storage, createLogFixture());
  });

  afterEach(async () => {
    feed.close();
    await storage.close();
    await testStore.remove();
  });

  const tell = (tenant: ReturnType<typeof newTenant>, id: string, on = storage) =>
    on.write(createCall(tenant), function* (db) {
      yield* db.changed('pad', id, 'update', 'h');
    });

  /** Collects the ids of a tenant's changes, starting when the subscription is known to be active. */
  async function collect(tenant: ReturnType<typeof newTenant>) {
    const ids: string[] = [];
    const leave = feed.subscribe(tenant, ({ id }) => ids.push(id));
    const isListening = async () => {
      await tell(tenant, 'listening?');
      expect(ids).toContain('listening?');
    };
    await vi.waitFor(isListening, { timeout: 120_000 });
    return { ids: () => ids.filter((id) => id !== 'listening?'), leave };
  }

  const arrive = (ids: () => readonly string[], wanted: readonly string[]) =>
    vi.waitFor(() => expect(ids()).toEqual(wanted), { timeout: 120_000, interval: 5 });

  test('delivers the changes of a tenant in order, and none of another tenant', async () => {
    const [ada, bob] = [newTenant(), newTenant()];
    const { ids } = await collect(ada);
    await Promise.all([tell(ada, 'a'), tell(bob, 'x'), tell(ada, 'b')]);
    await tell(ada, 'c');
    await arrive(ids, ['a', 'b', 'c']);
  });

  test('delivers the changes of another process', async () => {
    const tenant = newTenant();
    const { ids } = await collect(tenant);
    const other = await testStore.open();
    await tell(tenant, 'far', other);
    await arrive(ids, ['far']);
    await other.close();
  });

  test('stops delivering to a subscriber that has left, and continues for the others', async () => {
    const tenant = newTenant();
    const leaver = await collect(tenant);
    const stayer = await collect(tenant);
    leaver.leave();
    await tell(tenant, 'a');
    await arrive(stayer.ids, ['a']);
    expect(leaver.ids()).toEqual([]);
  });

  test('returns the changes that a client has missed', async () => {
    const tenant = newTenant();
    for (const id of ['a', 'b', 'c']) await tell(tenant, id);
    expect((await feed.since(tenant, 1, 10)).map(({ id }) => id)).toEqual(['b', 'c']);
    expect(await feed.since(tenant, 0, 1)).toHaveLength(1);
  });
});
