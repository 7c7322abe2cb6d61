import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localTenant } from '#kernel/call.ts';
import { schemaVersion } from '#kernel/storage/migration.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { createSqliteTestStore, sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { contractMigrations, putItem } from '#tests/contract/storage/tables.ts';
import { changesOf, clock, exporting, fill, importing, openStore, tempFolder } from './export.fixture.ts';
import { exportTenant } from './export-tenant.ts';

describe.each([sqliteEngine(true), postgresEngine(true)])('export from and import to $name', (engine) => {
  test('restores a tenant byte for byte in another store', async () => {
    const [{ storage: one }, { storage: two }] = [await openStore(), await openStore(engine)];
    const folder = tempFolder();
    await fill(one, localTenant, 1_300);
    const exported = await exporting(one, join(folder, 'one'));
    const imported = await importing(two, join(folder, 'one'));
    await exporting(two, join(folder, 'two'));
    expect(exported.rows).toBe(1_300);
    expect(imported).toEqual({ tenant: 'local', mode: 'fail', read: 1_300, written: 1_300 });
    expect(readFileSync(join(folder, 'two'), 'utf8')).toBe(readFileSync(join(folder, 'one'), 'utf8'));
    const changes = await changesOf(two, localTenant);
    expect(changes.map(({ topic, id, what }) => `${topic} ${id} ${what}`)).toEqual(
      Array(3).fill('import items create'),
    );
    expect(new Set(changes.map(({ hash }) => hash)).size).toBe(3);
  });

  test('exports only rows of the tenant, and can import them into another tenant', async () => {
    const { storage } = await openStore(engine);
    const [mine, other, third] = [newTenant(), newTenant(), newTenant()];
    const folder = tempFolder();
    await fill(storage, mine, 20);
    await fill(storage, other, 3);
    const { rows } = await exporting(storage, join(folder, 'mine'), { tenant: mine });
    expect(rows).toBe(20);
    expect(await importing(storage, join(folder, 'mine'), 'fail', { tenant: third })).toMatchObject({
      tenant: third,
      written: 20,
    });
    await exporting(storage, join(folder, 'third'), { tenant: third });
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    const withoutEnds = (text: string) => text.split('\n').slice(1, -2).join('\n');
    expect(withoutEnds(read('third'))).toBe(withoutEnds(read('mine')));
    expect(read('mine')).not.toContain(other);
  });

  test('an existing key rejects the import, is skipped, or is replaced', async () => {
    const [{ storage: one }, { storage: two }] = [await openStore(), await openStore(engine)];
    const folder = tempFolder();
    await fill(one, localTenant, 700);
    await exporting(one, join(folder, 'one'));
    const itemLine = readFileSync(join(folder, 'one'), 'utf8').trimEnd().split('\n').at(-2)!;
    const lastId = JSON.parse(itemLine).r.id as string;
    await two.write(createCall(localTenant, { audit: 'none', deadlineAt: clock.now() + 60_000 }), (db) =>
      (function* () {
        yield* putItem(db, { id: lastId, document: 'mine' });
      })(),
    );
    await exporting(two, join(folder, 'before'));
    await expect(importing(two, join(folder, 'one'))).rejects.toMatchObject({ code: 'IMPORT_TAKEN' });
    await exporting(two, join(folder, 'after'));
    expect(readFileSync(join(folder, 'after'), 'utf8')).toBe(readFileSync(join(folder, 'before'), 'utf8'));
    expect(await changesOf(two, localTenant)).toEqual([]);

    expect(await importing(two, join(folder, 'one'), 'skip')).toMatchObject({ read: 700, written: 699 });
    await exporting(two, join(folder, 'skipped'));
    expect(readFileSync(join(folder, 'skipped'), 'utf8')).toContain('"document":"mine"');
    expect(await importing(two, join(folder, 'one'), 'skip')).toMatchObject({ read: 700, written: 0 });

    expect(await importing(two, join(folder, 'one'), 'replace')).toMatchObject({ read: 700, written: 700 });
    await exporting(two, join(folder, 'replaced'));
    expect(readFileSync(join(folder, 'replaced'), 'utf8')).toBe(readFileSync(join(folder, 'one'), 'utf8'));
  });
});

