import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createNotebooksFixture } from '#domains/notebooks/notebooks.fixture.ts';
import { createPadsFixture } from '#domains/notebooks/pads/pads.fixture.ts';
import { findMiscounts } from '#domains/notebooks/pads/recount.ts';
import { localTenant } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
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

type Json = Readonly<Record<string, unknown>>;
const tables = [
  ...migrations.find(({ name }) => name === 'notebooks')!.tenantTables,
  ...migrations.find(({ name }) => name === 'cell-history')!.tenantTables,
];
const right = { totals: 0, namespaces: 0, missingTags: 0, strayTags: 0, tagTotals: 0 };
const call = () => createCall(localTenant, { audit: 'none', deadlineAt: Number.POSITIVE_INFINITY });

/** A data folder with a running server, and readers for all its pads. */
async function openHome(engine: Engine = sqliteEngine(false)) {
  const clock = createManualClock();
  const place = await engine.create();
  const storage = await place.open({ migrations, clock });
  const memory = createNotebooksFixture({ storage });
  onTestFinished(async () => {
    await memory.close();
    await storage.close();
    await place.remove();
  });
  const { ask } = memory.as(localTenant);
  async function pads(): Promise<Record<string, Json>> {
    const { scratchpads } = (await ask('scratch_list', { limit: 1000 })) as { scratchpads: { scratch_id: string }[] };
    const read = scratchpads.map(async ({ scratch_id }) => {
      const { scratchpad } = await ask('scratch_read', { scratch_id });
      return [scratch_id, scratchpad as Json] as const;
    });
    return Object.fromEntries(await Promise.all(read));
  }
  return {
    clock,
    storage,
    memory,
    pads,
    /** Fails on a refused call, so that an empty fixture is noticed. */
    async ask(name: string, args: object = {}): Promise<Json> {
      const answer = await ask(name, args);
      expect(answer).toMatchObject({ ok: true });
      return answer;
    },
    pad: (
      scratch_id: string,
      namespace: string | undefined,
      contents: readonly string[],
      tags: readonly string[] = [],
    ) =>
      ask('scratch_create', {
        scratch_id,
        metadata: { title: `${scratch_id} title`, tags, ...(namespace !== undefined && { namespace }) },
        cells: contents.map((content, i) => ({ cell_id: `c${i}`, language: 'md', content, tags: [`${content}-tag`] })),
      }),
    trashed: () => memory.pads.trashed({}, call()),
    restore: (scratch_id: string, as?: string) => memory.pads.restore({ scratch_id, as }, call()),
    async names(): Promise<Record<string, number>> {
      const { namespaces } = await memory.namespaces.list(call());
      return Object.fromEntries(namespaces.map((one) => [one.namespace, one.scratchpad_count]));
    },
    async finds(query: string): Promise<readonly string[]> {
      const { hits } = (await ask('scratch_search', { query })) as { hits: { scratch_id: string }[] };
      return [...new Set(hits.map(({ scratch_id }) => scratch_id))].toSorted();
    },
    async rows(...names: readonly string[]): Promise<Record<string, readonly Row[]>> {
      const found: Record<string, readonly Row[]> = {};
      await storage.read(call(), function* (db) {
        for (const table of yield* describeTables(db, storage.capabilities, names, [])) {
          found[table.name] = yield* readPage(db, table, undefined);
        }
      });
      return found;
    },
    /** After any import: counts match, and no row refers to a missing one. */
    async expectWhole(): Promise<void> {
      expect(await findMiscounts(storage, call)).toEqual(right);
      const all = Object.values(await pads());
      const cells = all.reduce((sum, pad) => sum + (pad['cells'] as unknown[]).length, 0);
      expect(await memory.pads.totals(call())).toEqual({ pads_count: all.length, cells_count: cells });
      const rows = await this.rows(...tables);
      const { notebook_cells, notebook_schemas, notebook_cell_changes, notebook_pads, notebook_removals } = rows;
      const keys = new Set([...notebook_pads!, ...notebook_removals!].map((row) => row['pad_key']));
      const contents = [...notebook_cells!, ...notebook_schemas!, ...notebook_cell_changes!];
      expect(contents.filter((row) => !keys.has(row['pad_key']))).toEqual([]);
      const answer = (await ask('scratch_list_tags')) as { cell_tags: readonly string[] };
      const union = new Set(all.flatMap((pad) => pad['cell_tags'] as string[]));
      expect(answer.cell_tags).toEqual([...union].toSorted());
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
  await home.pad('plan', 'work', ['apricot', 'banana'], ['far', 'both']);
  await home.pad('letters', 'work', ['apple'], ['far']);
  const cell = { language: 'md', content: 'cherry', tags: ['cherry-tag'] };
  await home.ask('scratch_replace_cell', { scratch_id: 'letters', cell_id: 'c0', cell });
  await home.pad('free', undefined, []);
  await home.ask('scratch_upsert_schema', {
    scratch_id: 'letters',
    schema: { name: 'task', schema: { type: 'object' } },
  });
  await home.ask('scratch_namespace_create', { namespace: 'empty' });
  await home.pad('gone', 'past', ['damson'], ['lost']);
  await home.ask('scratch_delete', { scratch_id: 'gone' });
  return home;
}

/** A store where `plan` and the namespaces `work` and `empty` exist with other keys. */
async function openTarget(engine: Engine): Promise<Home> {
  const home = await openHome(engine);
  await home.pad('plan', 'work', ['walnut', 'hazelnut', 'almond'], ['near', 'both']);
  await home.pad('own', 'work', ['pistachio'], ['near']);
  await home.ask('scratch_namespace_create', { namespace: 'empty' });
  return home;
}

describe.each([sqliteEngine(true), postgresEngine(false)])('an import into notebooks on $name', (engine) => {
  test('rejects an existing scratch_id and changes nothing', async () => {
    const [source, target] = [await openSource(), await openTarget(engine)];
    const before = await target.rows(...tables, 'trash', 'changes');
    await expect(target.import(await source.export())).rejects.toMatchObject({
      code: 'IMPORT_TAKEN',
      message: expect.stringContaining('scratch_id plan'),
    });
    expect(await target.rows(...tables, 'trash', 'changes')).toEqual(before);
    await target.expectWhole();
  });

  test('imports everything if only names, totals and tags exist', async () => {
    const [source, target] = [await openSource(), await openTarget(engine)];
    await target.ask('scratch_delete', { scratch_id: 'plan' });
    const own = await target.pads();
    await target.import(await source.export());
    expect(await target.pads()).toEqual({ ...own, ...(await source.pads()) });
    expect(await target.names()).toEqual({ work: 3, empty: 0, past: 0 });
    await target.expectWhole();
  });

  test('with skip, keeps existing pads completely and imports the others', async () => {
    const [source, target] = [await openSource(), await openTarget(engine)];
    const own = await target.pads();
    const file = await source.export();
    await target.import(file, 'skip');
    const merged = { ...(await source.pads()), ...own };
    expect(await target.pads()).toEqual(merged);
    expect(await target.names()).toEqual({ work: 3, empty: 0, past: 0 });
    expect([await target.finds('cherry'), await target.finds('walnut')]).toEqual([['letters'], ['plan']]);
    expect(await target.finds('apricot')).toEqual([]);
    expect(await target.ask('scratch_list_schemas', { scratch_id: 'letters' })).toEqual(
      await source.ask('scratch_list_schemas', { scratch_id: 'letters' }),
    );
    await target.expectWhole();

    const rows = await target.rows(...tables, 'trash');
    expect(await target.import(file, 'skip')).toMatchObject({ written: 0 });
    expect(await target.rows(...tables, 'trash')).toEqual(rows);
  });

  test('with replace, replaces existing pads, which can be restored', async () => {
    const [source, target] = [await openSource(), await openTarget(engine)];
    await target.ask('scratch_append_cell', {
      scratch_id: 'plan',
      cell: { cell_id: 'x', language: 'md', content: 'pecan' },
    });
    const own = await target.pads();
    expect(own['plan']).toMatchObject({ revision: 2, cell_count: 4 });
    const seq = await target.storage.version(localTenant, 'scratchpad');
    await target.import(await source.export(), 'replace');
    const answer = await target.storage.changesSince(localTenant, 'scratchpad', seq, 10);
    expect(answer.map(({ id, what }) => `${what} ${id}`)).toEqual(['create free', 'create letters', 'update plan']);
    const theirs = await source.pads();
    // Higher than any revision that a client may expect.
    const plan = { ...theirs['plan'], revision: 3 };
    expect(await target.pads()).toEqual({ ...own, ...theirs, plan });
    expect(await target.names()).toEqual({ work: 3, empty: 0, past: 0 });
    expect([await target.finds('apricot'), await target.finds('walnut')]).toEqual([['plan'], []]);
    await target.expectWhole();

    expect((await target.trashed()).find(({ scratch_id }) => scratch_id === 'plan')).toMatchObject({ reason: 'reset' });
    await target.restore('plan', 'before');
    expect((await target.pads())['before']).toEqual({ ...own['plan'], scratch_id: 'before', revision: 3 });
    expect(await target.finds('walnut')).toEqual(['before']);
    await target.expectWhole();
  });

  test('imports removed pads, which can be restored with their cells', async () => {
    const [source, target] = [await openSource(), await openTarget(engine)];
    await target.import(await source.export(), 'skip');
    expect((await target.trashed()).map(({ pad_key: _key, ...rest }) => rest)).toEqual(
      (await source.trashed()).map(({ pad_key: _key, ...rest }) => rest),
    );
    await Promise.all([source.restore('gone'), target.restore('gone')]);
    expect((await target.pads())['gone']).toEqual((await source.pads())['gone']);
    await target.expectWhole();
  });

  test('does not mix an older state of the same store with the current one', async () => {
    for (const mode of ['skip', 'replace'] as const) {
      const home = await openSource(engine);
      const old = await home.pads();
      const file = await home.export();
      await home.ask('scratch_append_cell', {
        scratch_id: 'plan',
        cell: { cell_id: 'x', language: 'md', content: 'new' },
      });
      await home.ask('scratch_replace_cell', {
        scratch_id: 'plan',
        cell_id: 'c0',
        cell: { language: 'md', content: 'fig' },
      });
      await home.ask('scratch_namespace_rename', { old_namespace: 'work', new_namespace: 'labour' });
      await home.ask('scratch_delete', { scratch_id: 'letters' });
      await home.restore('gone');
      const now = await home.pads();
      await home.import(file, mode);
      const after = await home.pads();
      expect(after['letters']).toEqual(old['letters']);
      expect(after['gone']).toEqual(now['gone']);
      expect(after['plan']).toEqual(mode === 'skip' ? now['plan'] : { ...old['plan'], revision: 4 });
      expect(await home.names()).toMatchObject(mode === 'skip' ? { work: 1, labour: 1 } : { work: 2, labour: 0 });
      await home.expectWhole();
      if (mode === 'skip') continue;
      await home.restore('plan', 'newer');
      expect((await home.pads())['newer']).toEqual({
        ...now['plan'],
        scratch_id: 'newer',
        revision: 4,
        namespace: 'labour',
      });
    }
  });

  test('leaves no partial pad when it is stopped, and the next import completes it', async () => {
    const [source, target] = [await openSource(), await openTarget(engine)];
    const [own, file] = [await target.pads(), await source.export()];
    const controller = new AbortController();
    const stopped = target.import(file, 'replace', {
      signal: controller.signal,
      progress: (_done, _total, message) => {
        if (message === 'importing notebook_cells') controller.abort(new Error('enough'));
      },
    });
    await expect(stopped).rejects.toThrow('enough');
    expect(await target.pads()).toEqual(own);
    expect((await target.rows('notebook_cells'))['notebook_cells']).toHaveLength(8);
    await target.expectWhole();

    await target.import(file, 'replace');
    expect(await target.pads()).toMatchObject({ ...own, ...(await source.pads()), plan: { cell_count: 2 } });
    await target.expectWhole();
    target.clock.advance(31 * 86_400_000);
    const swept = createPadsFixture({ storage: target.storage });
    const purge = swept.jobsOf([localTenant]).find(({ name }) => name === 'notebook-purge')!;
    await purge.run(new AbortController().signal);
    await swept.close();
    expect((await target.rows('notebook_cells'))['notebook_cells']).toHaveLength(4);
    expect(await findMiscounts(target.storage, call)).toEqual(right);
  });

  test.each(['fail', 'skip', 'replace'] as const)(
    'handles a pad that was created after the check: %s',
    async (mode) => {
      const [source, target] = [await openSource(), await openTarget(engine)];
      await target.ask('scratch_delete', { scratch_id: 'plan' });
      const file = await source.export();
      let isMade = false;
      const storage: Storage = {
        ...target.storage,
        async write(...given) {
          if (!isMade) await target.pad('plan', 'late', ['quince'], ['late']);
          isMade = true;
          return await target.storage.write(...given);
        },
      };
      const importing = target.import(file, mode, { storage });
      if (mode === 'fail') await expect(importing).rejects.toMatchObject({ code: 'IMPORT_TAKEN' });
      else await importing;
      const pads = await target.pads();
      expect(pads['plan']).toMatchObject(mode === 'replace' ? { namespace: 'work' } : { namespace: 'late' });
      expect(await target.names()).toMatchObject({
        work: { fail: 1, skip: 2, replace: 3 }[mode],
        late: mode === 'replace' ? 0 : 1,
      });
      await target.expectWhole();
    },
  );

  test('stays within the statement limit for many pads with many tags', async () => {
    const [source, target] = [await openHome(), await openHome(engine)];
    const tagsOf = (j: number) => Array.from({ length: 60 }, (_, k) => `t${j}-${k}`);
    for (let i = 0; i < 14; i += 1) {
      const cells = Array.from({ length: 34 }, (_, j) => ({ language: 'md', content: 'c', tags: tagsOf(j) }));
      await source.ask('scratch_create', { scratch_id: `p${i}`, metadata: { namespace: `n${i}` }, cells });
    }
    const file = await source.export();
    await target.import(file);
    await target.import(file, 'replace');
    expect(Object.keys(await target.pads())).toHaveLength(14);
    await target.expectWhole();
  });
});

test('notebooks survive a round trip through PostgreSQL, and an export has no counts', async () => {
  const [source, target] = [await openSource(postgresEngine(false)), await openHome()];
  const file = await source.export();
  const header = JSON.parse(readFileSync(file, 'utf8').split('\n', 1)[0]!) as { tables: { name: string }[] };
  expect(header.tables.map(({ name }) => name).filter((name) => name.startsWith('notebook_'))).toEqual([
    ...['notebook_namespaces', 'notebook_cells', 'notebook_schemas', 'notebook_pads', 'notebook_cell_changes'],
  ]);
  await target.import(file);
  expect(await target.pads()).toEqual(await source.pads());
  expect(await target.names()).toEqual(await source.names());
  const history = { scratch_id: 'letters' };
  expect(await target.ask('scratch_history', history)).toEqual(await source.ask('scratch_history', history));
  await target.ask('scratch_restore', { scratch_id: 'letters', cell_id: 'c0' });
  expect(await target.finds('apple')).toEqual(['letters']);
  await target.expectWhole();
});

test.each<[string, string, (row: Record<string, unknown>) => object | undefined, string]>([
  [
    'a pad that lacks a cell',
    'notebook_cells',
    ({ cell_id }) => (cell_id === 'c1' ? undefined : {}),
    'should have 2 cells',
  ],
  ['an unknown namespace', 'notebook_pads', () => ({ namespace_key: 'x' }), 'namespace is not in the export'],
  ['a key for two pads', 'notebook_pads', () => ({ pad_key: 'x' }), 'another scratchpad has the same pad_key'],
  ['tags that are not a list', 'notebook_pads', () => ({ tags: '{}' }), 'notebook_pads.tags is not'],
  ['a duplicate tag', 'notebook_pads', () => ({ cell_tags: '["a","a"]' }), 'notebook_pads.cell_tags is not'],
  ['metadata that is not JSON', 'notebook_cells', () => ({ metadata: '{' }), 'notebook_cells.metadata is not'],
  ['an unknown former language', 'notebook_cell_changes', () => ({ version: 1, language: 'x' }), 'language is not'],
  [
    'former tags that are not a list',
    'notebook_cell_changes',
    ({ tags }) => (tags === null ? {} : { tags: '1' }),
    'tags',
  ],
  ['an unknown language', 'notebook_cells', () => ({ language: 'klingon' }), 'notebook_cells.language is not'],
  [
    'an invalid id',
    'notebook_pads',
    ({ scratch_id }) => ({ scratch_id: `${String(scratch_id)}!` }),
    'notebook_pads.scratch_id is not a valid id',
  ],
  ['an invalid removed pad', 'trash', () => ({ document: '{}' }), 'not a valid removed scratchpad'],
])('rejects %s before it writes anything', async (_what, table, change, why) => {
  const [source, target] = [await openSource(), await openHome()];
  const file = await source.export();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const { counts } = JSON.parse(lines.pop()!) as { counts: Record<string, number> };
  const kept = lines.flatMap((line) => {
    const { t, r } = JSON.parse(line) as { t?: string; r: Record<string, unknown> };
    if (t !== table) return [line];
    const changed = change(r);
    if (changed === undefined) counts[table]! -= 1;
    return changed === undefined ? [] : [JSON.stringify({ t, r: { ...r, ...changed } })];
  });
  const text = kept.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(file, `${text}${JSON.stringify({ end: true, counts, sha256 })}\n`);
  const before = await target.rows(...tables, 'trash', 'changes');
  await expect(target.import(file)).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
    message: expect.stringContaining(why),
  });
  expect(await target.rows(...tables, 'trash', 'changes')).toEqual(before);
});
