import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { DoctorCheck } from './doctor-check.ts';
import { examine, named, plantHome } from './examine.fixture.ts';
import type { DoctorDeps } from './run-doctor.ts';

describe('an audit trail', () => {
  const tampered = async (statement: string, limits?: DoctorDeps['auditLimits']): Promise<readonly DoctorCheck[]> => {
    const planted = plantHome();
    for (let i = 0; i < 12; i += 1) await planted.put(`n${i}`, 'x');
    await planted.audit.checkpoint(planted.callFor());
    const db = new Database(join(planted.home, 'fourfold.db'));
    db.exec(statement);
    db.close();
    const more = limits === undefined ? {} : { auditLimits: limits };
    return named(await examine(planted.home, { openStorage: async () => planted.storage, ...more }), 'audit');
  };
  const tail = { wholeRowsCount: 5, tailRowsCount: 500 };

  test.each([
    ['an edited row', "update changes set actor = 'eve' where seq = 9"],
    ['an edited first row', "update changes set actor = 'eve' where seq = 1"],
    ['a dropped row', 'delete from changes where seq = 9'],
    ['a dropped first row', 'delete from changes where seq = 1'],
    [
      'rows cut off at the end',
      'delete from changes where seq > 9; update audit_heads set seq = 9, mac = (select mac from changes where seq = 9)',
    ],
    ['everything gone', 'delete from changes; delete from audit_heads'],
  ])('shows %s, looked through whole or from its end', async (_what, statement) => {
    expect(await tampered(statement)).toMatchObject([{ status: 'fail', fix: expect.stringContaining('backup') }]);
    expect(await tampered(statement, tail)).toMatchObject([
      { status: 'fail', detail: expect.stringMatching(/row|cut off/) },
    ]);
  });

  test('holds when nobody touched it; a long one is looked at from its end', async () => {
    expect(await tampered('select 1')).toMatchObject([{ status: 'ok', detail: 'local: 12 of 12 rows verified' }]);
    expect(await tampered('select 1', tail)).toMatchObject([
      { status: 'ok', detail: 'local: the last 12 of 12 rows verified' },
    ]);
  });
});

test('a long audit trail is verified over several pages, as far back as told', async () => {
  const planted = plantHome();
  await Promise.all(Array.from({ length: 1_300 }, (_, i) => planted.put(`n${i}`, 'x')));
  const more = { openStorage: async () => planted.storage, auditLimits: { wholeRowsCount: 5, tailRowsCount: 600 } };
  expect(named(await examine(planted.home, more), 'audit')[0]?.detail).toBe(
    'local: the last 1000 of 1300 rows verified',
  );
  const db = new Database(join(planted.home, 'fourfold.db'));
  db.exec("update changes set hash = 'other' where seq = 400");
  db.close();
  expect(named(await examine(planted.home, more), 'audit')[0]?.status).toBe('fail');
  expect(
    named(await examine(planted.home, { ...more, auditLimits: { wholeRowsCount: 5, tailRowsCount: 100 } }), 'audit')[0]
      ?.status,
  ).toBe('ok');
  expect(named(await examine(planted.home, { ...more, isThorough: true }), 'audit')[0]?.detail).toContain(
    'edited at row 400',
  );
});

test('a dropped row and an edited one are told apart', async () => {
  const planted = plantHome();
  for (let i = 0; i < 12; i += 1) await planted.put(`n${i}`, 'x');
  const db = new Database(join(planted.home, 'fourfold.db'));
  const more = { openStorage: async () => planted.storage, auditLimits: { wholeRowsCount: 5, tailRowsCount: 500 } };
  const detail = async () => named(await examine(planted.home, more), 'audit')[0]?.detail;
  db.exec("update changes set tool = 'other' where seq = 3");
  expect(await detail()).toContain('row 3 was edited');
  db.exec('delete from changes where seq = 7');
  expect(await detail()).toContain('row 7 is missing');
  db.close();
});
