import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { migrations } from '#migrations/all.ts';
import { newTenant } from '#tests/contract/storage/call.ts';
import { createPostgresTestStore } from '#tests/contract/storage/postgres-engine.ts';
import { createSqliteTestStore } from '#tests/contract/storage/sqlite-engine.ts';
import { createEntry } from '../catalog/memory-catalog.fixture.ts';
import { createRuleRecords } from '../serving/rule-records.ts';
import { increment } from './usage-store.ts';

test.each([
  ['SQLite', createSqliteTestStore],
  ['PostgreSQL', createPostgresTestStore],
] as const)('[IN63] the last signal and comment of an older store on %s are kept', async (_name, create) => {
  const place = await create();
  onTestFinished(() => place.remove());
  const call = systemCall('test', { tenant: newTenant() });
  const event = { action: null, success: null, executionMs: 0, errorCode: null, by: 1 } as const;
  const old = await place.open({ migrations: migrations.filter(({ id }) => id < 21) });
  await old.write(call, function* (db) {
    yield* increment(db, { ...event, id: 'alpha', signal: 'outdated', comment: null }, 10);
    yield* increment(db, { ...event, id: 'alpha', signal: null, comment: 'old' }, 10);
    yield* increment(db, { ...event, id: 'beta', signal: null, comment: null }, 10);
  });
  await old.close();
  const storage = await place.open({ migrations });
  const serving = { flush: async () => {}, isOn: () => true };
  const records = createRuleRecords({ storage, clock: createManualClock(), serving });
  const entries = ['alpha', 'beta'].map((id) => createEntry({ id, lastReviewedAt: '2020-01-01T00:00:00.000Z' }));
  expect([...(await records.remarksOf(call, entries))]).toEqual([
    ['alpha', { signals: { outdated: 1 }, comments: [{ at: expect.any(String), signal: 'outdated', comment: 'old' }] }],
  ]);
  await storage.close();
});
