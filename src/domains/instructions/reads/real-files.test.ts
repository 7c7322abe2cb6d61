import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#kernel/clock/clock.ts';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { createFeatures } from '#kernel/features/features.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { silentLog } from '#kernel/log/log.ts';
import { createLocalLeases } from '#kernel/search/leases.fixture.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import { createSemanticSearch } from '#kernel/search/semantic/create-semantic-search.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { createCall, createEntry } from '../catalog/memory-catalog.fixture.ts';
import { createRuleRecords } from '../serving/rule-records.ts';
import { createUsage } from '../usage/usage.ts';
import { idsOf, openReads } from './reads.fixture.ts';

/** The reads over a real folder, a real store and real usage counts. */
function openFolder() {
  const home = mkdtempSync(join(tmpdir(), 'fourfold-reads-'));
  const folder = join(home, 'instructions');
  const storage = openSqlite({
    file: join(home, 'store.db'),
    migrations,
    clock: systemClock,
    log: silentLog,
    auditKey: Buffer.alloc(32),
  });
  const ids = createIds(systemClock);
  const parts = { storage, clock: systemClock, log: silentLog };
  const leases = createLocalLeases();
  const search = createSearchIndex({ ...parts, leases, ids });
  const semantic = createSemanticSearch({ ...parts, leases, ids, embedder: async () => createDebugEmbedder() });
  const catalog = createCatalog({
    ...parts,
    search,
    semantic,
    folder,
    tenantsFolder: join(home, 'others'),
    canonicalOff: false,
    readRetries: 0,
    readBackoffMs: 1,
    writeRetries: 0,
    writeBackoffMs: 1,
  });
  const features = createFeatures(undefined);
  const serving = { flush: async () => {}, isOn: () => true };
  const records = createRuleRecords({ storage, clock: systemClock, serving });
  const usage = createUsage({ storage, serving, records, catalog, features, ids, isLimited: false, isClamped: true });
  onTestFinished(async () => {
    await semantic.close();
    await catalog.close();
    await search.close();
    await storage.close();
    rmSync(home, { recursive: true });
  });
  const write = (id: string, text: string) => writeFileSync(join(folder, `${id}.json`), text);
  const add = (...entries: readonly ReturnType<typeof createEntry>[]) =>
    catalog.commit(
      { ...createCall('instructions/add'), audit: 'row' },
      entries.map((after) => ({ id: after.id, before: null, after })),
    );
  return { ...openReads([], { catalog, usage, embeddings: catalog.embeddings }), usage, semantic, write, add };
}

const commits = createEntry({ id: 'commits', title: 'Commit messages', body: 'Say why.', categories: ['git'] });
const tests = createEntry({
  id: 'tests',
  body: 'An uncommitted test does not count.',
  requirement: 'mandatory',
  owner: 'ann',
});

describe('reads over real files', () => {
  it('list, get, search, query and diff agree on what was written', async () => {
    const { ask, add } = openFolder();
    const { hash } = await add(commits, tests);
    expect(await ask('list')).toMatchObject({ hash, count: 2, items: [commits, tests] });
    expect(await ask('get', { id: 'tests' })).toEqual({ hash, item: tests });
    const found = await ask('search', { q: 'commit', highlight: true });
    expect([found['count'], idsOf(found)]).toEqual([2, ['commits', 'tests']]);
    expect(found['highlights']).toMatchObject([
      { id: 'commits', field: 'title' },
      { id: 'tests', field: 'body' },
    ]);
    expect(idsOf(await ask('query', { filters: { categories: ['GIT'] } }))).toEqual(['commits']);
    expect(idsOf(await ask('applicable'))).toEqual(['tests']);
    expect(await ask('diff', { known: [{ id: 'tests', sourceHash: tests.sourceHash }] })).toMatchObject({
      added: [commits],
      updated: [],
    });
    expect(await ask('dir')).toMatchObject({ filesCount: 2, files: ['commits.json', 'tests.json'], problems: [] });
    expect(await ask('categories')).toMatchObject({ totalDistinct: 1, catalogHash: hash });
    expect(await ask('health')).toMatchObject({ status: 'healthy', catalogStats: { totalInstructions: 2 } });
    expect(await ask('inspect', { id: 'tests' })).toMatchObject({ data: { validation: { valid: true } } });
  });

  it('[IN7] get sees an outside edit immediately, and then the list does', async () => {
    const { ask, add, write } = openFolder();
    await add(commits);
    await ask('list');
    write('tests', JSON.stringify({ id: 'tests', body: 'Written by hand.' }));
    expect(await ask('getEnhanced', { id: 'tests' })).toMatchObject({ item: { body: 'Written by hand.' } });
    expect(idsOf(await ask('list', { expectId: 'tests' }))).toEqual(['commits', 'tests']);
    write('tests', JSON.stringify({ id: 'tests', body: 'Written again.' }));
    expect(await ask('get', { id: 'tests' })).toMatchObject({ item: { body: 'Written again.' } });
  });

  it('[IN9] reports an invalid file and still serves all others', async () => {
    const { ask, add, write } = openFolder();
    await add(commits);
    write('broken', '{"id":"broken"');
    expect(await ask('getEnhanced', { id: 'broken' })).toMatchObject({
      notFound: true,
      problem: { file: 'broken.json' },
    });
    expect(await ask('get', { id: 'broken' })).toMatchObject({ notFound: true, id: 'broken' });
    expect(idsOf(await ask('list', { expectId: 'broken' }))).toEqual(['commits']);
    expect(await ask('health')).toMatchObject({ status: 'degraded' });
  });

  it('adds usage counts to entries', async () => {
    const { ask, add, usage } = openFolder();
    await add(commits, tests);
    await usage.track({ id: 'tests' }, { ...createCall('usage/track'), audit: 'none' });
    expect(await ask('get', { id: 'tests' })).toMatchObject({ item: { usageCount: 1 } });
    expect((await ask('list')).items.map(({ usageCount }) => usageCount)).toEqual([undefined, 1]);
    expect(await ask('inspect', { scope: 'usage' })).toMatchObject({ data: { normalized: { usedCount: 1 } } });
  });
});

