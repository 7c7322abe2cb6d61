import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import { sql } from '../sql.ts';
import { type Connection, openConnection } from './connection.ts';
import { createGroupCommit, type GroupCommitDeps } from './group-commit.ts';

const insert = (id: string) => sql`insert into t (id) values (${id})`;
const insertBig = (id: string, bytes: number) => sql`insert into t (id, filler) values (${id}, zeroblob(${bytes}))`;

describe('group commit', () => {
  let folder: string;
  let file: string;
  let connection: Connection;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ff-group-'));
    file = join(folder, 'store.db');
    connection = openConnection(file);
    connection.db.exec('create table t (id text primary key, filler blob) strict');
  });

  afterEach(async () => {
    connection.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The queue of one connection. A test may replace parts of it. */
  function createQueue(part: Partial<GroupCommitDeps> = {}, broken: Partial<Connection> = {}) {
    let commitCount = 0;
    const condemned: Connection[] = [];
    const held: Connection = {
      ...connection,
      commit() {
        commitCount += 1;
        connection.commit();
      },
      ...broken,
    };
    const commits = createGroupCommit({
      connect: () => held,
      isInPlace: () => true,
      discard: (failed) => condemned.push(failed),
      schemaVersion: 0,
      now: () => Date.now(),
      committed() {},
      slow() {},
      ...part,
    });
    const add = (run: (on: Connection) => unknown, call = createCall(newTenant())) =>
      new Promise((resolve, reject) => commits.add({ call, run, resolve, reject }));
    return { add, commits, condemned, commitCount: () => commitCount };
  }

  const idsIn = (on = connection) => on.db.prepare('select id from t order by id').pluck().all();
  const putting = (id: string) => (on: Connection) => on.execute({ kind: 'run', query: insert(id) });

  test('commits all writes of one event-loop turn together', async () => {
    const { add, commitCount } = createQueue();
    await Promise.all(['a', 'b', 'c'].map((id) => add(putting(id))));
    expect(commitCount()).toBe(1);
    await add(putting('d'));
    expect(commitCount()).toBe(2);
    expect(idsIn()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('flushes a commit unless every write in it asks for durability soon', async () => {
    const { add } = createQueue();
    const level = (on: Connection) => on.db.pragma('synchronous', { simple: true });
    const soon = () => createCall(newTenant(), { durability: 'soon' });
    expect(await Promise.all([add(level, soon()), add(level, soon())])).toEqual([1, 1]);
    expect(await Promise.all([add(level, soon()), add(level)])).toEqual([2, 2]);
    expect(await add(level, soon())).toBe(1);
    expect(await add(level)).toBe(2);
  });

  test('a failed commit leaves the outcome of the whole batch unknown and discards the connection', async () => {
    const disk = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
    const { add, condemned } = createQueue(
      {},
      {
        commit() {
          throw disk;
        },
      },
    );
    const settled = await Promise.allSettled(['a', 'b'].map((id) => add(putting(id))));
    expect(settled).toMatchObject([
      { status: 'rejected', reason: { code: 'OUTCOME_UNKNOWN', cause: disk } },
      { status: 'rejected', reason: { code: 'OUTCOME_UNKNOWN', cause: disk } },
    ]);
    expect(condemned).toHaveLength(1);
  });

  test('writes nothing after a failed commit until the store is reopened', async () => {
    const unusable = new Error('not opened again yet');
    let isOpen = true;
    const { add } = createQueue({
      discard() {
        isOpen = false;
      },
      connect() {
        if (!isOpen) throw unusable;
        return {
          ...connection,
          commit() {
            throw Object.assign(new Error('no'), { code: 'SQLITE_IOERR' });
          },
        };
      },
    });
    await expect(add(putting('a'))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await expect(add(putting('b'))).rejects.toBe(unusable);
  });

  test('when the disk is full, rejects the write that needs space and commits the others of its turn', async () => {
    const pages = connection.db.pragma('page_count', { simple: true }) as number;
    connection.db.pragma(`max_page_count = ${pages + 2}`);
    const { add, condemned } = createQueue();
    const tooBig = (on: Connection) => on.execute({ kind: 'run', query: insertBig('big', 1_000_000) });
    const settled = await Promise.allSettled([add(putting('a')), add(tooBig), add(putting('b'))]);
    expect(settled).toMatchObject([
      { status: 'fulfilled' },
      {
        status: 'rejected',
        reason: { code: 'STORE_UNAVAILABLE', message: expect.stringContaining('the disk is full') },
      },
      { status: 'fulfilled' },
    ]);
    expect(idsIn()).toEqual(['a', 'b']);
    expect(condemned).toEqual([]);
  });

  test('when a failure aborts the whole transaction, runs the other writes again one by one', async () => {
    const { add } = createQueue();
    let runCount = 0;
    const counted = (on: Connection) => {
      runCount += 1;
      putting('a')(on);
    };
    const rollsBack = (on: Connection) => {
      on.db.exec('rollback');
      throw new Error('everything is gone');
    };
    const settled = await Promise.allSettled([add(counted), add(rollsBack), add(putting('c'))]);
    expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runCount).toBe(2);
    expect(idsIn()).toEqual(['a', 'c']);
  });

  test('a commit that fails for lack of space is known to be rolled back', async () => {
    const { add, condemned } = createQueue(
      {},
      {
        commit() {
          throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
        },
      },
    );
    await expect(add(putting('a'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(condemned).toEqual([]);
    expect(idsIn()).toEqual([]);
  });

  test.each(['schemaVersion', 'savepoint', 'release'] as const)(
    'a failing %s on a failing disk rejects the whole batch, and the next write gets a new connection',
    async (name) => {
      let isFailing = true;
      const fail = () => {
        if (isFailing) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' });
        return connection[name]();
      };
      const { add, condemned } = createQueue({}, { [name]: fail });
      const settled = await Promise.allSettled(['a', 'b'].map((id) => add(putting(id))));
      expect(settled).toMatchObject(
        ['a', 'b'].map(() => ({ status: 'rejected', reason: { code: 'STORE_UNAVAILABLE' } })),
      );
      expect(condemned).toHaveLength(1);
      connection.rollback();
      isFailing = false;
      await add(putting('c'));
      expect(idsIn()).toEqual(['c']);
    },
  );

  test('a failing rollback does not hide why the write failed', async () => {
    const { add, condemned } = createQueue(
      {},
      {
        rollback() {
          throw Object.assign(new Error('cannot rollback'), { code: 'SQLITE_ERROR' });
        },
      },
    );
    const fails = () => {
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' });
    };
    await expect(add(fails)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('the disk reported an error'),
    });
    expect(condemned).toHaveLength(1);
  });

  test('when a failure aborts the transaction and the next commit fails, the others use a new connection', async () => {
    let current = connection;
    const { add } = createQueue({
      connect: () => current,
      discard(failed) {
        failed.close();
        connection = openConnection(file);
        current = connection;
      },
    });
    const rollsBack = (on: Connection) => {
      on.db.exec('rollback');
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
    };
    const failing: Connection = {
      ...connection,
      commit() {
        throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
      },
    };
    current = failing;
    const settled = await Promise.allSettled([add(putting('a')), add(putting('b')), add(rollsBack)]);
    expect(settled).toMatchObject([
      { reason: { code: 'OUTCOME_UNKNOWN' } },
      { status: 'fulfilled' },
      { reason: { code: 'STORE_UNAVAILABLE' } },
    ]);
    expect(idsIn()).toEqual(['b']);
  });

  test('keeps writes waiting while another process holds the lock, then commits them together', async () => {
    const other = openConnection(file);
    other.beginImmediate('now');
    const { add, commitCount } = createQueue();
    const writes = Promise.all(['a', 'b'].map((id) => add(putting(id))));
    setTimeout(() => other.close(), 20);
    await writes;
    expect(commitCount()).toBe(1);
  });

  test('does not write to a file of another version', async () => {
    connection.db.pragma('user_version = 7');
    const { add } = createQueue();
    await expect(add(putting('a'))).rejects.toMatchObject({
      code: 'STORE_NEWER',
      message: expect.stringContaining('schema 7'),
    });
    expect(idsIn()).toEqual([]);
  });

  test('reports a write that holds the lock for long, with its tool', async () => {
    const reports: string[] = [];
    const { add } = createQueue({ slow: (ms, tool) => reports.push(`${tool} ${ms > 20}`) });
    await add((on) => {
      const until = performance.now() + 25;
      while (performance.now() < until);
      return putting('a')(on);
    });
    expect(reports).toEqual(['contract/test true']);
  });

  test('resolves drained when the queue is empty', async () => {
    const { add, commits } = createQueue();
    await commits.drained();
    const write = add(putting('a'));
    await commits.drained();
    expect(idsIn()).toEqual(['a']);
    await write;
  });
});
