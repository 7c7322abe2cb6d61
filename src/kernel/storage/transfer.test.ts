import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import type { Engine, TestStore } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { contractMigrations } from '#tests/contract/storage/tables.ts';
import type { Migration } from './migration.ts';
import type { Storage } from './port.ts';
import { findExistingKey, type Row, readPage, transferLimits, writeRows } from './transfer.ts';
import { describeTables, type Table, transferredTables } from './transfer-tables.ts';

/** A key of several columns in another order than the columns, and a table with one row per tenant. */
const oddTables: Migration = {
  id: 9001,
  name: 'odd',
  tenantTables: ['steps', 'settings_of'],
  up: (d) => [
    `create table steps (
      note ${d.text}, at ${d.integer} not null, tenant ${d.text} not null, kind ${d.text} not null, weight ${d.real} not null default 0,
      primary key (tenant, kind, at)
    ) ${d.table}`,
    `create table settings_of (tenant ${d.text} not null primary key, document ${d.text} not null) ${d.table}`,
  ],
};

const migrations = [...contractMigrations, oddTables];
const names = ['items', 'steps', 'settings_of'];

const itemOf = (i: number): Row => ({
  id: `item ${String(i).padStart(5, '0')}`,
  document: `d${i}`,
  n: i,
  score: i / 4,
  bytes: Buffer.from([i % 256]),
});

test('leaves out derived and private tables, and keeps the other tenant tables in order of creation', () => {
  const tables = transferredTables([
    { id: 1, name: 'a', tenantTables: ['pads', 'cells', 'pad_index'], derivedTables: ['pad_index'], up: () => [] },
    { id: 2, name: 'b', tenantTables: ['chain'], privateTables: ['chain'], up: () => [] },
    { id: 3, name: 'c', tenantTables: ['tags'], up: () => [] },
  ]);
  expect(tables).toEqual(['pads', 'cells', 'tags']);
});

