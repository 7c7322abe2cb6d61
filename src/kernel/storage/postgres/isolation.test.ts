import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import { createPostgresTestStore, inSchema, type PostgresTestStore } from '#tests/contract/storage/postgres-engine.ts';
import { putItem } from '#tests/contract/storage/tables.ts';
import { asAdmin } from '#tests/support/postgres/test-login.ts';
import type { Storage } from '../port.ts';
import { sql } from '../sql.ts';

const [ada, bob] = [newTenant(), newTenant()];
const everyItem = sql<{ tenant: string }>`select tenant from items order by tenant`;

describe('tenants on PostgreSQL', () => {
  let testStore: PostgresTestStore;
  let storage: Storage;

  /** The program's own login and role, without the program. */
  async function asProgram<T>(tenant: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: testStore.url });
    await client.connect();
    try {
      await client.query(`${inSchema}; set role fourfold_app; begin`);
      if (tenant !== undefined) await client.query("select set_config('app.tenant', $1, true)", [tenant]);
      return await work(client);
    } finally {
      await client.end();
    }
  }

  const tenantsSeen = async (client: pg.Client) =>
    (await client.query<{ tenant: string }>('select distinct tenant from items')).rows
      .map((row) => row.tenant)
      .toSorted();

  beforeAll(async () => {
    testStore = await createPostgresTestStore();
    storage = await testStore.open();
    for (const tenant of [ada, bob]) {
      await storage.write(createCall(tenant), function* (db) {
        yield* putItem(db, { id: 'same', document: tenant });
        yield* db.changed('item', 'same', 'create', 'h');
      });
    }
  });

  afterAll(async () => {
    await storage.close();
    await testStore.remove();
  });

  test("a query that forgets the tenant returns only the caller's rows", async () => {
    const seen = await storage.read(createCall(ada), function* (db) {
      return yield* db.all(everyItem);
    });
    expect(seen).toEqual([{ tenant: ada }]);
  });

  test('the same query returns every row to a superuser, so the database does the filtering', async () => {
    await asAdmin(testStore.adminUrl, async (client) => {
      await client.query(inSchema);
      expect(await tenantsSeen(client)).toEqual([ada, bob].toSorted());
    });
  });

  test('the owner of the tables is restricted as well', async () => {
    const client = new pg.Client({ connectionString: testStore.url });
    await client.connect();
    await client.query(inSchema);
    expect(await tenantsSeen(client)).toEqual([]);
    await client.end();
  });

  test("with direct SQL the program's role sees one tenant, and nothing without a tenant", async () => {
    expect(await asProgram(ada, tenantsSeen)).toEqual([ada]);
    expect(await asProgram(undefined, tenantsSeen)).toEqual([]);
    expect(await asProgram('', tenantsSeen)).toEqual([]);
  });

  test("a write that forgets the tenant changes only the caller's rows", async () => {
    const changedCount = await storage.write(createCall(ada), function* (db) {
      yield* db.changed('item', 'all', 'update', 'h');
      return yield* db.run(sql`update items set n = ${1}`);
    });
    expect(changedCount).toBe(1);
  });

  test('rejects a row for another tenant', async () => {
    const smuggled = storage.write(createCall(ada), function* (db) {
      yield* db.run(sql`insert into items (tenant, id) values (${bob}, ${'smuggled'})`);
      yield* db.changed('item', 'smuggled', 'create', 'h');
    });
    await expect(smuggled).rejects.toThrow('row-level security');
    const moved = storage.write(createCall(ada), function* (db) {
      yield* db.run(sql`update items set tenant = ${bob}`);
      yield* db.changed('item', 'same', 'update', 'h');
    });
    await expect(moved).rejects.toThrow('row-level security');
  });

  test('does not carry the tenant of one transaction over to the next on the same connection', async () => {
    const one = await testStore.open();
    await one.read(createCall(ada), function* (db) {
      return yield* db.all(everyItem);
    });
    const seen = await one.read(createCall(newTenant()), function* (db) {
      return yield* db.all(everyItem);
    });
    expect(seen).toEqual([]);
    await one.close();
  });

  test("the program's role cannot change the list of migrations", async () => {
    const forged = asProgram(ada, (client) => client.query('delete from migrations'));
    await expect(forged).rejects.toThrow('permission denied');
  });

  test('rows without a tenant are visible to every tenant', async () => {
    await storage.write(createCall(ada, { audit: 'none' }), function* (db) {
      yield* db.run(sql`insert into leases (name, holder, until) values (${'sweep'}, ${'me'}, ${1})`);
    });
    const seen = await storage.read(createCall(bob), function* (db) {
      return yield* db.get(sql`select holder from leases where name = ${'sweep'}`);
    });
    expect(seen).toEqual({ holder: 'me' });
  });
});