test('a round trip from SQLite to PostgreSQL and back changes no byte', async () => {
  const [{ storage: one }, { storage: two }, { storage: three }] = [
    await openStore(),
    await openStore(postgresEngine(false)),
    await openStore(),
  ];
  const folder = tempFolder();
  await fill(one, localTenant, 150);
  await exporting(one, join(folder, '1'));
  await importing(two, join(folder, '1'));
  await exporting(two, join(folder, '2'));
  await importing(three, join(folder, '2'));
  await exporting(three, join(folder, '3'));
  const texts = ['1', '2', '3'].map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain('"$b64":"AP8B"');
});

test('leaves out data of the deployment: audit chains, stored answers, API keys, search indexes', async () => {
  const { storage } = await openStore();
  const folder = tempFolder();
  await storage.write(
    createCall(localTenant, { idempotencyKey: 'k', requestHash: 'r', deadlineAt: clock.now() + 60_000 }),
    function* (db) {
      yield* putItem(db, { id: 'a' });
      yield* db.changed('item', 'a', 'create', 'h');
      return { answer: 'kept' };
    },
  );
  await exporting(storage, join(folder, 'out'));
  const [header, ...lines] = readFileSync(join(folder, 'out'), 'utf8').trimEnd().split('\n');
  const names: string[] = JSON.parse(header!).tables.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['trash', 'counters', 'items']));
  const kept = ['changes', 'audit_heads', 'idempotency', 'api_keys', 'instruction_journal', 'instruction_seen'];
  expect(names.filter((name) => kept.includes(name) || name.startsWith('search_'))).toEqual([]);
  expect(lines.slice(0, -1).map((line) => JSON.parse(line).t)).toEqual(['items']);
});

test('never contains a secret of the deployment, with any set of migrations', async () => {
  const place = await createSqliteTestStore();
  const storage = await place.open({ migrations, clock });
  onTestFinished(async () => {
    await storage.close();
    await place.remove();
  });
  const to = join(tempFolder(), 'out');
  await exportTenant({ storage, migrations, clock, program: '1', tenant: localTenant, to });
  const columns = JSON.parse(readFileSync(to, 'utf8').split('\n')[0]!).tables.flatMap(
    (table: { columns: string[] }) => table.columns,
  );
  expect(columns.filter((name: string) => /mac|secret|token|password/.test(name))).toEqual([]);
});

test('exports a consistent state while other writes continue', async () => {
  const { storage } = await openStore();
  const folder = tempFolder();
  await fill(storage, localTenant, 600);
  let late = 0;
  await exporting(storage, join(folder, 'out'), {
    progress() {
      late += 1;
      void storage.write(createCall(localTenant, { audit: 'none', deadlineAt: clock.now() + 60_000 }), (db) =>
        (function* () {
          yield* putItem(db, { id: `\u{1F9FF} late ${late}` });
        })(),
      );
    },
  });
  expect(late).toBeGreaterThan(1);
  expect(readFileSync(join(folder, 'out'), 'utf8')).not.toContain('late');
});

test('on PostgreSQL, reads a changing tenant again and gives up if it keeps changing', async () => {
  const { storage } = await openStore(postgresEngine(false));
  const folder = tempFolder();
  await fill(storage, localTenant, 10);
  const change = (id: string) =>
    storage.write(createCall(localTenant, { deadlineAt: clock.now() + 60_000 }), function* (db) {
      yield* putItem(db, { id });
      yield* db.changed('item', id, 'create', 'h');
    });
  let count = 0;
  /** Simulates another server that changes the store at every page, the given number of times. */
  const restless = (times: number): Storage => ({
    ...storage,
    async read(call, work) {
      if (count < times) {
        count += 1;
        await change(`restless ${count}`);
      }
      return storage.read(call, work);
    },
  });
  const { rows } = await exporting(restless(3), join(folder, 'twice'));
  expect(rows).toBe(13);
  await expect(exporting(restless(1_000), join(folder, 'never'))).rejects.toMatchObject({ code: 'EXPORT_MOVED' });
  expect(readdirSync(folder)).toEqual(['twice']);
});

