import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { localTenant, type TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import type { Engine, Place } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { createSqlitePlace, sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { contractMigrations, putItem } from '#tests/contract/storage/tables.ts';
import { type ExportOptions, exportTenant } from './export-tenant.ts';
import { type ImportMode, type ImportOptions, importTenant } from './import-tenant.ts';

const clock = createManualClock();

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const openStore = async (engine: Engine = sqliteEngine(false)): Promise<{ place: Place; storage: Storage }> => {
  const place = await engine.create();
  const storage = await place.open({ clock });
  onTestFinished(async () => {
    await storage.close();
    await place.remove();
  });
  return { place, storage };
};

/** Rows of every type, with text that orders and escapes badly. */
async function fill(storage: Storage, tenant: TenantId, count = 12): Promise<void> {
  const texts = [
    '',
    'plain',
    'quote " and \\ slash',
    'line\nend\u2028\u2029',
    'é ß 漢',
    '\u{1F600}\uFF5E',
    '{"$b64":"no"}',
  ];
  for (let at = 0; at < count; at += 100) {
    await storage.write(createCall(tenant, { audit: 'none', deadlineAt: clock.now() + 60_000 }), function* (db) {
      for (let i = at; i < Math.min(count, at + 100); i += 1) {
        yield* putItem(db, {
          id: `${texts[i % texts.length]}-${i}`,
          document: i % 5 === 0 ? null : `text ${i} ${texts[i % texts.length]}`,
          n: i % 4 === 0 ? null : i * 1_000_003 - 7,
          score: i % 3 === 0 ? null : i / 7,
          bytes: i % 2 === 0 ? null : Buffer.from([0, 255, i % 256]),
        });
      }
    });
  }
}

const exporting = (storage: Storage, to: string, more: Partial<ExportOptions> = {}) =>
  exportTenant({ storage, migrations: contractMigrations, clock, program: '1.2.3', tenant: localTenant, to, ...more });

const importing = (storage: Storage, from: string, mode: ImportMode = 'fail', more: Partial<ImportOptions> = {}) =>
  importTenant({ storage, migrations: contractMigrations, clock, from, mode, ...more });

const changesOf = (storage: Storage, tenant: TenantId) => storage.changesSince(tenant, undefined, 0, 10_000);

describe.each([sqliteEngine(true), postgresEngine(true)])('export from and import to $name', (engine) => {
  test('a tenant comes back byte for byte in another store', async () => {
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

  test('only the tenant’s own rows go, and they may go to a tenant of another name', async () => {
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

  test('a key that is taken refuses the whole import, is skipped, or is replaced', async () => {
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

test('from SQLite to PostgreSQL and back, nothing is another byte', async () => {
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

test('what belongs to the deployment is in no export: chains, kept answers, API keys, search indexes', async () => {
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
  expect(JSON.parse(header!).tables.map(({ name }: { name: string }) => name)).toEqual(['trash', 'counters', 'items']);
  expect(lines.slice(0, -1).map((line) => JSON.parse(line).t)).toEqual(['items']);
});

test('an export never holds a secret of the deployment, whatever migrations there are', async () => {
  const place = await createSqlitePlace();
  const storage = await place.open({ migrations, clock });
  onTestFinished(async () => {
    await storage.close();
    await place.remove();
  });
  const to = join(tempFolder(), 'out');
  await exportTenant({ storage, migrations, clock, program: '1', tenant: localTenant, to });
  const columns = JSON.parse(readFileSync(to, 'utf8').split('\n')[0]!).tables.flatMap(
    ({ columns }: { columns: string[] }) => columns,
  );
  expect(columns.filter((name: string) => /mac|secret|token|password/.test(name))).toEqual([]);
});

test('an export is one state of the store although it is written while the pages are read', async () => {
  const { storage } = await openStore();
  const folder = tempFolder();
  await fill(storage, localTenant, 600);
  let late = 0;
  await exporting(storage, join(folder, 'out'), {
    progress() {
      late += 1;
      void storage.write(createCall(localTenant, { audit: 'none', deadlineAt: clock.now() + 60_000 }), (db) =>
        (function* () {
          yield* putItem(db, { id: `zzz late ${late}` });
        })(),
      );
    },
  });
  expect(late).toBeGreaterThan(1);
  expect(readFileSync(join(folder, 'out'), 'utf8')).not.toContain('late');
});

test('on PostgreSQL a tenant that is changed meanwhile is read again, and given up when it never stands still', async () => {
  const { storage } = await openStore(postgresEngine(false));
  const folder = tempFolder();
  await fill(storage, localTenant, 10);
  const change = (id: string) =>
    storage.write(createCall(localTenant, { deadlineAt: clock.now() + 60_000 }), function* (db) {
      yield* putItem(db, { id });
      yield* db.changed('item', id, 'create', 'h');
    });
  let count = 0;
  /** The store as another server sees to it that it is: changed at every look at a page, as often as told. */
  const restless = (times: number): Storage => ({
    ...storage,
    async read(call, work) {
      if (count < times) await change(`restless ${(count += 1)}`);
      return storage.read(call, work);
    },
  });
  const { rows } = await exporting(restless(3), join(folder, 'twice'));
  expect(rows).toBe(13);
  await expect(exporting(restless(1_000), join(folder, 'never'))).rejects.toMatchObject({ code: 'EXPORT_MOVED' });
  expect(readdirSync(folder)).toEqual(['twice']);
});

test('an export does not overwrite, and one that fails leaves nothing behind', async () => {
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
  await expect(exporting(storage, join(folder, 'no', 'such', 'place'))).rejects.toMatchObject({
    code: 'FILES_UNAVAILABLE',
  });
  expect(readdirSync(folder)).toEqual(['there']);
});

describe('a broken export changes nothing', () => {
  let place: Place;
  let storage: Storage;
  let lines: readonly string[];
  let folder: string;

  beforeAll(async () => {
    place = await createSqlitePlace();
    storage = await place.open({ clock });
    folder = mkdtempSync(join(tmpdir(), 'ff-export-'));
    const source = await createSqlitePlace();
    const sourceStorage = await source.open({ clock });
    await fill(sourceStorage, localTenant, 1_200);
    await exporting(sourceStorage, join(folder, 'good'));
    await sourceStorage.close();
    await source.remove();
    lines = readFileSync(join(folder, 'good'), 'utf8').trimEnd().split('\n');
  });
  afterAll(async () => {
    await storage.close();
    await place.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** With a trailer that fits, so that what is refused is the line and not the hash. */
  const sealed = (body: readonly string[], counts?: Record<string, number>): string => {
    const text = body.map((line) => `${line}\n`).join('');
    const rows = body.slice(1).filter((line) => line.includes('"t":"items"')).length;
    const sha256 = createHash('sha256').update(text).digest('hex');
    return `${text}${JSON.stringify({ end: true, counts: counts ?? { trash: 0, counters: 0, items: rows }, sha256 })}\n`;
  };
  const body = (): string[] => [...lines.slice(0, -1)];
  const header = (): Record<string, unknown> => JSON.parse(lines[0]!);
  const withHeader = (more: Record<string, unknown>): string =>
    sealed([JSON.stringify({ ...header(), ...more }), ...body().slice(1)]);
  const withLast = (line: string): string => sealed([...body().slice(0, -1), line]);
  const lastRow = (): Record<string, unknown> => JSON.parse(lines.at(-2)!).r;
  const withLastRow = (more: Record<string, unknown>): string =>
    withLast(JSON.stringify({ t: 'items', r: { ...lastRow(), ...more } }));
  const tablesWith = (more: object) =>
    (header()['tables'] as { name: string }[]).map((table) => (table.name === 'items' ? { ...table, ...more } : table));

  const refuse = async (text: string | Buffer, why: string, code = 'IMPORT_INVALID', mode: ImportMode = 'fail') => {
    writeFileSync(join(folder, 'bad'), text);
    const error = await importing(storage, join(folder, 'bad'), mode).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code, message: expect.stringContaining(why) });
    const check = join(folder, 'check');
    const { rows } = await exporting(storage, check);
    rmSync(check);
    expect(rows).toBe(0);
    expect(await changesOf(storage, localTenant)).toEqual([]);
  };

  test('the seal of these tests is right: an untouched body is taken', async () => {
    writeFileSync(join(folder, 'resealed'), sealed(body()));
    expect(readFileSync(join(folder, 'resealed'), 'utf8')).toBe(readFileSync(join(folder, 'good'), 'utf8'));
  });

  test('one that is empty, cut off at any place, or goes on after its end', async () => {
    const text = readFileSync(join(folder, 'good'), 'utf8');
    await refuse('', 'empty');
    for (const part of [0.1, 0.5, 0.9]) await refuse(text.slice(0, Math.floor(text.length * part)), 'cut off');
    await refuse(text.slice(0, -1), 'cut off');
    await refuse(
      body()
        .map((line) => `${line}\n`)
        .join(''),
      'no trailer',
    );
    await refuse(`${text}{"t":"items","r":{}}\n`, 'after the trailer');
    await refuse(`${text}\n`, 'after the trailer');
  });

  test('one in which a byte was changed, a line dropped, doubled or swapped', async () => {
    const text = readFileSync(join(folder, 'good'), 'utf8');
    await refuse(text.replace('"document":"text 1 plain"', '"document":"text 1 plane"'), 'SHA-256');
    await refuse([...body().filter((_, i) => i !== 600), lines.at(-1), ''].join('\n'), 'SHA-256');
    await refuse(
      sealed(
        body().filter((_, i) => i !== 600),
        { trash: 0, counters: 0, items: 1_200 },
      ),
      'numbers of rows',
    );
    await refuse(sealed([...body(), body().at(-1)!]), 'twice');
    await refuse(sealed(body().with(600, body()[601]!).with(601, body()[600]!)), 'order of their keys');
  });

  test('lines that are no rows', async () => {
    await refuse(withLast('{"t":"items","r":'), 'not JSON');
    await refuse(withLast('[]'), 'no JSON object');
    await refuse(withLast('null'), 'no JSON object');
    await refuse(withLast('{"t":"items"}'), 'its row is no object');
    await refuse(withLast('{"t":"items","r":{},"x":1}'), 'members that no row has');
    await refuse(withLast('{"r":{}}'), 'does not name its table');
    await refuse(withLast('{"t":"changes","r":{}}'), 'does not name its table');
    await refuse(withLast(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'nested too deep');
    await refuse(Buffer.concat([Buffer.from(withLast('{}').slice(0, 2_000)), Buffer.from([0xff, 0x0a])]), 'not UTF-8');
  });

  test('values of the wrong type, too many columns and too few', async () => {
    await refuse(withLastRow({ id: null }), 'items.id must be text');
    await refuse(withLastRow({ document: 5 }), 'items.document must be text or null');
    await refuse(withLastRow({ document: 'a\0b' }), 'items.document must be text');
    await refuse(withLastRow({ document: '\ud800' }), 'items.document must be text');
    await refuse(withLastRow({ n: '5' }), 'items.n must be integer');
    await refuse(withLastRow({ n: 1.5 }), 'items.n must be integer');
    await refuse(withLastRow({ n: 2 ** 53 }), 'items.n must be integer');
    await refuse(withLastRow({ score: true }), 'items.score must be real');
    await refuse(withLastRow({ bytes: 'AAAA' }), 'items.bytes must be blob');
    await refuse(withLastRow({ bytes: { $b64: 'not base64!' } }), 'items.bytes must be blob');
    await refuse(withLastRow({ bytes: { $b64: 'AAAA', more: 1 } }), 'items.bytes must be blob');
    await refuse(withLastRow({ tenant: 'someone else' }), 'no column tenant');
    await refuse(
      withLast(`{"t":"items","r":{"__proto__":{"n":1},${JSON.stringify(lastRow()).slice(1)}}`),
      'no column __proto__',
    );
    const { n: _n, ...less } = lastRow();
    await refuse(withLast(JSON.stringify({ t: 'items', r: less })), 'the column n of items is missing');
  });

  test('headers of other formats, versions, schemas and tables', async () => {
    await refuse('{"hello":"world"}\n', 'no export of fourfold');
    await refuse(withHeader({ version: 2 }), 'import it with a newer one');
    await refuse(withHeader({ tenant: '' }), 'damaged at tenant');
    await refuse(withHeader({ more: 1 }), 'damaged');
    await refuse(withHeader({ schema: 9_001 }), 'newer version', 'STORE_NEWER');
    await refuse(withHeader({ schema: 8_999 }), 'no version of this program had the schema 8999');
    await refuse(
      withHeader({ tables: [{ name: 'api_keys', columns: ['id'] }] }),
      'api_keys is not one that is imported',
    );
    await refuse(
      withHeader({ tables: [...(header()['tables'] as []), { name: 'items', columns: [] }] }),
      'named twice',
    );
    await refuse(withHeader({ tables: tablesWith({ columns: ['id', 'colour'] }) }), 'items has no column colour');
    await refuse(withHeader({ tables: tablesWith({ columns: ['id', 'id'] }) }), 'named twice');
    await refuse(withHeader({ tables: tablesWith({ columns: ['document'] }) }), 'items lacks the column id');
  });

  test('a file that is not there is told in our words', async () => {
    await expect(importing(storage, join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'FILES_UNAVAILABLE' });
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
});

test('a row that comes while the import runs is not overwritten, and the fault says how far it got', async () => {
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
    message: expect.stringContaining('rows before it were kept'),
  });
  expect(await importing(two, join(folder, 'one'), 'skip')).toMatchObject({ read: 600, written: 99 });
  await exporting(two, join(folder, 'two'));
  expect(readFileSync(join(folder, 'two'), 'utf8')).toContain('came first');
});

test('an export of an older schema is taken when the columns that came later can do without', async () => {
  const { storage } = await openStore();
  const folder = tempFolder();
  const tables = [{ name: 'items', columns: ['id', 'n'] }];
  const head = {
    format: 'fourfold-export',
    version: 1,
    program: '0',
    schema: migrations.at(-1)!.id,
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

test('steps of the memories run after an import and after an export, in their order', async () => {
  const { storage } = await openStore();
  const folder = tempFolder();
  const ran: string[] = [];
  const step = (name: string) => ({ name, run: async () => void ran.push(name) });
  await exporting(storage, join(folder, 'out'), { afterExport: [step('snapshot')] });
  await importing(storage, join(folder, 'out'), 'fail', { afterImport: [step('search'), step('vectors')] });
  expect(ran).toEqual(['snapshot', 'search', 'vectors']);
  writeFileSync(join(folder, 'bad'), 'x\n');
  await expect(importing(storage, join(folder, 'bad'), 'fail', { afterImport: [step('never')] })).rejects.toThrow();
  expect(ran).toHaveLength(3);
});
