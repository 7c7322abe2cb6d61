import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import { newTenant } from '#tests/contract/storage/call.ts';
import { createPostgresTestStore, type PostgresTestStore } from '#tests/contract/storage/postgres-engine.ts';
import { allObservations } from '../observations/table-rows.fixture.ts';
import { createRelationships } from '../relationships/relationships.ts';
import {
  codeOf,
  createTruthBase,
  createTruthFixture,
  describeTruth,
  invoice,
  type TruthBase,
} from '../truth.fixture.ts';
import { entityTools } from '../truth-toolset.ts';
import { createEntities } from './entities.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const hourMs = 3_600_000;

let readCount = 0;

/** One invoice whose status each write states for the same day. The order of the calls decides, not the clock. */
function openInvoice(base: TruthBase, tenant = newTenant()) {
  const truth = createTruthFixture(
    base,
    { entities: createEntities(base), relationships: createRelationships(base) },
    entityTools,
  );
  const one = truth.as(tenant);
  const payload = (status: string) => {
    readCount += 1;
    const extracted_at = iso(Date.UTC(2025, 0, 15) + readCount);
    return { ...invoice({ status }, { extracted_at }), effective_at: '2025-01-15' };
  };
  return {
    ...one,
    payload,
    state: (status: string) => one.submit(payload(status)),
    async statusAt(moment: object = {}) {
      const { entities } = await one.ask('retrieve_entities', { entity_type: 'invoice', include_snapshots: false });
      const entity_id = (entities as { entity_id: string }[])[0]?.entity_id ?? 'ent_0';
      const answer = await one.ask('get_entity_snapshot', { entity_id, ...moment });
      return codeOf(answer) ?? (answer['snapshot'] as { readonly status?: string }).status;
    },
    async times() {
      const rows = await one.read((db) => allObservations(db));
      return [...new Set(rows.map(({ created_at }) => created_at))].sort((a, b) => a - b);
    },
  };
}

describeTruth('[TR46] recording times', (engine) => {
  const openWith = async (clock: ReturnType<typeof createManualClock>) =>
    createTruthBase(engine.closeAtEnd(await engine.testStore().open({ migrations, clock })), clock);

  test('never decrease when the clock is set back', async () => {
    const clock = createManualClock();
    const { state, statusAt, times } = openInvoice(await openWith(clock));
    const start = clock.now();
    await state('first');
    clock.advance(-hourMs);
    await state('second');
    await state('third');
    expect(await times()).toEqual([start]);
    expect(await statusAt()).toBe('third');
    // Not even for a question about the time that the clock shows.
    expect(await statusAt({ as_known_at: iso(clock.now()) })).toBe('ENTITY_NOT_FOUND');
    clock.advance(hourMs + 1);
    await state('fourth');
    expect(await times()).toEqual([start, start + 1]);
    expect(await statusAt({ as_known_at: iso(start) })).toBe('third');
  });

  test('are in commit order when the clocks of two processes differ', async () => {
    const [ahead, behind] = [createManualClock(), createManualClock()];
    behind.advance(-hourMs);
    const one = openInvoice(await openWith(ahead));
    const two = openInvoice(await openWith(behind), one.tenant);
    await one.state('first');
    ahead.advance(1_000);
    const known = { as_known_at: iso(ahead.now()) };
    expect(await one.statusAt(known)).toBe('first');
    await two.state('second');
    expect([await one.statusAt(known), await one.statusAt()]).toEqual(['first', 'second']);
    ahead.advance(5_000);
    await one.state('third');
    await two.state('fourth');
    expect([await one.statusAt(known), await one.statusAt(), await two.statusAt()]).toEqual([
      'first',
      'fourth',
      'fourth',
    ]);
  });

  test('a write in the same millisecond as a question comes after it', async () => {
    const clock = createManualClock();
    const { state, statusAt, times } = openInvoice(await openWith(clock));
    const now = clock.now();
    await state('before');
    const known = { as_known_at: iso(now) };
    expect(await statusAt(known)).toBe('before');
    await state('after');
    expect([await statusAt(known), await statusAt()]).toEqual(['before', 'after']);
    expect(await times()).toEqual([now, now + 1]);
    clock.advance(1);
    expect(await statusAt({ as_known_at: iso(now + 1) })).toBe('after');
  });

  test('a question about an old time is settled too', async () => {
    const clock = createManualClock();
    const { state, statusAt } = openInvoice(await openWith(clock));
    await state('first');
    clock.advance(10 * hourMs);
    const known = { as_known_at: iso(clock.now() - hourMs) };
    expect(await statusAt(known)).toBe('first');
    clock.advance(-5 * hourMs);
    await state('second');
    clock.advance(5 * hourMs);
    expect([await statusAt(known), await statusAt()]).toEqual(['first', 'second']);
  });

  test('a question about today does not move the times of later writes', async () => {
    const clock = createManualClock();
    const { state, statusAt, times } = openInvoice(await openWith(clock));
    const now = clock.now();
    await state('first');
    expect(await statusAt({ as_known_at: iso(now).slice(0, 10) })).toBe('first');
    clock.advance(5);
    await state('second');
    expect(await times()).toEqual([now, now + 5]);
  });

  test('a question changes nothing that is audited', async () => {
    const clock = createManualClock();
    const { state, statusAt, storage, tenant } = { ...engine.base(), ...openInvoice(await openWith(clock)) };
    await state('first');
    const version = await storage.version(tenant, undefined);
    clock.advance(1_000);
    expect(await statusAt({ as_known_at: iso(clock.now()) })).toBe('first');
    expect(await storage.version(tenant, undefined)).toBe(version);
  });
});

