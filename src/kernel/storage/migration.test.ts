import { expect, test } from 'vitest';
import { migrations as released } from '#migrations/all.ts';
import { checksumOf, type Migration, planMigrations, postgresDdl, schemaVersion, sqliteDdl } from './migration.ts';

const migration = (id: number, part: Partial<Migration> = {}): Migration => ({
  id,
  name: `m${id}`,
  tenantTables: [],
  up: (d) => [`create table t${id} (id ${d.integer}) ${d.table}`],
  ...part,
});

const applied = (...done: Migration[]) => done.map((one) => ({ id: one.id, checksum: checksumOf(one) }));

test('plans the migrations that are not applied yet, in list order, for the engine', () => {
  const plan = planMigrations([migration(1), migration(2), migration(3)], applied(migration(1)), sqliteDdl);
  expect(plan.map(({ migration: { id }, statements }) => [id, ...statements])).toEqual([
    [2, 'create table t2 (id integer) strict'],
    [3, 'create table t3 (id integer) strict'],
  ]);
});

test('rejects a store of a newer program, and one with a different history', () => {
  expect(() => planMigrations([migration(1)], applied(migration(1), migration(2)), sqliteDdl)).toThrow('newer version');
  expect(() => planMigrations([migration(1, { up: () => ['select 1'] })], applied(migration(1)), sqliteDdl)).toThrow(
    'migration 1',
  );
});

test('computes the checksum over both engines and the tables under row-level security', () => {
  const sums = [
    migration(1),
    migration(1, { up: (d) => [`create table t1 (id ${d.integer}) ${d === postgresDdl ? 'x' : d.table}`] }),
    migration(1, { up: (d) => [`create table t1 (id ${d.integer}) ${d === sqliteDdl ? 'x' : d.table}`] }),
    migration(1, { tenantTables: ['t1'] }),
  ].map(checksumOf);
  expect(new Set(sums).size).toBe(4);
  expect(checksumOf(migration(1, { name: 'renamed' }))).toBe(sums[0]);
});

test('our own migrations have increasing numbers and different names', () => {
  const ids = released.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  expect(new Set(released.map(({ name }) => name)).size).toBe(released.length);
  expect(schemaVersion(released)).toBe(ids.at(-1));
  expect(schemaVersion([])).toBe(0);
});
