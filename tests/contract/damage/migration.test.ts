import { describe, expect, test } from 'vitest';
import { findDamagedRows } from '#kernel/jobs/store.fixture.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { hashedTablesOf } from '#kernel/storage/row-hash.ts';
import type { Bound } from '#kernel/storage/sql.ts';
import { writeRows } from '#kernel/storage/transfer.ts';
import { type ColumnType, describeTables } from '#kernel/storage/transfer-tables.ts';
import { migrations } from '#migrations/all.ts';
import { newTenant } from '../storage/call.ts';
import { postgresEngine } from '../storage/postgres-engine.ts';
import { sqliteEngine } from '../storage/sqlite-engine.ts';

const first = migrations.findIndex(({ hashedTables }) => hashedTables !== undefined);
const before = migrations.slice(0, first);
/** Instructions have had one from the beginning. */
const hashed = hashedTablesOf(migrations.slice(0, first + 1)).filter(({ hash }) => hash !== 'etag');

const valuesOf: Readonly<Record<ColumnType, readonly Bound[]>> = {
  text: ['', 'plain', 'ünïcode 🦭 \u001e \u001f "quoted" \'text\' \\ line\nend', '{"a":1}'],
  integer: [0, 42, -7, 1_790_000_000_000],
  real: [0, 0.3, 1, 0.123456789012345],
  blob: [new Uint8Array(), new Uint8Array([0, 255, 16]), new Uint8Array(16), new Uint8Array([1])],
};

/** A store of the version before row hashes, with rows of every kind in every table that gets them. */
async function openOldStore(engine: ReturnType<typeof sqliteEngine>) {
  const testStore = await engine.create();
  const storage = await testStore.open({ migrations: before });
  const call = systemCall('test', { tenant: newTenant() });
  const names = [...new Set(hashed.map(({ table }) => table))];
  const tables = await storage.read(call, (db) => describeTables(db, storage.capabilities, names, []));
  for (const table of tables) {
    const rows = [0, 1, 2, 3].map((i) =>
      Object.fromEntries(
        table.columns.map(({ name, type, isNullable }, place) => {
          const isKey = table.key.some((column) => column.name === name);
          if (isNullable && i === 0) return [name, null];
          return [name, isKey ? (type === 'integer' ? i : `key ${i}`) : valuesOf[type][(i + place) % 4]!];
        }),
      ),
    );
    // Names that must be unique.
    const unique = rows.map((row, i) => ({
      ...row,
      ...('namespace' in row && { namespace: `n${i}` }),
      ...('content_id' in row && { content_id: `c${i}` }),
    }));
    await storage.write(call, (db) => writeRows(db, table, table.columns, unique, 'keep'));
  }
  await storage.close();
  return testStore;
}

describe.each([sqliteEngine(false), postgresEngine(false)])('the migration to row hashes on $name', (engine) => {
  test('gives existing rows of all tenants the hash that a write gives them', async () => {
    const testStore = await openOldStore(engine);
    await (await testStore.open({ migrations })).close();
    for (const { table } of hashed) {
      const rows = await testStore.look(`select count(*) as n from ${table}`);
      expect(Number(rows[0]?.['n']), table).toBe(4);
    }
    const submissions = await testStore.look('select count(*) as n from truth_submissions');
    expect(Number(submissions[0]?.['n'])).toBe(4);
    expect(await findDamagedRows(testStore)).toEqual([]);
    await testStore.tamper("update truth_observations set specificity = 0.5 where entity_id = 'key 1'");
    await testStore.tamper("update truth_records set embedding = null where record_id = 'key 2'");
    expect(await findDamagedRows(testStore)).toHaveLength(2);
    await testStore.remove();
  });
});
