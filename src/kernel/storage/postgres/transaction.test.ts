import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import { createPostgresTestStore, inSchema, type PostgresTestStore } from '#tests/contract/storage/postgres-engine.ts';
import { contractMigrations, putItem } from '#tests/contract/storage/tables.ts';
import { systemClock } from '../../clock/clock.ts';
import { silentLog } from '../../log/log.ts';
import { schemaVersion } from '../migration.ts';
import { type Sql, sql } from '../sql.ts';
import { createHandle } from '../transaction-handle.ts';
import { openPool, type Pool } from './pool.ts';
import { createRenderer } from './render.ts';
import { defaultRole } from './schema.ts';
import { openTransaction, runWork, type TransactionDeps } from './transaction.ts';
import { createTransactionDeadline } from './transaction-deadline.ts';

describe('a transaction on PostgreSQL', () => {
  let testStore: PostgresTestStore;
  let pool: Pool;
  // One renderer for all connections of the pool, because it assigns the names of prepared statements.
  const render = createRenderer();

  beforeAll(async () => {
    testStore = await createPostgresTestStore();
    await (await testStore.open()).close();
    pool = await openPool({ url: testStore.url, role: defaultRole, log: silentLog });
  });

  afterAll(async () => {
    await pool.close();
    await testStore.remove();
  });

  async function enter(deadlineAt: number, part: Partial<TransactionDeps> = {}) {
    const call = createCall(newTenant(), { deadlineAt });
    const deadline = createTransactionDeadline(call, systemClock, () => new Error('overdue'));
    const { connection, release } = await pool.acquire(deadline);
    const transaction = openTransaction('write', {
      connection,
      deadline,
      tenant: call.tenant,
      render,
      role: defaultRole,
      schemaVersion: schemaVersion(contractMigrations),
      commitGraceMs: 50,
      ...part,
    });
    const handle = createHandle(call, () => systemClock.now(), 'write');
    const put = (id: string) => runWork(transaction, handle, (() => putItem(handle, { id }))());
    const ask = <Row>(query: Sql<Row>) => runWork(transaction, handle, (() => handle.all(query))());
    const leave = async () => {
      await transaction.rollBack();
      deadline.clear();
      release();
    };
    return { transaction, deadline, put, ask, leave };
  }

  test('waits a little beyond the deadline for the reply to COMMIT, then reports an unknown outcome', async () => {
    const admin = new pg.Client({ connectionString: testStore.adminUrl });
    await admin.connect();
    await admin.query(`${inSchema};
      create function hang() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(79); return null; end $$;
      create constraint trigger hang after insert on items deferrable initially deferred for each row execute function hang()`);
    await admin.query('select pg_advisory_lock(79)');
    const deadlineAt = Date.now() + 3_000;
    const { transaction, put, leave } = await enter(deadlineAt);
    await put('a');
    await expect(transaction.commit()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(Date.now()).toBeGreaterThanOrEqual(deadlineAt + 45);
    await leave();
    await admin.query(`select pg_advisory_unlock(79); drop trigger hang on items`);
    await admin.end();
  });

  test('a commit waits for the disk unless the call asks for durability soon', async () => {
    const waits = async (part: Partial<TransactionDeps>) => {
      const { transaction, ask, leave } = await enter(Date.now() + 300_000, part);
      const [row] = await ask(sql<{ waits: string }>`select current_setting('synchronous_commit') as waits`);
      await transaction.commit();
      await leave();
      return row?.waits;
    };
    expect(await waits({ durability: 'soon' })).toBe('off');
    expect(await waits({})).toBe('on');
  });

  test('notices a connection with the wrong role before anything is committed', async () => {
    const { transaction, leave } = await enter(Date.now() + 300_000, { role: 'somebody' });
    await expect(transaction.commit()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('pooler'),
    });
    await leave();
  });

  test('notices a store of another version before anything is committed, also in a write without statements', async () => {
    const { transaction, leave } = await enter(Date.now() + 300_000, { schemaVersion: 1 });
    await expect(transaction.commit()).rejects.toMatchObject({ code: 'STORE_NEWER' });
    await leave();
  });

  test('reports a statement that travels with COMMIT and fails; nothing is committed', async () => {
    const { transaction, put, leave } = await enter(Date.now() + 300_000);
    await put('b');
    const handle = createHandle(createCall(newTenant()), () => 0, 'write');
    const bad = { parts: ['insert into items (tenant, id) values (null, null)'], args: [] };
    await transaction.execute({ kind: 'send', query: bad }, handle);
    await transaction.execute({ kind: 'send', query: bad }, handle);
    await expect(transaction.commit()).rejects.toMatchObject({ code: expect.stringMatching('^(23502|42501)$') });
    await leave();
  });

  test('rejects the commit of a write whose time is up', async () => {
    const { transaction, deadline, put, leave } = await enter(Date.now() + 2_000);
    await put('c');
    await vi.waitFor(() => expect(deadline.failure).toBeDefined(), { timeout: 120_000, interval: 5 });
    await expect(transaction.commit()).rejects.toThrow('overdue');
    await leave();
  });
});