describe('semantic search over real files', () => {
  const numbered = Array.from({ length: 9 }, (_, i) =>
    createEntry({ id: `e${i}`, title: `Rule ${i}`, body: `Rotate keys ${'often '.repeat(i)}`.trim() }),
  );

  async function openEmbedded() {
    const folder = openFolder();
    await folder.add(commits, tests, ...numbered);
    await folder.ask('search', { q: 'rotate keys', mode: 'semantic' });
    await folder.semantic.settle();
    return folder;
  }

  it('answers the first search by keyword while the catalog is embedded, and the next one semantically', async () => {
    const { ask, add, semantic } = openFolder();
    await add(commits, tests);
    const first = await ask('search', { q: 'uncommitted test', mode: 'semantic' });
    expect(first).toMatchObject({ mode: 'keyword', count: 1, hints: [expect.stringContaining('being embedded')] });
    expect(first).not.toHaveProperty('embedder');
    await semantic.settle();
    const second = await ask('search', { q: 'uncommitted test', mode: 'semantic', limit: 1 });
    expect(second).toMatchObject({ mode: 'semantic', embedder: 'debug-hash-1' });
    expect(second).not.toHaveProperty('hints');
    expect(idsOf(second)).toEqual(['tests']);
  });

  it('hybrid search answers immediately and says that entries are not embedded yet', async () => {
    const { ask, add, semantic } = openFolder();
    await add(commits, tests);
    const first = await ask('search', { q: 'uncommitted', mode: 'hybrid' });
    expect(first).toMatchObject({ mode: 'hybrid', hints: [expect.stringContaining('not embedded yet')] });
    expect(idsOf(first)).toEqual(['tests']);
    await semantic.settle();
    expect(await ask('search', { q: 'uncommitted', mode: 'hybrid' })).not.toHaveProperty('hints');
  });

  it.each(['semantic', 'hybrid'])('pages of mode %s contain each hit once, in the order of the whole', async (mode) => {
    const { ask } = await openEmbedded();
    const whole = await ask('search', { q: 'rotate keys often', mode, limit: 100 });
    expect(whole['count']).toBe(whole.items.length);
    expect(whole.items.length).toBeGreaterThan(6);
    const paged: string[] = [];
    let cursor: unknown;
    do {
      const page = await ask('search', { q: 'rotate keys often', mode, limit: 2, ...(cursor ? { cursor } : {}) });
      expect(page).toMatchObject({ mode, embedder: 'debug-hash-1', count: whole['count'] });
      paged.push(...idsOf(page));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(paged).toEqual(idsOf(whole));
  });

  it('continues a search that began by keyword even after embeddings are available', async () => {
    const { ask, add, semantic } = openFolder();
    await add(...numbered);
    const words = await ask('search', { q: 'rotate', limit: 100 });
    const first = await ask('search', { q: 'rotate', mode: 'semantic', limit: 4 });
    expect(first['mode']).toBe('keyword');
    await semantic.settle();
    const rest = await ask('search', { q: 'rotate', mode: 'semantic', limit: 9, cursor: first['nextCursor'] });
    expect(rest['mode']).toBe('keyword');
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(idsOf(words));
  });

  it('highlights the words of the query in the entries of the page', async () => {
    const { ask } = await openEmbedded();
    const { highlights, items } = await ask('search', { q: 'say why', mode: 'semantic', limit: 1, highlight: true });
    expect(items.map(({ id }) => id)).toEqual(['commits']);
    expect(highlights).toContainEqual(expect.objectContaining({ id: 'commits', field: 'body', snippet: 'Say why.' }));
  });

  it('capabilities lists all modes', async () => {
    const { searchModes } = await openFolder().ask('capabilities');
    expect(searchModes).toEqual(['keyword', 'semantic', 'hybrid']);
  });
});
