import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import { createPostgresTestStore, type PostgresTestStore } from '#tests/contract/storage/postgres-engine.ts';
import { contractMigrations } from '#tests/contract/storage/tables.ts';
import { asAdmin, withAddress } from '#tests/support/postgres/test-login.ts';
import type { Migration } from '../migration.ts';
import type { Storage } from '../port.ts';
import { openPostgres, type PostgresOptions } from './open.ts';

const leaky: Migration = {
  id: 9001,
  name: 'leaky',
  tenantTables: [],
  up: (d) => [`create table leaks (tenant ${d.text} not null, id ${d.text} not null)`],
};

describe('the start on PostgreSQL', () => {
  let testStore: PostgresTestStore;
  let opened: Storage[];
  let madeRoles: string[];

  const open = async (part: Partial<PostgresOptions> = {}) => {
    const storage = await openPostgres({
      url: testStore.url,
      migrations: contractMigrations,
      clock: systemClock,
      log: silentLog,
      auditKey: Buffer.alloc(32),
      ...part,
    });
    opened.push(storage);
    return storage;
  };

  const tell = (storage: Storage) =>
    storage.write(createCall(newTenant()), function* (db) {
      yield* db.changed('pad', 'p', 'update', 'h');
    });

  const newRole = (kind: string) => {
    const name = `ff_${kind}_${randomBytes(4).toString('hex')}`;
    madeRoles.push(name);
    return name;
  };

  const admin = (statement: string) => asAdmin(testStore.adminUrl, (client) => client.query(statement));

  const refusal = (why: string) => ({ code: 'STORE_SETUP', message: expect.stringContaining(why) });

  beforeEach(async () => {
    testStore = await createPostgresTestStore();
    opened = [];
    madeRoles = [];
  });

  afterEach(async () => {
    for (const storage of opened) await storage.close();
    const owned = madeRoles.map((role) => `drop owned by ${role} cascade; drop role ${role};`);
    for (const statement of owned) await admin(statement).catch(() => {});
    await testStore.remove();
  });

  test('rejects a tenant table without a policy', async () => {
    await expect(open({ migrations: [...contractMigrations, leaky] })).rejects.toMatchObject(
      refusal('fourfold.leaks is not under'),
    );
  });

  test('rejects an additional, looser, missing or unforced policy', async () => {
    await tell(await open());
    for (const [harm, repair] of [
      ['create policy wide on fourfold.items using (true)', 'drop policy wide on fourfold.items'],
      ['alter table fourfold.items no force row level security', 'alter table fourfold.items force row level security'],
      ['alter table fourfold.items disable row level security', 'alter table fourfold.items enable row level security'],
      [
        'alter policy tenant_only on fourfold.items using (true)',
        "alter policy tenant_only on fourfold.items using (tenant = current_setting('app.tenant', true))",
      ],
    ] as const) {
      await admin(harm);
      await expect(open()).rejects.toMatchObject(refusal('fourfold.items is not under'));
      await admin(repair);
      await tell(await open());
    }
  });

  test('rejects a role that is a superuser, bypasses policies or owns the tables', async () => {
    const superuser = newRole('super');
    const bypasser = newRole('bypass');
    await admin(`create role ${superuser} superuser; grant ${superuser} to fourfold_test_login`);
    await admin(`create role ${bypasser} bypassrls; grant ${bypasser} to fourfold_test_login`);
    await expect(open({ role: superuser })).rejects.toMatchObject(refusal('is a superuser'));
    await expect(open({ role: bypasser })).rejects.toMatchObject(refusal('BYPASSRLS'));
    await expect(open({ role: 'fourfold_test_login' })).rejects.toMatchObject(refusal('owns the table'));
  });

  test('accepts a superuser as the login, because calls run under the role', async () => {
    const storage = await open({ url: testStore.adminUrl });
    await tell(storage);
    const seen = await storage.read(createCall(newTenant()), function* (db) {
      return yield* db.get({
        parts: ['select current_user as role, (select count(*) from changes) as changes'],
        args: [],
      });
    });
    expect(seen).toEqual({ role: 'fourfold_app', changes: 0 });
  });

  test('gives a login that may not create roles the SQL to run, and that SQL works', async () => {
    const [login, role] = [newRole('login'), newRole('app')];
    const database = new URL(testStore.url).pathname.slice(1);
    await admin(
      `create role ${login} login password 'x'; grant ${login} to fourfold_test_login; alter database ${database} owner to ${login}`,
    );
    const managed = { url: withAddress(testStore.url, { user: login, password: 'x' }), role };
    const error = await open(managed).then(
      () => expect.fail('it was opened'),
      (refused: unknown) => refused as Error,
    );
    expect(error).toMatchObject(refusal('may not create or assume the role'));
    await admin(error.message.slice(error.message.indexOf('create role')));
    await tell(await open(managed));
  });

  test('restores revoked privileges of the role', async () => {
    await tell(await open());
    await admin(
      'revoke all on all tables in schema fourfold from fourfold_app; revoke usage on schema fourfold from fourfold_app',
    );
    await tell(await open());
  });

  test('grants privileges to another role than the one the tables were created for', async () => {
    await tell(await open());
    await tell(await open({ role: newRole('second') }));
  });

  test('leaves tables of other programs in the same database alone', async () => {
    await admin('create table public.migrations (mine text); create table public.changes (mine text)');
    await tell(await open());
    const { rows } = await admin('select count(*)::int as n from public.migrations');
    expect(rows).toEqual([{ n: 0 }]);
  });

  test.each([
    ['a server that is not there', () => 'postgres://user@127.0.0.1:1/nowhere', 'nothing listens'],
    [
      'a database that is not there',
      (url: string) => withAddress(url, { database: 'no_such_database' }),
      'does not exist',
    ],
  ])('reports %s as STORE_UNAVAILABLE', async (_, spoil, why) => {
    await expect(open({ url: spoil(testStore.url) })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(why),
    });
  });
});
