import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import { auditKey } from '#tests/contract/storage/engine.ts';
import { createSqliteTestStore, type SqliteTestStore } from '#tests/contract/storage/sqlite-engine.ts';
import { contractMigrations, listIds, putItem } from '#tests/contract/storage/tables.ts';
import { systemClock } from '../../clock/clock.ts';
import { silentLog } from '../../log/log.ts';
import { openSqlite, type SqliteStorage } from './open.ts';

// Windows does not let anyone delete or move an open file.
describe.skipIf(process.platform === 'win32')('a store file that is deleted or moved while it is open', () => {
  const tenant = newTenant();
  let testStore: SqliteTestStore;
  let storage: SqliteStorage;
  let folder: string;

  const open = (file = testStore.file) =>
    openSqlite({ file, migrations: contractMigrations, clock: systemClock, log: silentLog, auditKey });

  const add = (id: string, between = () => {}) =>
    storage.write(createCall(tenant), function* (db) {
      yield* putItem(db, { id });
      between();
      yield* db.changed('item', id, 'create', 'h');
    });

  const idsIn = async (on = storage) => {
    const rows = await on.read(createCall(tenant), (db) => listIds(db));
    return rows.map(({ id }) => id);
  };

  const rescues = () => readdirSync(folder).filter((name) => name.includes('.rescue-'));

  async function idsInRescue() {
    await vi.waitFor(() => expect(rescues()).toHaveLength(1), { timeout: 30_000 });
    const copy = open(join(folder, rescues()[0]!));
    const ids = await idsIn(copy);
    await copy.close();
    return ids;
  }

  beforeEach(async () => {
    testStore = await createSqliteTestStore();
    folder = dirname(testStore.file);
    storage = open();
    await add('a');
    await add('b');
  });

  afterEach(async () => {
    await storage.close();
    await testStore.remove();
  });

  test.each([
    ['', 'its file was deleted or moved'],
    ['-wal', 'ends in -wal was deleted or moved'],
    ['-shm', 'ends in -shm was deleted or moved'],
  ])('refuses writes, serves reads and writes a rescue copy (store.db%s)', async (part, why) => {
    rmSync(`${testStore.file}${part}`);
    const refused = { code: 'STORE_UNAVAILABLE', message: expect.stringContaining(why) };
    await expect(add('c')).rejects.toMatchObject(refused);
    await expect(storage.flush(createCall(tenant))).rejects.toMatchObject(refused);
    expect(await idsIn()).toEqual(['a', 'b']);
    expect(await idsInRescue()).toEqual(['a', 'b']);
    await expect(add('d')).rejects.toMatchObject({ message: expect.stringContaining(rescues()[0]!) });
    expect(rescues()).toHaveLength(1);
    expect(statSync(join(folder, rescues()[0]!)).mode & 0o777).toBe(0o600);
    expect(existsSync(`${testStore.file}${part}`)).toBe(false);
  });

  test('accepts writes again when the same file is back', async () => {
    renameSync(testStore.file, `${testStore.file}.away`);
    await expect(add('c')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    renameSync(`${testStore.file}.away`, testStore.file);
    await add('d');
    expect(await idsIn()).toEqual(['a', 'b', 'd']);
    await storage.close();
    storage = open();
    expect(await idsIn()).toEqual(['a', 'b', 'd']);
  });

  test('asks for a restart when another file is at its place, and leaves that file alone', async () => {
    rmSync(testStore.file);
    writeFileSync(testStore.file, 'another file');
    await expect(add('c')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('restart the program'),
    });
    expect(await idsIn()).toEqual(['a', 'b']);
    expect(await idsInRescue()).toEqual(['a', 'b']);
    expect(readFileSync(testStore.file, 'utf8')).toBe('another file');
  });

  test('does not take a copy of the file for the file', async () => {
    copyFileSync(testStore.file, `${testStore.file}.copy`);
    renameSync(`${testStore.file}.copy`, testStore.file);
    await expect(add('c')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('does not acknowledge a write whose file is deleted before its commit returns', async () => {
    const write = add('c', () => rmSync(testStore.file));
    await expect(write).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await idsInRescue()).toEqual(['a', 'b', 'c']);
  });

  test('writes the rescue copy without a write, and before it closes', async () => {
    rmSync(testStore.file);
    await storage.close();
    expect(await idsInRescue()).toEqual(['a', 'b']);
  });

  test('never replaces a file with its rescue copy', async () => {
    rmSync(testStore.file);
    vi.useFakeTimers({ now: Date.parse('2026-01-02T03:04:05Z'), toFake: ['Date'] });
    try {
      writeFileSync(`${testStore.file}.rescue-20260102T030405Z`, '');
      await storage.close();
    } finally {
      vi.useRealTimers();
    }
    expect(readFileSync(`${testStore.file}.rescue-20260102T030405Z`, 'utf8')).toBe('');
    expect(rescues()).toHaveLength(2);
  });
});
