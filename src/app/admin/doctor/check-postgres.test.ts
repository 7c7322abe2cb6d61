import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localTenant } from '#kernel/call.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { openPostgres } from '#kernel/storage/postgres/open.ts';
import { migrations } from '#migrations/all.ts';
import { createPostgresTestStore } from '#tests/contract/storage/postgres-engine.ts';
import { contractMigrations } from '#tests/contract/storage/tables.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { asAdmin } from '#tests/support/postgres/test-login.ts';
import { tempFolder } from '../backup/backup.fixture.ts';
import { toOperatorCall } from '../operator-call.ts';
import { checkPostgres } from './check-postgres.ts';
import { named, runTestDoctor } from './doctor.fixture.ts';

describe('the PostgreSQL checks', () => {
  const open = async () => {
    const place = await createPostgresTestStore();
    const storage = await place.open();
    onTestFinished(async () => {
      await storage.close();
      await place.remove();
    });
    const call = toOperatorCall({ tenant: localTenant, tool: 'doctor', clock: systemClock });
    const look = (of = contractMigrations) => checkPostgres({ storage, call, migrations: of });
    return { place, storage, look };
  };

  test('report version, durability, role and policies', async () => {
    const { look, storage } = await open();
    const checks = await look();
    expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'store ok',
      'durability ok',
      'role ok',
      'policies ok',
      'pgvector ok',
    ]);
    const home = tempFolder();
    const all = await runTestDoctor(home, {
      isStoreLocal: false,
      openStorage: async () => storage,
      migrations: contractMigrations,
      clock: systemClock,
    });
    expect(named(all, 'keys')).toMatchObject([{ status: 'warn', fix: expect.stringContaining('share') }]);
    expect(named(all, 'store')).toMatchObject([{ status: 'ok', detail: expect.stringMatching(/^PostgreSQL \d/) }]);
    expect(existsSync(join(home, 'key'))).toBe(false);
  });

  test('report a role that bypasses the policies', async () => {
    const { url, adminUrl, drop } = await createTestDatabase();
    const role = `ff_doctor_${randomBytes(4).toString('hex')}`;
    const storage = await openPostgres({
      url,
      role,
      migrations,
      clock: systemClock,
      log: silentLog,
      auditKey: Buffer.alloc(32),
    });
    const call = toOperatorCall({ tenant: localTenant, tool: 'doctor', clock: systemClock });
    try {
      await asAdmin(adminUrl, (client) => client.query(`alter role ${role} bypassrls`));
      expect(named(await checkPostgres({ storage, call, migrations }), 'role')).toMatchObject([
        { status: 'fail', fix: `Run as an administrator: alter role "${role}" nosuperuser nobypassrls;` },
      ]);
    } finally {
      await storage.close();
      await asAdmin(adminUrl, (client) => client.query(`drop owned by ${role}; drop role ${role}`));
      await drop();
    }
  });

  test('report a table without its policy', async () => {
    const { place, look } = await open();
    await place.tamper('alter table items no force row level security');
    expect(named(await look(), 'policies')).toMatchObject([
      { status: 'fail', detail: 'row-level security is not forced on items' },
    ]);
    await place.tamper('alter table items force row level security; alter table counters disable row level security');
    expect(named(await look(), 'policies')).toMatchObject([
      { status: 'fail', detail: 'row-level security is not forced on counters' },
    ]);
  });

  test('report an unreachable server without its password', async () => {
    const openStorage = () => Promise.reject(new Error('connect ECONNREFUSED postgres://me:swordfish@127.0.0.1:1/x'));
    const checks = await runTestDoctor(tempFolder(), { isStoreLocal: false, openStorage });
    expect(named(checks, 'store')).toMatchObject([{ status: 'fail' }]);
    expect(JSON.stringify(checks)).not.toContain('swordfish');
  });
});
