import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import { auditKey } from '#tests/contract/storage/engine.ts';
import { createPostgresTestStore, inSchema, type PostgresTestStore } from '#tests/contract/storage/postgres-engine.ts';
import {
  contractMigrations,
  findCounter,
  findItem,
  increment,
  listIds,
  putItem,
} from '#tests/contract/storage/tables.ts';
import type { TenantId } from '../../call.ts';
import { systemClock } from '../../clock/clock.ts';
import { faults } from '../../fault/kernel-faults.ts';
import { silentLog } from '../../log/log.ts';
import type { Storage } from '../port.ts';
import { sql } from '../sql.ts';
import { openPostgres } from './open.ts';

describe('PostgreSQL under failures', () => {
  let testStore: PostgresTestStore;
  let storage: Storage;
  /** An administrator who holds locks, inspects the server and ends connections. */
  let admin: pg.Client;

  const gateOf = (tenant: TenantId, name: string) => `hashtextextended('${tenant}' || chr(31) || '${name}', 0)`;

  /** Server processes of our connections that match the condition. */
  async function processes(condition: string): Promise<readonly number[]> {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
    );
    return rows.map((row) => row.pid);
  }

  const waiting = (count: number, condition: string) =>
    vi.waitFor(async () => expect(await processes(condition)).toHaveLength(count), { timeout: 120_000, interval: 5 });

  const atLock = "wait_event_type = 'Lock'";
  const terminate = (condition: string) =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and ${condition}`);

  const add = (tenant: TenantId, id: string, on = storage, deadlineAt = Date.now() + 300_000) =>
    on.write(createCall(tenant, { deadlineAt }), function* (db) {
      yield* putItem(db, { id });
      yield* db.changed('item', id, 'create', 'h');
      return id;
    });

  const find = (tenant: TenantId, id: string) => storage.read(createCall(tenant), (db) => findItem(db, id));

  /** Bytes of the log up to a position that are not flushed yet. */
  async function unflushedBytes(upTo: string): Promise<number> {
    const { rows } = await admin.query<{ bytes: string }>(
      `select '${upTo}'::pg_lsn - pg_current_wal_flush_lsn() as bytes`,
    );
    return Number(rows[0]?.bytes);
  }

  beforeAll(async () => {
    testStore = await createPostgresTestStore();
    storage = await testStore.open();
    admin = new pg.Client({ connectionString: testStore.adminUrl });
    await admin.connect();
    await admin.query(inSchema);
    await admin.query(`
      create function at_commit() returns trigger language plpgsql as $$ begin
        if new.id = 'slow' then perform pg_advisory_xact_lock(77); end if;
        if new.id = 'refused' then raise exception 'refused at commit'; end if;
        return null;
      end $$;
      create constraint trigger at_commit after insert on items deferrable initially deferred
        for each row execute function at_commit();
      create sequence tries;
      create function flaky(failures bigint) returns bigint language plpgsql security definer as $$ begin
        if nextval('fourfold.tries') <= failures then raise exception 'try again' using errcode = '40001'; end if;
        return currval('fourfold.tries');
      end $$`);
  });

  afterAll(async () => {
    await storage.close();
    await admin.end();
    await testStore.remove();
  });

  test('a flush brings earlier commits to disk; a write without a change does not', async () => {
    const call = createCall(newTenant(), { audit: 'none' });
    let lsn = '';
    // The server's WAL writer may flush at any moment: repeat until it has not.
    await vi.waitFor(
      async () => {
        await storage.write({ ...call, durability: 'soon' }, (db) => putItem(db, { id: `${Math.random()}` }));
        lsn = (await admin.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn')).rows[0]!.lsn;
        await storage.write(call, listIds);
        expect(await unflushedBytes(lsn)).toBeGreaterThan(0);
      },
      { timeout: 120_000, interval: 5 },
    );
    await storage.flush({ ...call, durability: 'soon' });
    expect(await unflushedBytes(lsn)).toBeLessThanOrEqual(0);
  });

  test('a connection that breaks during COMMIT leaves the outcome unknown, and the next write succeeds', async () => {
    const tenant = newTenant();
    await admin.query('select pg_advisory_lock(77)');
    const write = add(tenant, 'slow');
    write.catch(() => {});
    await waiting(1, `${atLock} and query = 'commit'`);
    await terminate("query = 'commit' and state = 'active'");
    await expect(write).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', kind: { retryable: true } });
    await admin.query('select pg_advisory_unlock(77)');
    expect(await add(tenant, 'b')).toBe('b');
  });

  test('a COMMIT that the server rejects is known to be rolled back', async () => {
    const tenant = newTenant();
    await expect(add(tenant, 'refused')).rejects.toThrow('refused at commit');
    expect(await find(tenant, 'refused')).toBeUndefined();
    expect(await storage.version(tenant, undefined)).toBe(0);
  });

  test('a connection that breaks before COMMIT is STORE_UNAVAILABLE, and the next write succeeds', async () => {
    const tenant = newTenant();
    const release = await testStore.block();
    const write = add(tenant, 'a');
    write.catch(() => {});
    await waiting(1, `${atLock} and query like '%insert into items%'`);
    await terminate("query like '%insert into items%' and state = 'active'");
    await expect(write).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', kind: { retryable: true } });
    await release();
    expect(await add(tenant, 'a')).toBe('a');
  });

  test('replaces idle connections that the server has ended', async () => {
    const tenant = newTenant();
    await Promise.all(Array.from({ length: 5 }, (_, i) => add(tenant, `i${i}`)));
    await terminate("application_name = 'fourfold'");
    await vi.waitFor(() => add(tenant, 'after'), { timeout: 120_000, interval: 10 });
    expect(await find(tenant, 'after')).toMatchObject({ id: 'after' });
  });

  test('completes two writes that deadlock', async () => {
    const tenant = newTenant();
    let runCount = 0;
    const crosswise = (first: string, gate: string, second: string) =>
      storage.write(createCall(tenant), function* (db) {
        runCount += 1;
        yield* db.lock(first);
        yield* db.lock(gate);
        yield* db.lock(second);
        yield* increment(db, 'c');
        yield* db.changed('counter', 'c', 'update', 'h');
      });
    await admin.query(
      `select pg_advisory_lock(${gateOf(tenant, 'left')}), pg_advisory_lock(${gateOf(tenant, 'right')})`,
    );
    const both = Promise.all([crosswise('a', 'left', 'b'), crosswise('b', 'right', 'a')]);
    await waiting(2, atLock);
    await admin.query(
      `select pg_advisory_unlock(${gateOf(tenant, 'left')}), pg_advisory_unlock(${gateOf(tenant, 'right')})`,
    );
    await both;
    expect(runCount).toBe(3);
    const counter = await storage.read(createCall(tenant), (db) => findCounter(db, 'c'));
    expect(counter?.n).toBe(2);
  });

  test('retries a write after a serialisation failure, a limited number of times', async () => {
    const tryUntil = (failures: number) =>
      storage.write(createCall(newTenant(), { audit: 'none' }), function* (db) {
        return (yield* db.get(sql<{ n: number }>`select flaky(${failures}) as n`))?.n;
      });
    await admin.query("select setval('tries', 1, false)");
    expect(await tryUntil(3)).toBe(4);
    await admin.query("select setval('tries', 1, false)");
    await expect(tryUntil(1_000_000)).rejects.toMatchObject({ code: 'STORE_BUSY' });
    const { rows } = await admin.query<{ n: string }>('select last_value as n from tries');
    expect(Number(rows[0]?.n)).toBe(11);
  });

  test('a read sees one snapshot whatever is committed while it runs', async () => {
    const tenant = newTenant();
    await add(tenant, 'before');
    await admin.query('select pg_advisory_lock(78)');
    const read = storage.read(createCall(tenant), function* (db) {
      const first = yield* findItem(db, 'before');
      yield* db.get(sql`select pg_advisory_xact_lock_shared(78)`);
      return [first?.id, (yield* findItem(db, 'between'))?.id];
    });
    await waiting(1, `${atLock} and query like '%78%'`);
    await add(tenant, 'between');
    await admin.query('select pg_advisory_unlock(78)');
    expect(await read).toEqual(['before', undefined]);
    expect(await find(tenant, 'between')).toMatchObject({ id: 'between' });
  });

  test('a cancelled read ends immediately, also on the server', async () => {
    const controller = new AbortController();
    const read = storage.read(createCall(newTenant(), { signal: controller.signal }), (db) =>
      db.get(sql`select pg_sleep(60)`),
    );
    read.catch(() => {});
    await waiting(1, "query like '%pg_sleep(60)%' and state = 'active'");
    controller.abort(faults.CANCELLED());
    await expect(read).rejects.toMatchObject({ code: 'CANCELLED' });
    await waiting(0, "query like '%pg_sleep(60)%' and state = 'active'");
  });

  test('reports a read that takes too long as TIMEOUT', async () => {
    const read = storage.read(createCall(newTenant(), { deadlineAt: Date.now() + 2_000 }), (db) =>
      db.get(sql`select pg_sleep(61)`),
    );
    await expect(read).rejects.toMatchObject({ code: 'TIMEOUT' });
    await waiting(0, "query like '%pg_sleep(61)%' and state = 'active'");
  });

  test('reports STORE_BUSY when no connection is free before the deadline, and occupies none', async () => {
    const tenant = newTenant();
    const options = { migrations: contractMigrations, clock: systemClock, log: silentLog, auditKey };
    const narrow = await openPostgres({ ...options, url: testStore.url, poolSize: 1 });
    const release = await testStore.block();
    const first = add(tenant, 'first', narrow);
    await expect(add(tenant, 'second', narrow, Date.now() + 100)).rejects.toMatchObject({ code: 'STORE_BUSY' });
    await release();
    expect(await first).toBe('first');
    expect(await add(tenant, 'third', narrow)).toBe('third');
    await narrow.close();
  });

  test('reports a database that an administrator has closed, and uses it again once it is open', async () => {
    const other = await createPostgresTestStore();
    const there = await other.open();
    const tenant = newTenant();
    await add(tenant, 'before', there);
    const name = new URL(other.url).pathname.slice(1);
    const allow = (isAllowed: boolean) => admin.query(`alter database ${name} with allow_connections ${isAllowed}`);
    await allow(false);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await expect(other.open()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('does not accept connections'),
    });
    await vi.waitFor(
      () =>
        expect(add(tenant, 'closed', there)).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
          message: expect.stringContaining('does not accept connections'),
        }),
      { timeout: 120_000 },
    );
    await allow(true);
    expect(await add(tenant, 'after', there)).toBe('after');
    await there.close();
    await other.remove();
  });

  test('does not repeat row values in a server error', async () => {
    const tenant = newTenant();
    await add(tenant, 'a secret');
    const again = add(tenant, 'a secret');
    await expect(again).rejects.toThrow('23505');
    await expect(again).rejects.not.toMatchObject({ message: expect.stringContaining('a secret') });
    await expect(again).rejects.not.toHaveProperty('detail');
  });
});
