import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKnowledgeFixture } from '#domains/knowledge/ingest/knowledge.fixture.ts';
import { localTenant } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { type Row, readPage } from '#kernel/storage/transfer.ts';
import { describeTables } from '#kernel/storage/transfer-tables.ts';
import { migrations } from '#migrations/all.ts';
import { createCall } from '#tests/contract/storage/call.ts';
import type { Engine } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { tempFolder } from './export.fixture.ts';
import { exportTenant } from './export-tenant.ts';
import { type ImportMode, type ImportOptions, importTenant, searchedCollections } from './import-tenant.ts';

const tables = migrations.find(({ name }) => name === 'knowledge')!.tenantTables;
const call = () => createCall(localTenant, { audit: 'none', deadlineAt: Number.POSITIVE_INFINITY });
const dayMs = 86_400_000;

async function openHome(engine: Engine = sqliteEngine(false)) {
  const clock = createManualClock();
  const place = await engine.create();
  const storage = await place.open({ migrations, clock });
  const knowledge = createKnowledgeFixture({ storage, clock, roots: [] });
  onTestFinished(async () => {
    await knowledge.close();
    await storage.close();
    await place.remove();
  });
  const { libraries } = knowledge;
  const { ingestDocs, ask, find, indexed } = knowledge.as(localTenant);

  async function rows(...names: readonly string[]): Promise<Record<string, readonly Row[]>> {
    const found: Record<string, readonly Row[]> = {};
    await storage.read(call(), function* (db) {
      for (const table of yield* describeTables(db, storage.capabilities, names, [])) {
        found[table.name] = yield* readPage(db, table, undefined);
      }
    });
    return found;
  }
  return {
    clock,
    ask,
    find,
    indexed,
    rows,
    /** Each text becomes a page with one section. */
    add: (library: string, version: string, texts: Readonly<Record<string, string>>) =>
      ingestDocs({
        ...{ library, version, replace: true },
        pages: Object.entries(texts).map(([path, text]) => ({ path, content: `# ${path}\n\n${text}\n` })),
      }),
    restore: (library: string, version: string) => libraries.restore({ library, version }, call()),
    async sweep(): Promise<void> {
      await libraries.jobs(async () => [localTenant])[0]!.run(new AbortController().signal);
    },
    /** Counts match, each page belongs to a library or waits for the sweep, and the sweep removes nothing else. */
    async expectWhole(): Promise<void> {
      const { knowledge_pages, knowledge_sections, knowledge_libraries, knowledge_removals } = await rows(...tables);
      const keys = [...knowledge_libraries!, ...knowledge_removals!].map((row) => row['library_key']);
      expect(new Set(keys).size).toBe(keys.length);
      const strays = [...knowledge_pages!, ...knowledge_sections!].filter((row) => !keys.includes(row['library_key']));
      expect(strays).toEqual([]);
      for (const { library_key, pages_count, sections_count } of knowledge_libraries!) {
        const isIn = (row: Row): boolean => row['library_key'] === library_key;
        expect([knowledge_pages!.filter(isIn).length, knowledge_sections!.filter(isIn).length]).toEqual([
          pages_count,
          sections_count,
        ]);
      }
    },
    async export(): Promise<string> {
      const to = join(tempFolder(), 'export');
      await exportTenant({ migrations, clock, storage, program: '1.2.3', tenant: localTenant, to });
      return to;
    },
    import: (from: string, mode: ImportMode = 'fail', more: Partial<ImportOptions> = {}) =>
      importTenant({ migrations, clock, storage, from, mode, searched: searchedCollections, ...more }),
  };
}
type Home = Awaited<ReturnType<typeof openHome>>;

async function openSource(engine?: Engine): Promise<Home> {
  const home = await openHome(engine);
  await home.add('sea', '1', { 'a.md': 'apricot', 'b.md': 'banana' });
  await home.add('sea', '2', { 'a.md': 'cherry' });
  await home.add('gone', '1', { 'a.md': 'damson' });
  await home.ask('knowledge_remove', { library: 'gone' });
  return home;
}

/** A store with one of the libraries, but with other pages. */
async function openTarget(engine: Engine): Promise<Home> {
  const home = await openHome(engine);
  await home.add('sea', '1', { 'a.md': 'walnut', 'c.md': 'hazelnut', 'd.md': 'almond' });
  await home.add('own', '1', { 'a.md': 'pistachio' });
  return home;
}