describe.each<Engine>([sqliteEngine(true), postgresEngine(true)])('moving rows on $name', (engine) => {
  let testStore: TestStore;
  let storage: Storage;
  let tables: readonly Table[];
  const tableOf = (name: string): Table => tables.find((table) => table.name === name)!;

  beforeAll(async () => {
    testStore = await engine.create();
    storage = await testStore.open({ migrations });
    tables = await storage.read(createCall(newTenant()), (db) => describeTables(db, storage.capabilities, names, []));
  });
  afterAll(async () => {
    await storage?.close();
    await testStore?.remove();
  });

  const readAll = async (
    tenant: ReturnType<typeof newTenant>,
    table: Table,
  ): Promise<{ rows: Row[]; pages: number }> => {
    const rows: Row[] = [];
    for (let pages = 0; ; pages += 1) {
      const after = rows.at(-1);
      const page = await storage.read(createCall(tenant), (db) => readPage(db, table, after));
      if (page.length === 0) return { rows, pages };
      rows.push(...page);
    }
  };

  const write = (
    tenant: ReturnType<typeof newTenant>,
    table: Table,
    rows: readonly Row[],
    onTaken: 'keep' | 'replace' = 'keep',
  ) => storage.write(createCall(tenant, { audit: 'none' }), (db) => writeRows(db, table, table.columns, rows, onTaken));

  test('reads columns, types, nullability, defaults and key order from the catalog', () => {
    expect(tableOf('items')).toEqual({
      name: 'items',
      key: [{ name: 'id', type: 'text', isNullable: false, hasDefault: false }],
      hashes: [],
      columns: [
        { name: 'id', type: 'text', isNullable: false, hasDefault: false },
        { name: 'document', type: 'text', isNullable: true, hasDefault: false },
        { name: 'n', type: 'integer', isNullable: true, hasDefault: false },
        { name: 'score', type: 'real', isNullable: true, hasDefault: false },
        { name: 'bytes', type: 'blob', isNullable: true, hasDefault: false },
      ],
    });
    expect(tableOf('steps').key.map(({ name }) => name)).toEqual(['kind', 'at']);
    expect(tableOf('steps').columns.map(({ name, hasDefault }) => [name, hasDefault])).toEqual([
      ['note', false],
      ['at', false],
      ['kind', false],
      ['weight', true],
    ]);
    expect(tableOf('settings_of').key).toEqual([]);
  });

  test('treats a missing table as a bug, not as an empty table', async () => {
    const asked = storage.read(createCall(newTenant()), (db) =>
      describeTables(db, storage.capabilities, ['items', 'nowhere'], []),
    );
    await expect(asked).rejects.toThrow('the table nowhere is missing');
  });

  test("pages through every row of the tenant once, in key order, and through no other tenant's", async () => {
    const [mine, other] = [newTenant(), newTenant()];
    const rows = Array.from({ length: 1_203 }, (_, i) => itemOf(i));
    for (let at = 0; at < rows.length; at += 400) await write(mine, tableOf('items'), rows.slice(at, at + 400));
    await write(other, tableOf('items'), [itemOf(7), { ...itemOf(8), document: 'not yours' }]);
    const found = await readAll(mine, tableOf('items'));
    expect(found.rows).toEqual(rows);
    expect(found.pages).toBe(3);
  });

  test('ends a page of large rows by its size, and returns a single row that exceeds the page size', async () => {
    const tenant = newTenant();
    const large = 'x'.repeat(transferLimits.pageBytes / 2 - 100);
    const rows = [1, 2, 3, 4, 5].map((i) => ({ ...itemOf(i), document: i === 3 ? large.repeat(3) : large }));
    for (const row of rows) await write(tenant, tableOf('items'), [row]);
    const found = await readAll(tenant, tableOf('items'));
    expect(found.rows).toEqual(rows);
    expect(found.pages).toBe(3);
  });

  test('pages keys of several columns in key order, with numbers compared as numbers', async () => {
    const tenant = newTenant();
    const rows = ['a', 'B', 'é', '\u{1F600}', '\uFF5E'].flatMap((kind) =>
      [9, 10, 100, -5, 1_700_000_000_000].map((at) => ({ note: null, at, kind, weight: 0.5 })),
    );
    await write(tenant, tableOf('steps'), rows);
    const utf8 = (kind: string) => Buffer.from(kind).toString('hex');
    const sorted = rows.toSorted((a, b) => (a.kind === b.kind ? a.at - b.at : utf8(a.kind) < utf8(b.kind) ? -1 : 1));
    expect((await readAll(tenant, tableOf('steps'))).rows).toEqual(sorted);
    const after = await storage.read(createCall(tenant), (db) => readPage(db, tableOf('steps'), sorted[7]));
    expect(after).toEqual(sorted.slice(8));
  });

  test('returns the only row of a table with one row per tenant, then ends', async () => {
    const tenant = newTenant();
    expect((await readAll(tenant, tableOf('settings_of'))).rows).toEqual([]);
    await write(tenant, tableOf('settings_of'), [{ document: '{}' }]);
    expect((await readAll(tenant, tableOf('settings_of'))).rows).toEqual([{ document: '{}' }]);
    const taken = await storage.read(createCall(tenant), (db) =>
      findExistingKey(db, tableOf('settings_of'), [{ document: 'x' }]),
    );
    expect(taken).toEqual({ tenant });
  });

  test('keeps or overwrites the row of an existing key, and counts accordingly', async () => {
    const tenant = newTenant();
    const old = [1, 2].map(itemOf);
    const next = [2, 3].map((i) => ({ ...itemOf(i), document: 'new', bytes: null }));
    expect(await write(tenant, tableOf('items'), old)).toBe(2);
    expect(await write(tenant, tableOf('items'), next)).toBe(1);
    expect((await readAll(tenant, tableOf('items'))).rows).toEqual([...old, next[1]]);
    expect(await write(tenant, tableOf('items'), next, 'replace')).toBe(2);
    expect((await readAll(tenant, tableOf('items'))).rows).toEqual([old[0], ...next]);
  });

  test('gives missing columns their default', async () => {
    const tenant = newTenant();
    const steps = tableOf('steps');
    const given = steps.columns.filter(({ name }) => name !== 'weight' && name !== 'note');
    await storage.write(createCall(tenant, { audit: 'none' }), (db) =>
      writeRows(db, steps, given, [{ at: 1, kind: 'k' }], 'keep'),
    );
    expect((await readAll(tenant, steps)).rows).toEqual([{ note: null, at: 1, kind: 'k', weight: 0 }]);
  });

  test('finds one existing key among a hundred, and not that of another tenant', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const rows = Array.from({ length: transferLimits.keysCount }, (_, i) => ({
      note: null,
      at: i,
      kind: 'k',
      weight: 0,
    }));
    const ask = () => storage.read(createCall(tenant), (db) => findExistingKey(db, tableOf('steps'), rows));
    await write(other, tableOf('steps'), rows);
    expect(await ask()).toBeUndefined();
    await write(tenant, tableOf('steps'), [rows[42]!, { ...rows[0]!, kind: 'another' }]);
    expect(await ask()).toEqual({ kind: 'k', at: 42 });
  });

  test('reads back exactly what was written', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((s) => s.isWellFormed() && !s.includes('\0'));
    const real = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((x) => !Number.isInteger(x) || Number.isSafeInteger(x));
    const row = fc.record({
      id: text,
      document: fc.option(text),
      n: fc.option(fc.maxSafeInteger()),
      score: fc.option(real.map((x) => (x === 0 ? 0 : x))),
      bytes: fc.option(fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes))),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 30 }), async (rows) => {
        const tenant = newTenant();
        await write(tenant, tableOf('items'), rows);
        const bytesOf = ({ id }: Row) => Buffer.from(String(id)).toString('hex');
        expect((await readAll(tenant, tableOf('items'))).rows).toEqual(
          rows.toSorted((a, b) => (bytesOf(a) < bytesOf(b) ? -1 : 1)),
        );
      }),
      { numRuns: 30 },
    );
  });
});
