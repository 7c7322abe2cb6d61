import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { asAdmin } from '#tests/support/postgres/test-login.ts';
import { silentLog } from '../../log/log.ts';
import { channel, listenForCommits } from './commit-notifications.ts';

describe('listening for commits of other processes', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await admin('create table t (id int)');
  });

  afterAll(() => database.drop());

  const admin = (statement: string) => asAdmin(database.adminUrl, (client) => client.query(statement));
  const ours = "datname = current_database() and application_name = 'fourfold'";
  const listeners = async () => (await admin(`select pid from pg_stat_activity where ${ours}`)).rowCount;

  async function withListener(
    checkMs: number,
    act: (count: () => number) => Promise<void>,
    isOwn: (processId: number) => boolean = () => false,
  ) {
    let wakeCount = 0;
    const wake = () => {
      wakeCount += 1;
    };
    const stop = listenForCommits({ url: database.url, log: silentLog, wake, isOwn, checkMs });
    try {
      // It wakes once when it starts to listen.
      await vi.waitFor(() => expect(wakeCount).toBeGreaterThanOrEqual(1), { timeout: 120_000, interval: 5 });
      await act(() => wakeCount);
    } finally {
      stop();
    }
    await vi.waitFor(async () => expect(await listeners()).toBe(0), { timeout: 120_000, interval: 10 });
  }

  const reaches = (count: () => number, wanted: number) =>
    vi.waitFor(() => expect(count()).toBeGreaterThanOrEqual(wanted), { timeout: 120_000, interval: 5 });

  test('wakes on a notification', () =>
    withListener(60_000, async (count) => {
      await admin(`notify ${channel}`);
      await reaches(count, 2);
    }));

  test('ignores notifications of its own connections, whose commits were announced locally', () => {
    const heard: number[] = [];
    return withListener(
      60_000,
      async (count) => {
        await admin(`notify ${channel}`);
        await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 120_000, interval: 5 });
        expect(count()).toBe(1);
      },
      (processId) => heard.push(processId) > 0,
    );
  });

  test('notices a commit without a notification at the next check', () =>
    withListener(30, async (count) => {
      const before = count();
      await admin('insert into t values (1)');
      await reaches(count, before + 1);
    }));

  test('reconnects after a lost connection and makes up for missed commits', () =>
    withListener(60_000, async (count) => {
      await admin(`select pg_terminate_backend(pid) from pg_stat_activity where ${ours}`);
      await reaches(count, 2);
      await admin(`notify ${channel}`);
      await reaches(count, 3);
    }));
});