test('does not overwrite a file, and leaves nothing behind when it fails', async () => {
  const { storage } = await openStore();
  const folder = tempFolder();
  await fill(storage, localTenant);
  writeFileSync(join(folder, 'there'), 'precious');
  await expect(exporting(storage, join(folder, 'there'))).rejects.toMatchObject({ code: 'TARGET_TAKEN' });
  expect(readFileSync(join(folder, 'there'), 'utf8')).toBe('precious');
  const controller = new AbortController();
  const aborted = exporting(storage, join(folder, 'stopped'), {
    signal: controller.signal,
    progress: () => controller.abort(new Error('enough')),
  });
  await expect(aborted).rejects.toThrow('enough');
  const nowhere = join(folder, 'no', 'such', 'place');
  await expect(exporting(storage, nowhere)).rejects.toMatchObject({
    code: 'FILES_UNAVAILABLE',
    message: `${nowhere} cannot be created: the folder ${join(folder, 'no', 'such')} does not exist`,
  });
  const inFile = join(folder, 'there', 'below');
  await expect(exporting(storage, inFile)).rejects.toMatchObject({
    code: 'FILES_UNAVAILABLE',
    message: `${inFile}: a part of the path is not a folder`,
  });
  expect(readdirSync(folder)).toEqual(['there']);
});

test('does not overwrite a row that appears during the import, and the fault says so', async () => {
  const [{ storage: one }, { storage: two }] = [await openStore(), await openStore()];
  const folder = tempFolder();
  await fill(one, localTenant, 600);
  await exporting(one, join(folder, 'one'));
  const lastId = JSON.parse(readFileSync(join(folder, 'one'), 'utf8').trimEnd().split('\n').at(-2)!).r.id as string;
  const put = () =>
    two.write(createCall(localTenant, { audit: 'none', deadlineAt: clock.now() + 60_000 }), (db) =>
      (function* () {
        yield* putItem(db, { id: lastId, document: 'came first' });
      })(),
    );
  let isPut = false;
  const raced: Storage = {
    ...two,
    async write(call, work) {
      if (!isPut) await put();
      isPut = true;
      return two.write(call, work);
    },
  };
  const refused = importing(raced, join(folder, 'one'));
  await expect(refused).rejects.toMatchObject({
    code: 'IMPORT_TAKEN',
    message: expect.stringContaining('earlier rows are imported'),
  });
  expect(await importing(two, join(folder, 'one'), 'skip')).toMatchObject({ read: 600, written: 99 });
  await exporting(two, join(folder, 'two'));
  expect(readFileSync(join(folder, 'two'), 'utf8')).toContain('came first');
});

test('accepts an export that lacks optional columns', async () => {
  const { storage } = await openStore();
  const folder = tempFolder();
  const tables = [{ name: 'items', columns: ['id', 'n'] }];
  const head = {
    format: 'fourfold-export',
    version: 1,
    program: '0',
    schema: schemaVersion(contractMigrations),
    tenant: 'local',
    at: '',
    tables,
  };
  const text = `${JSON.stringify(head)}\n{"t":"items","r":{"id":"a","n":1}}\n`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(folder, 'old'), `${text}${JSON.stringify({ end: true, counts: { items: 1 }, sha256 })}\n`);
  await importing(storage, join(folder, 'old'));
  await exporting(storage, join(folder, 'new'));
  expect(readFileSync(join(folder, 'new'), 'utf8')).toContain(
    '{"t":"items","r":{"id":"a","document":null,"n":1,"score":null,"bytes":null}}',
  );
});
