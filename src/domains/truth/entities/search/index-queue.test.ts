import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIds } from '#kernel/ids/ids.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { silentLog } from '#kernel/log/log.ts';
import { describeTruth } from '../../truth.fixture.ts';
import { truthLimits } from '../../truth-limits.ts';
import { deleteQueued, listTickets } from './entity-search-store.ts';
import { createIndexQueue } from './index-queue.ts';

/** The second that is the default is too short on a busy machine. */
const patience = { timeout: 120_000 };

describeTruth('the queue of the index', (engine) => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** Rebuilds wait until the test lets them end. */
  function open() {
    const storage = engine.storage();
    const tenant = engine.newTenant();
    const rebuilds = { now: 0, mostAtOnce: 0 };
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const call = () => systemCall('test', { tenant });
    const queue = createIndexQueue({
      storage,
      ids: createIds(engine.clock),
      log: silentLog,
      *update() {},
      *deriveNames() {},
      *reindex() {},
      async rebuild() {
        rebuilds.now += 1;
        rebuilds.mostAtOnce = Math.max(rebuilds.mostAtOnce, rebuilds.now);
        await ended;
        rebuilds.now -= 1;
        await storage.write(call(), function* (db) {
          const tickets = yield* listTickets(db);
          yield* deleteQueued(
            db,
            tickets.map(({ ticket }) => ticket),
          );
        });
      },
      toCall: call,
    });
    const entityIds = Array.from({ length: truthLimits.rebuiltEntitiesCount + 1 }, (_, i) => `entity-${i}`);
    const write = (ids: readonly string[] = ['entity-0']) => storage.write(call(), (db) => queue.reindex(db, ids));
    return { queue, rebuilds, end, entityIds, write, tenant, call };
  }

  test('[TR80] writes during a long run start no second one, and are indexed after it', async () => {
    const { queue, rebuilds, end, entityIds, write, tenant, call } = open();
    await write(entityIds);
    await vi.advanceTimersByTimeAsync(truthLimits.indexSoonMs);
    await vi.waitFor(() => expect(rebuilds.now).toBe(1), patience);
    for (let i = 0; i < 3; i += 1) {
      await write(entityIds);
      await vi.advanceTimersByTimeAsync(truthLimits.indexSoonMs);
    }
    const job = queue.indexAll(tenant, new AbortController().signal);
    const search = queue.awaitQueued(call());
    await write();
    end();
    await job;
    await vi.advanceTimersByTimeAsync(truthLimits.indexWaitMs);
    await search;
    await vi.waitFor(async () => expect(await queue.countWaiting(call())).toBe(0), patience);
    expect(rebuilds.mostAtOnce).toBe(1);
  });

  test('[TR80] a job that is stopped does not wait for the run', async () => {
    const { queue, rebuilds, end, entityIds, write, tenant } = open();
    await write(entityIds);
    const stopping = new AbortController();
    const job = queue.indexAll(tenant, stopping.signal);
    await vi.waitFor(() => expect(rebuilds.now).toBe(1), patience);
    stopping.abort(new Error('stopped'));
    await expect(job).rejects.toThrow('stopped');
    end();
  });
});