/** PostgreSQL only: SQLite has a single writer, so nothing can interleave. */
describe('[TR46] two connections to PostgreSQL', () => {
  const clock = createManualClock();
  let place: PostgresTestStore;
  let storages: Storage[];
  /** Blocks a transaction and shows which ones wait. */
  let admin: pg.Client;

  beforeAll(async () => {
    place = await createPostgresTestStore();
    storages = [await place.open({ migrations, clock }), await place.open({ migrations, clock })];
    admin = new pg.Client({ connectionString: place.adminUrl });
    await admin.connect();
  });
  afterAll(async () => {
    await admin?.end();
    for (const storage of storages ?? []) await storage.close();
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

  async function hold(tenant: string, name: string): Promise<() => Promise<void>> {
    const gate = `hashtextextended($1, 0)`;
    await admin.query(`select pg_advisory_lock(${gate})`, [`${tenant}\u001f${name}`]);
    return async () => {
      await admin.query(`select pg_advisory_unlock(${gate})`, [`${tenant}\u001f${name}`]);
    };
  }

  test('the one that begins first and commits last has the later time', async () => {
    const one = openInvoice(createTruthBase(storages[0]!, clock));
    const two = openInvoice(createTruthBase(storages[1]!, clock), one.tenant);
    await one.state('zero');
    clock.advance(10);
    const release = await hold(one.tenant, 'idempotency:slow\u001f0');
    const call = one.call('submit_payload', { idempotencyKey: 'slow', requestHash: 'slow' });
    const second = two.payload('second');
    const began = createTruthBase(storages[0]!, clock).payloads.submit(one.payload('first'), call);
    await waitFor(1);
    clock.advance(10);
    await two.submit(second);
    const known = { as_known_at: iso(clock.now()) };
    clock.advance(10);
    expect(await two.statusAt(known)).toBe('second');
    await release();
    await began;
    expect([await two.statusAt(known), await two.statusAt()]).toEqual(['second', 'first']);
    expect((await one.times()).at(-1)).toBe(clock.now());
    expect(await one.read((db) => allObservations(db))).toHaveLength(9);
  });

  test('a question about the last second waits for a commit in flight', async () => {
    const one = openInvoice(createTruthBase(storages[0]!, clock));
    const two = openInvoice(createTruthBase(storages[1]!, clock), one.tenant);
    await one.state('zero');
    clock.advance(500);
    const release = await hold(one.tenant, 'gate');
    // It has its time and has written everything.
    const base = createTruthBase(storages[0]!, clock);
    const held: Storage = {
      ...base.storage,
      write: (call, work) =>
        base.storage.write(call, function* (db) {
          const answer = yield* work(db);
          yield* db.lock('gate');
          return answer;
        }),
    };
    const writing = openInvoice({ ...createTruthBase(held, clock) }, one.tenant).state('in flight');
    await waitFor(1);
    clock.advance(500);
    const asked = clock.now();
    const answer = two.statusAt({ as_known_at: iso(asked) });
    await waitFor(2);
    clock.advance(100);
    await release();
    await writing;
    expect(await answer).toBe('in flight');
    await one.state('later');
    expect(await two.statusAt({ as_known_at: iso(asked) })).toBe('in flight');
  });
});
