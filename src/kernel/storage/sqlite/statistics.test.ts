import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { contractMigrations } from '#tests/contract/storage/tables.ts';
import { openSqlite } from './open.ts';
import { assumeStatistics, hasStatistics } from './statistics.ts';

const lookUp = `select * from things
  where tenant = 'a' and label in (select value from json_each('["x"]')) and at in (select value from json_each('[1]'))`;

test('lets an index find rows that are otherwise searched among all of a tenant', () => {
  const db = new Database(':memory:');
  db.exec(`
    create table migrations (id integer primary key);
    create table things (tenant text, id text, label text, at integer, primary key (tenant, id)) without rowid;
    create index things_by_label on things (tenant, label, id);
    create table others (id text primary key)`);
  const plan = () => (db.prepare(`explain query plan ${lookUp}`).all() as { detail: string }[])[0]?.detail;
  expect(plan()).toBe('SEARCH things USING PRIMARY KEY (tenant=?)');
  assumeStatistics(db);
  expect(plan()).toBe('SEARCH things USING INDEX things_by_label (tenant=? AND label=?)');
  expect(db.prepare('select distinct tbl from sqlite_stat1').pluck().all()).toEqual(['things']);
  db.close();
});

test('is added to a store of an earlier version, and not while another process writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ff-statistics-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'store.db');
  const open = async () => {
    const options = { migrations: contractMigrations, clock: systemClock, log: silentLog, auditKey: Buffer.alloc(32) };
    await openSqlite({ file, ...options }).close();
  };
  await open();
  const db = new Database(file);
  expect(hasStatistics(db)).toBe(true);
  db.exec('drop table sqlite_stat1');
  db.exec('begin immediate');
  await open();
  db.exec('rollback');
  expect(hasStatistics(db)).toBe(false);
  await open();
  expect(hasStatistics(db)).toBe(true);
  db.close();
});
