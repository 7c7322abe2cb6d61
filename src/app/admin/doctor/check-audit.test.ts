import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { limits as kernelLimits } from '#kernel/limits.ts';
import { homeFixture } from '../backup/backup.fixture.ts';
import { named, runTestDoctor } from './doctor.fixture.ts';
import type { DoctorCheck } from './doctor-check.ts';
import type { DoctorDeps } from './run-doctor.ts';

describe('an audit trail', () => {
  const tampered = async (statement: string, limits?: DoctorDeps['auditLimits']): Promise<readonly DoctorCheck[]> => {
    const fixture = homeFixture();
    for (let i = 0; i < 12; i += 1) await fixture.put(`n${i}`, 'x');
    await fixture.audit.checkpoint(fixture.callFor());
    const db = new Database(join(fixture.home, 'fourfold.db'));
    db.exec(statement);
    db.close();
    const more = limits === undefined ? {} : { auditLimits: limits };
    return named(await runTestDoctor(fixture.home, { openStorage: async () => fixture.storage, ...more }), 'audit');
  };
  const tail = { wholeRowsCount: 5, tailRowsCount: 500 };

  test.each([
    ['an edited row', "update changes set actor = 'eve' where seq = 9"],
    ['an edited first row', "update changes set actor = 'eve' where seq = 1"],
    ['a deleted row', 'delete from changes where seq = 9'],
    ['a deleted first row', 'delete from changes where seq = 1'],
    [
      'truncated rows',
      'delete from changes where seq > 9; update audit_heads set seq = 9, mac = (select mac from changes where seq = 9)',
    ],
    ['all rows deleted', 'delete from changes; delete from audit_heads'],
  ])('reports %s, with a full or a partial verification', async (_what, statement) => {
    expect(await tampered(statement)).toMatchObject([{ status: 'fail', fix: expect.stringContaining('backup') }]);
    expect(await tampered(statement, tail)).toMatchObject([
      { status: 'fail', detail: expect.stringMatching(/row|cut off/) },
    ]);
  });

  test('passes for an untouched trail; a long one is verified from its end', async () => {
    expect(await tampered('select 1')).toMatchObject([{ status: 'ok', detail: 'local: 12 of 12 rows verified' }]);
    expect(await tampered('select 1', tail)).toMatchObject([
      { status: 'ok', detail: 'local: the last 12 of 12 rows verified' },
    ]);
  });
});

test('verifies the trails of all tenants, and those that only a checkpoint remembers', async () => {
  const fixture = homeFixture();
  const [acme, gone] = [toTenantId('acme'), toTenantId('gone')];
  for (const tenant of [acme, gone]) {
    await fixture.put('n', 'x', tenant);
    await fixture.audit.checkpoint(fixture.callFor(tenant));
  }
  const db = new Database(join(fixture.home, 'fourfold.db'));
  db.exec("delete from changes where tenant = 'gone'; delete from audit_heads where tenant = 'gone'");
  db.exec("delete from tenants where name = 'gone'");
  db.close();
  const checks = named(await runTestDoctor(fixture.home, { openStorage: async () => fixture.storage }), 'audit');
  expect(checks).toMatchObject([
    { status: 'ok', detail: 'acme: 1 of 1 rows verified' },
    { status: 'fail', detail: expect.stringContaining('gone is broken: truncated') },
  ]);
});

test('warns about rows that have had no checkpoint for a long time', async () => {
  const fixture = homeFixture();
  await fixture.put('n', 'x');
  const clock = createManualClock();
  const check = async () =>
    named(await runTestDoctor(fixture.home, { openStorage: async () => fixture.storage, clock }), 'audit')[0];
  expect(await check()).toMatchObject({ status: 'ok' });
  clock.advance(kernelLimits.checkpointLateMs + 1);
  expect(await check()).toMatchObject({ status: 'warn', detail: expect.stringContaining('1 of 1 rows, since') });
  await fixture.audit.checkpoint(fixture.callFor());
  expect(await check()).toMatchObject({ status: 'ok' });
});

test('a long audit trail is verified over several pages, up to the limit', async () => {
  const fixture = homeFixture();
  await Promise.all(Array.from({ length: 1_300 }, (_, i) => fixture.put(`n${i}`, 'x')));
  const more = { openStorage: async () => fixture.storage, auditLimits: { wholeRowsCount: 5, tailRowsCount: 600 } };
  expect(named(await runTestDoctor(fixture.home, more), 'audit')[0]?.detail).toBe(
    'local: the last 1000 of 1300 rows verified',
  );
  const db = new Database(join(fixture.home, 'fourfold.db'));
  db.exec("update changes set hash = 'other' where seq = 400");
  db.close();
  expect(named(await runTestDoctor(fixture.home, more), 'audit')[0]?.status).toBe('fail');
  expect(
    named(
      await runTestDoctor(fixture.home, { ...more, auditLimits: { wholeRowsCount: 5, tailRowsCount: 100 } }),
      'audit',
    )[0]?.status,
  ).toBe('ok');
  expect(named(await runTestDoctor(fixture.home, { ...more, isThorough: true }), 'audit')[0]?.detail).toContain(
    'edited at row 400',
  );
});

test('distinguishes a deleted row from an edited one', async () => {
  const fixture = homeFixture();
  for (let i = 0; i < 12; i += 1) await fixture.put(`n${i}`, 'x');
  const db = new Database(join(fixture.home, 'fourfold.db'));
  const more = { openStorage: async () => fixture.storage, auditLimits: { wholeRowsCount: 5, tailRowsCount: 500 } };
  const detail = async () => named(await runTestDoctor(fixture.home, more), 'audit')[0]?.detail;
  db.exec("update changes set tool = 'other' where seq = 3");
  expect(await detail()).toContain('row 3 was edited');
  db.exec('delete from changes where seq = 7');
  expect(await detail()).toContain('row 7 is missing');
  db.close();
});
