import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { contractMigrations } from '#tests/contract/storage/tables.ts';
import { openConnection } from './connection.ts';
import { openSqlite } from './open.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ff-sqlite-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (file: string) =>
  openSqlite({ file, migrations: contractMigrations, clock: systemClock, log: silentLog, auditKey: Buffer.alloc(32) });

const refusal = (why: string) =>
  expect.objectContaining({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(why) });

function failure(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return expect.fail('it was opened');
}

test('uses write-ahead logging, full flushes, foreign keys and no busy timeout', () => {
  const { db, close } = openConnection(join(folder, 'store.db'));
  const read = (name: string) => db.pragma(name, { simple: true });
  expect(['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map(read)).toEqual(['wal', 2, 1, 0]);
  close();
});

test('does not flush a commit with durability soon, and flushes the next one', () => {
  const connection = openConnection(join(folder, 'store.db'));
  const level = () => connection.db.pragma('synchronous', { simple: true });
  const levels = (['soon', 'soon', 'now'] as const).map((durability) => {
    connection.beginImmediate(durability);
    const within = level();
    connection.commit();
    return within;
  });
  expect(levels).toEqual([1, 1, 2]);
  connection.close();
});

test('holds more pages in memory after enlargeCache, and flushes as before', () => {
  const connection = openConnection(join(folder, 'store.db'));
  const read = (name: string) => connection.db.pragma(name, { simple: true }) as number;
  const names = ['cache_size', 'wal_autocheckpoint', 'temp_store'];
  const before = names.map(read);
  connection.enlargeCache();
  expect(before.map((value, i) => Math.abs(read(names[i]!)) > Math.abs(value))).toEqual([true, true, true]);
  expect(read('synchronous')).toBe(2);
  connection.close();
});

test('makes folder and file accessible to the owner only', async () => {
  const file = join(folder, 'deep', 'er', 'store.db');
  openConnection(file).close();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700);
});

test('names a folder that is not writable', async () => {
  await writeFile(join(folder, 'a-file'), '');
  const file = join(folder, 'a-file', 'store.db');
  expect(failure(() => open(file))).toEqual(refusal(`cannot write to the folder ${join(folder, 'a-file')}`));
});

test('reports a folder in place of the file', async () => {
  await mkdir(join(folder, 'store.db'));
  expect(failure(() => open(join(folder, 'store.db')))).toEqual(refusal('cannot be opened'));
});

test('reports a file that is not a database, and leaves it unchanged', async () => {
  const file = join(folder, 'store.db');
  await writeFile(file, 'this is somebody’s letter, and no database at all; '.repeat(100));
  expect(failure(() => open(file))).toEqual(refusal('is not a database'));
  expect((await stat(file)).size).toBeGreaterThan(1_000);
});

test('reports a damaged file', async () => {
  const file = join(folder, 'store.db');
  const storage = open(file);
  await storage.close();
  const { db, close } = openConnection(file);
  const pageBytes = db.pragma('page_size', { simple: true }) as number;
  close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  // Keeps the first page, which identifies the file, and destroys the tables after it.
  const { open: openFile } = await import('node:fs/promises');
  const handle = await openFile(file, 'r+');
  await handle.write(Buffer.alloc(pageBytes * 8, 0xa5), 0, pageBytes * 8, 120);
  await handle.close();
  expect(failure(() => open(file))).toEqual(refusal('is damaged'));
});
