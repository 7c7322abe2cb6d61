import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import { newTenant } from '#tests/contract/storage/call.ts';
import { createPostgresTestStore, type PostgresTestStore } from '#tests/contract/storage/postgres-engine.ts';
import { writeObservations } from '../observations/write-observations.ts';
import { createGraphFixture } from '../relationships/graph.fixture.ts';
import { createTruthBase } from '../truth.fixture.ts';

/** PostgreSQL only: SQLite has a single writer, so nothing can interleave. */
describe('unmerging on PostgreSQL', () => {
  const clock = createManualClock();
  let place: PostgresTestStore;
  let storage: Storage;
  /** Blocks a transaction and shows which ones wait. */
  let admin: pg.Client;

  beforeAll(async () => {
    place = await createPostgresTestStore();
    storage = await place.open({ migrations, clock });
    admin = new pg.Client({ connectionString: place.adminUrl });
    await admin.connect();
  });
  afterAll(async () => {
    await admin?.end();
    await storage?.close();
    await place?.remove();
  });

  const waitFor = (waitingCount: number) =>
    vi.waitFor(
      async () => {
        const { rowCount } = await admin.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rowCount).toBe(waitingCount);
      },
      { timeout: 120_000, interval: 5 },
    );

  test('[TR20] waits for a concurrent observation at every level of the group that the source leaves', async () => {
    const engine = { newTenant, base: (other?: Storage) => createTruthBase(other ?? storage, clock) };
    const graph = createGraphFixture(engine);
    const { tenant, state, merge, unmerge, ask, read } = graph;
    const [bottom, middle, top] = [await state('bottom'), await state('middle'), await state('top')];
    await merge(bottom, middle);
    await merge(middle, top);

    for (const [seenCount, name] of ['middle', 'top'].entries()) {
      const entityId = { middle, top }[name]!;
      const gate = `hashtextextended('${tenant}' || chr(31) || 'gate', 0)`;
      await admin.query(`select pg_advisory_lock(${gate})`);
      // It has written everything and not committed yet.
      const observing = read(function* (db) {
        const source = { kind: 'payload', id: name, key: name, observedAt: db.now, priority: 100 } as const;
        const stating = { ...source, submissionId: name, origin: name, period: { effectiveUntil: null } };
        const draft = { entityType: 'company', entityId, displayName: name, name } as const;
        const statements = { identityRule: 'name', role: name, stated: { name, description: `seen ${name}` } } as const;
        yield* writeObservations(db, graph, stating, [{ ...draft, ...statements }]);
        yield* db.lock('gate');
      });
      await waitFor(1);
      const unmerging = unmerge(bottom, middle);
      await waitFor(2);
      await admin.query(`select pg_advisory_unlock(${gate})`);
      await observing;
      expect(await unmerging).toMatchObject({ unmerged: true, target_observation_count: 3 + seenCount });
      expect(await ask('get_entity_snapshot', { entity_id: top })).toMatchObject({
        observation_count: 3 + seenCount,
        snapshot: { description: `seen ${name}` },
      });
      clock.advance(1_000);
      await merge(bottom, middle);
    }
  });
});