describe.each([sqliteEngine(false), postgresEngine(false)])('an import into libraries on $name', (engine) => {
  test('rejects an existing library and changes nothing', async () => {
    const [source, target] = [await openSource(), await openTarget(engine)];
    const before = await target.rows(...tables, 'trash');
    await expect(target.import(await source.export())).rejects.toMatchObject({ code: 'IMPORT_TAKEN' });
    expect(await target.rows(...tables, 'trash')).toEqual(before);
  });

  test('with skip, keeps an existing library without adding pages', async () => {
    const [source, target] = [await openSource(), await openTarget(engine)];
    await target.import(await source.export(), 'skip');
    await target.expectWhole();
    expect((await target.rows('knowledge_pages'))['knowledge_pages']).toHaveLength(6);
    expect(await target.find('walnut')).toEqual(['sea@1/a.md#amd']);
    expect([await target.indexed('apricot'), await target.indexed('banana')]).toEqual([[], []]);
    expect(await target.find('cherry')).toEqual(['sea@2/a.md#amd']);
    expect(await target.find('pistachio')).toEqual(['own@1/a.md#amd']);
  });

  test('with replace, moves the existing library to the trash, and the sweep removes its pages', async () => {
    const [source, target] = [await openSource(), await openTarget(engine)];
    await target.import(await source.export(), 'replace');
    await target.expectWhole();
    expect(await target.find('apricot')).toEqual(['sea@1/a.md#amd']);
    expect([await target.indexed('walnut'), await target.indexed('hazelnut')]).toEqual([[], []]);
    const list = await target.ask('knowledge_list', { library: 'sea' });
    expect(list['libraries']).toMatchObject([
      { version: '1', pages: 2, complete: true },
      { version: '2', pages: 1, complete: true },
    ]);
    await target.ask('knowledge_remove', { library: 'sea', version: '1' });
    target.clock.advance(1);
    expect(await target.restore('sea', '1')).toMatchObject({ pages: 2 });
    target.clock.advance(31 * dayMs);
    await target.sweep();
    await target.expectWhole();
    const kept = await target.rows('knowledge_pages', 'knowledge_removals');
    expect(kept['knowledge_pages']).toHaveLength(4);
    expect(kept['knowledge_removals']).toEqual([]);
    expect(await target.find('banana')).toEqual(['sea@1/b.md#bmd']);
  });

  test('imports removed libraries, which can be restored or are swept', async () => {
    const source = await openSource();
    const [one, two] = [await openHome(engine), await openHome(engine)];
    const file = await source.export();
    for (const home of [one, two]) {
      await home.import(file);
      await home.expectWhole();
      expect(await home.indexed('damson')).toEqual([]);
    }
    expect(await one.restore('gone', '1')).toMatchObject({ pages: 1, sections: 1 });
    expect(await one.find('damson')).toEqual(['gone@1/a.md#amd']);
    two.clock.advance(31 * dayMs);
    await two.sweep();
    expect((await two.rows('knowledge_pages'))['knowledge_pages']).toHaveLength(3);
    await expect(two.restore('gone', '1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('restores libraries removed since the export, and the sweep keeps them', async () => {
    const home = await openSource(engine);
    const file = await home.export();
    await home.ask('knowledge_remove', { library: 'sea', confirm: true });
    await home.add('sea', '2', { 'a.md': 'elderberry', 'z.md': 'fig' });
    await home.import(file, 'replace');
    await home.expectWhole();
    home.clock.advance(31 * dayMs);
    await home.sweep();
    await home.expectWhole();
    expect([await home.find('apricot'), await home.find('cherry')]).toEqual([['sea@1/a.md#amd'], ['sea@2/a.md#amd']]);
    expect([await home.find('elderberry'), await home.find('fig')]).toEqual([[], []]);
    expect((await home.rows('knowledge_pages'))['knowledge_pages']).toHaveLength(3);
  });

  test('leaves nothing visible and nothing unswept after a kill', async () => {
    const [source, target] = [await openSource(), await openHome(engine)];
    const stopping = new AbortController();
    const file = await source.export();
    const progress = (_done: number, _total: number | undefined, message: string | undefined) => {
      if (message === 'importing knowledge_sections') stopping.abort(new Error('killed'));
    };
    await expect(target.import(file, 'fail', { signal: stopping.signal, progress })).rejects.toThrow('killed');
    expect((await target.rows('knowledge_pages'))['knowledge_pages']).not.toEqual([]);
    await target.expectWhole();
    expect(await target.find('apricot')).toEqual([]);
    target.clock.advance(31 * dayMs);
    await target.sweep();
    const left = Object.values(await target.rows(...tables)).flat();
    expect(left).toEqual([]);
    await target.import(file);
    expect(await target.find('apricot')).toEqual(['sea@1/a.md#amd']);
  });
});

describe('a manipulated export', () => {
  /** Changes lines and computes a valid trailer. */
  async function change(source: Home, from: string, to: string): Promise<string> {
    const file = await source.export();
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    const lines = text.replace(from, to).trimEnd().split('\n');
    const body = `${lines.slice(0, -1).join('\n')}\n`;
    const trailer = {
      ...(JSON.parse(lines.at(-1)!) as object),
      sha256: createHash('sha256').update(body).digest('hex'),
    };
    writeFileSync(file, `${body}${JSON.stringify(trailer)}\n`);
    return file;
  }

  test.each([
    ['"breadcrumb":"[\\"a.md\\"]"', '"breadcrumb":"[1]"', 'breadcrumb'],
    ['"library":"sea"', '"library":"../sea"', 'name or version is invalid'],
    ['"id":"gone@1"', '"id":"other@1"', 'not a valid removed library'],
  ])('rejects %s changed to %s', async (from, to, says) => {
    const target = await openHome();
    const refusal = { code: 'IMPORT_INVALID', message: expect.stringContaining(says) };
    await expect(target.import(await change(await openSource(), from, to))).rejects.toMatchObject(refusal);
    expect((await target.rows('knowledge_pages'))['knowledge_pages']).toEqual([]);
  });

  test('with wrong counts gives a library that is marked incomplete', async () => {
    const target = await openHome();
    await target.import(await change(await openSource(), '"pages_count":2', '"pages_count":7'));
    await target.expectWhole();
    const list = await target.ask('knowledge_list', { library: 'sea' });
    expect(list['libraries']).toMatchObject([
      { pages: 2, complete: false },
      { pages: 1, complete: true },
    ]);
  });
});
