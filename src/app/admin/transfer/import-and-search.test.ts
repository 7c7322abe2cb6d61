import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createNotebooksFixture } from '#domains/notebooks/notebooks.fixture.ts';
import { notebookDocuments } from '#domains/notebooks/search/notebook-documents.ts';
import { localTenant } from '#kernel/call.ts';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { migrations } from '#migrations/all.ts';
import { openCatalog, toEntry } from '#tests/contract/catalog/open-catalog.fixture.ts';
import { createCall } from '#tests/contract/storage/call.ts';
import type { Engine } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { clock, tempFolder } from './export.fixture.ts';
import { exportTenant } from './export-tenant.ts';
import { type ImportMode, importTenant, searchedCollections } from './import-tenant.ts';
import { createInstructionFiles } from './instruction-files.ts';

async function findPads(ask: (name: string, args: unknown) => Promise<object>, query: string) {
  const { hits } = (await ask('scratch_search', { query })) as { hits: { scratch_id: string; cell_id: unknown }[] };
  return hits.map(({ scratch_id, cell_id }) => `${scratch_id}${cell_id === null ? '' : '/cell'}`).toSorted();
}

/** A data folder with a running server. */
async function openHome(engine: Engine) {
  const place = await engine.create();
  const storage = await place.open({ migrations, clock });
  const top = tempFolder();
  const folders = { folder: join(top, 'instructions'), tenantsFolder: join(top, 'tenants') };
  const memory = createNotebooksFixture({ storage, embedder: createDebugEmbedder() });
  const { catalog, close } = openCatalog(storage, folders);
  onTestFinished(async () => {
    await close();
    await memory.close();
    await storage.close();
    await place.remove();
  });
  const { ask } = memory.as(localTenant);
  const shared = { migrations, clock, storage, instructionFiles: createInstructionFiles(folders) };
  return {
    ask,
    memory,
    write: (id: string, body: string) =>
      catalog.commit(createCall(localTenant), [{ id, before: null, after: toEntry({ id, body }) }]),
    findPads: (query: string) => findPads(ask, query),
    async findRules(text: string) {
      // Watching a folder takes time; a store is checked at every query.
      if (storage.capabilities.isLocal) await catalog.reload(createCall(localTenant));
      const { hits } = await catalog.search(createCall(localTenant), { text, limit: 10 });
      return hits.map(({ id }) => id).toSorted();
    },
    exportTo: (to: string) => exportTenant({ ...shared, program: '1.2.3', tenant: localTenant, to }),
    importFrom: (from: string, mode: ImportMode = 'fail') =>
      importTenant({ ...shared, from, mode, tenant: localTenant, searched: searchedCollections }),
  };
}

describe.each([sqliteEngine(false), postgresEngine(false)])('imported rows on $name', (engine) => {
  test('are found by keyword and semantic search, also by a server that was running', async () => {
    const [one, two] = [await openHome(sqliteEngine(false)), await openHome(engine)];
    const cells = [{ language: 'md', content: 'mangos ripen slowly' }];
    await one.ask('scratch_create', { scratch_id: 'fruit', metadata: { title: 'Orchard ledger' }, cells });
    await one.write('pears', 'Pears are picked before they are ripe.');
    expect(await two.findPads('orchard')).toEqual([]);
    expect(await two.findRules('pears')).toEqual([]);
    const file = join(tempFolder(), 'one');
    await one.exportTo(file);
    await two.importFrom(file);

    // The title of a pad finds its cells too.
    expect(await two.findPads('orchard')).toEqual(['fruit', 'fruit/cell']);
    expect(await two.findPads('mangos')).toEqual(['fruit/cell']);
    expect(await two.findRules('pears')).toEqual(['pears']);
    const late = await openAgain(two);
    expect(await late.findPads('mangos')).toEqual(['fruit/cell']);

    await two.memory.meaning.settle(localTenant);
    const progress = await two.memory.meaning.progress(two.memory.as(localTenant).callOf(), notebookDocuments);
    expect(progress).toMatchObject({ embedded: 2, pending: 0 });
  });

  test('that replace others are found with their new text and vectors', async () => {
    const [one, two] = [await openHome(sqliteEngine(false)), await openHome(engine)];
    const file = join(tempFolder(), 'one');
    await one.ask('scratch_create', { scratch_id: 'fruit', metadata: { title: 'Orchard ledger' } });
    await one.write('pears', 'Pears are picked before they are ripe.');
    await one.exportTo(file);
    await two.ask('scratch_create', { scratch_id: 'fruit', metadata: { title: 'Harbour diary' } });
    await two.write('pears', 'Quinces are cooked.');
    await two.memory.meaning.settle(localTenant);
    expect(await two.findPads('harbour')).toEqual(['fruit']);
    expect(await two.findRules('quinces')).toEqual(['pears']);
    await two.importFrom(file, 'replace');
    await two.memory.meaning.settle(localTenant);
    expect(await two.findPads('orchard')).toEqual(['fruit']);
    expect(await two.findPads('harbour')).toEqual([]);
    expect([await two.findRules('pears'), await two.findRules('quinces')]).toEqual([['pears'], []]);
  });
});

/** A server that starts after the import. */
async function openAgain({ memory: { storage } }: Awaited<ReturnType<typeof openHome>>) {
  const memory = createNotebooksFixture({ storage });
  onTestFinished(() => memory.close());
  return { findPads: (query: string) => findPads(memory.as(localTenant).ask, query) };
}

test('an import marks every declared collection as outdated', () => {
  const declared = readdirSync('src/domains', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/test|fixture/.test(name))
    .flatMap((name) => [
      ...readFileSync(join('src/domains', name), 'utf8').matchAll(/defineCollection\(\{\s*name: '(\w+)'/g),
    ])
    .map(([, name]) => String(name));
  // The tools are the program's own: no store has them.
  const stored = declared.filter((name) => name !== 'tools');
  expect(stored.toSorted()).toEqual(searchedCollections.map(({ name }) => name).toSorted());
});
