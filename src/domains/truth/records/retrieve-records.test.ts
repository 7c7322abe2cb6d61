import { expect, test } from 'vitest';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { markIndexesOutdated } from '#kernel/search/mark-outdated.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { recordDocuments } from './record-documents.ts';
import { describeRecords } from './records.fixture.ts';
import { propertyKey, toFacets } from './rules/properties.ts';

const embed = async (text: string): Promise<readonly number[]> => {
  const [vector] = await createDebugEmbedder().embed([text], {
    signal: new AbortController().signal,
    purpose: 'query',
  });
  return [...vector!];
};

describeRecords('retrieving records', (engine) => {
  const openWith = (options: Parameters<typeof engine.open>[0] = {}) => {
    const fixture = engine.open(options);
    return { fixture, ...fixture.as(engine.newTenant()) };
  };
  const open = () => openWith({ embedder: createDebugEmbedder() });

  test('filters by equal property values, ignoring the key order of nested ones', async () => {
    const { store, find, retrieve } = openWith();
    const one = await store({ type: 'a', properties: { n: 1, who: { first: 'A', last: 'B' }, list: [1, 2] } });
    const two = await store({ type: 'b', properties: { n: 1, who: { first: 'A' }, list: [2, 1] } });
    expect(await find({ properties: { who: { last: 'B', first: 'A' } } })).toEqual([one.id]);
    expect(await find({ properties: { list: [2, 1] } })).toEqual([two.id]);
    expect((await find({ properties: { n: 1 } })).toSorted()).toEqual([one.id, two.id].sort());
    expect(await retrieve({ properties: { n: 1 }, type: 'b' })).toEqual({ records: [two], total: 1 });
    expect(await find({ properties: { n: 1.0, list: [1, 2] } })).toEqual([one.id]);
    for (const none of [{ n: '1' }, { n: 2 }, { n: null }, { missing: 1 }, { n: 1, list: [3] }]) {
      expect(await retrieve({ properties: none })).toEqual({ records: [], total: 0 });
    }
  });

  test('gives the same order and totals for common and rare values', async () => {
    const { fixture, store, retrieve, callOf } = openWith();
    const count = truthLimits.selectiveCount + 5;
    const rare = await store({ type: 'a', properties: { common: true, rare: 1 } });
    for (let at = 1; at < count; at += 50) {
      await fixture.storage.write(callOf(), function* (db) {
        for (let i = at; i < Math.min(at + 50, count); i += 1) {
          const id = `0000-${String(i).padStart(5, '0')}`;
          yield* fixture.records.writer.insert(db, {
            id,
            type: 'a',
            properties: { common: true, even: i % 2 === 0 },
            fileUrls: [],
          });
        }
      });
    }
    expect((await retrieve({ properties: { common: true } })).total).toBe(count);
    expect(await retrieve({ properties: { common: true, rare: 1 } })).toEqual({ records: [rare], total: 1 });
    const even = await retrieve({ properties: { common: true, even: true }, type: 'a', limit: 3 });
    expect(even.records.map(({ id }) => id)).toEqual(['0000-00002', '0000-00004', '0000-00006']);
    expect(even.total).toBe(Math.floor((count - 1) / 2));
    const common = await retrieve({ properties: { common: true }, limit: 2, offset: 1 });
    expect(common.records.map(({ id }) => id)).toEqual(['0000-00002', '0000-00003']);
  });

  test('finds words of strings at every depth and of the type immediately, but not property names or numbers', async () => {
    const { store, update, find, retrieve } = openWith();
    const one = await store({
      type: 'invoice',
      properties: { vendor: { name: 'Zephyr Ltd' }, lines: ['a', ['teapot']] },
    });
    const by = (...search: string[]) => find({ search, search_mode: 'keyword' });
    expect(await by('zephyr')).toEqual([one.id]);
    expect(await by('teapot')).toEqual([one.id]);
    expect(await by('invoice')).toEqual([one.id]);
    expect(await by('vendor')).toEqual([]);
    await update({ id: one.id, properties: { lines: [], note: 'kettle' } });
    expect(await by('teapot')).toEqual([]);
    expect(await by('nothing', 'kettle')).toEqual([one.id]);
    const two = await store({ type: 'receipt', properties: { note: 'kettle kettle' } });
    expect(await by('kettle')).toEqual([two.id, one.id]);
    const found = await retrieve({ search: ['kettle'], search_mode: 'keyword', type: 'invoice' });
    expect(found).toMatchObject({ total: 1, search_mode_used: 'keyword' });
    expect(found.records[0]).not.toHaveProperty('similarity');
    expect((await retrieve({ search: ['kettle'], search_mode: 'keyword', limit: 1 })).total).toBe(2);
  });

  test('applies property filters to a search', async () => {
    const { store, find, retrieve } = open();
    const wide = Object.fromEntries(Array.from({ length: truthLimits.facetsCount + 1 }, (_, i) => [`p${i}`, i]));
    const ids: string[] = [];
    for (let i = 0; i < 6; i += 1) {
      const { id } = await store({
        type: 'n',
        properties: { note: 'kettle', even: i % 2 === 0, ...(i === 0 && wide) },
      });
      ids.push(id);
    }
    const found = await retrieve({ search: ['kettle'], search_mode: 'keyword', properties: { even: true } });
    expect(found.total).toBe(3);
    expect(found.records.map(({ id }) => id).toSorted()).toEqual([ids[0]!, ids[2]!, ids[4]!].sort());
    expect(await find({ search: ['kettle'], search_mode: 'keyword', properties: { even: true, p7: 7 } })).toEqual([
      ids[0],
    ]);
  });

  test('neither finds nor counts a property that only collides in the index', async () => {
    const { store, retrieve } = openWith();
    const facetOf = (n: number) => JSON.stringify(toFacets('', [propertyKey('n', n)]));
    let twin = 1;
    while (facetOf(twin) !== facetOf(0)) twin += 1;
    const { id } = await store({ type: 'n', properties: { note: 'kettle', n: 0 } });
    await store({ type: 'n', properties: { note: 'kettle', n: twin } });
    const found = await retrieve({ search: ['kettle'], search_mode: 'keyword', properties: { n: 0 } });
    expect(found.records.map((record) => record.id)).toEqual([id]);
    expect(found.total).toBe(1);
  });

  test('semantic search returns records above the threshold with their similarity, best first', async () => {
    const { fixture, tenant, store, retrieve } = open();
    const near = await store({ type: 'n', properties: { text: 'red green blue' } });
    const half = await store({ type: 'n', properties: { text: 'red green black white grey pink' } });
    await fixture.meaning.settle(tenant);
    const ask = (similarity_threshold: number) =>
      retrieve({ search: ['red green blue'], search_mode: 'semantic', similarity_threshold });
    const all = await ask(0.3);
    expect(all.records.map(({ id }) => id)).toEqual([near.id, half.id]);
    expect(all).toMatchObject({ total: 2, search_mode_used: 'semantic' });
    const [first, second] = all.records.map(({ similarity }) => similarity!);
    expect(first).toBeGreaterThan(second!);
    expect((await ask(second! + 0.001)).records.map(({ id }) => id)).toEqual([near.id]);
    expect(await ask(1)).toMatchObject({ records: [], total: 0 });
  });

  test('`both` combines keyword and semantic hits and shows similarities', async () => {
    const { fixture, tenant, store, retrieve } = open();
    const both = await store({ type: 'n', properties: { text: 'red green blue' } });
    const word = await store({ type: 'n', properties: { text: `red ${'filler words that pull away '.repeat(20)}` } });
    await fixture.meaning.settle(tenant);
    const found = await retrieve({ search: ['red green blue'] });
    expect(found).toMatchObject({ total: 2, search_mode_used: 'both' });
    expect(found.records.map(({ id }) => id)).toEqual([both.id, word.id]);
    expect(found.records[0]?.similarity).toBeGreaterThan(0.7);
    expect(found.records[1]).not.toHaveProperty('similarity');
    expect(await retrieve({ search: ['red green blue'] })).toEqual(found);
  });

  test('counts keyword and vector hits in one answer', async () => {
    const { store, retrieve } = openWith();
    const word = await store({ type: 'n', properties: { text: 'kettle' } });
    const near = await store({ type: 'n', properties: { text: 'other' }, embedding: [1, 1] });
    const found = await retrieve({ search: ['kettle'], query_embedding: [1, 1] });
    expect(found.records.map(({ id }) => id).toSorted()).toEqual([word.id, near.id].sort());
    expect(found).toMatchObject({ total: 2, search_mode_used: 'both' });
  });

  test('rebuilds an outdated index from the records', async () => {
    const { fixture, store, find, callOf } = openWith();
    const { id } = await store({ type: 'n', properties: { text: 'kettle' } });
    await fixture.storage.write({ ...callOf(), audit: 'none' }, (db) => markIndexesOutdated(db, [recordDocuments]));
    expect(await find({ search: ['kettle'], search_mode: 'keyword' })).toEqual([id]);
  });

  test('reports records that wait for their embedding, and finds them by keyword', async () => {
    const { store, retrieve } = open();
    await store({ type: 'n', properties: { text: 'red green blue' } });
    const semantic = await retrieve({ search: ['red green blue'], search_mode: 'semantic' });
    expect(semantic.records).toEqual([]);
    expect(semantic.hint).toContain('not embedded yet');
    expect((await retrieve({ search: ['red green blue'] })).records).toHaveLength(1);
  });

  test('falls back to keyword search without a model and reports it', async () => {
    const { store, retrieve } = openWith();
    const { id } = await store({ type: 'n', properties: { text: 'red' } });
    for (const search_mode of ['semantic', 'both']) {
      const found = await retrieve({ search: ['red'], search_mode });
      expect(found.records.map((record) => record.id)).toEqual([id]);
      expect(found).toMatchObject({
        search_mode_used: 'keyword',
        hint: expect.stringContaining('Only keyword search'),
      });
    }
    expect(await retrieve({ search: ['red'], search_mode: 'keyword' })).not.toHaveProperty('hint');
    expect(await retrieve({ query_embedding: [1, 2] })).toMatchObject({ records: [], total: 0 });
  });

  test('does not return a record by an outdated type or property in the semantic index', async () => {
    const { fixture, tenant, store, update, retrieve } = open();
    const { id } = await store({ type: 'old', properties: { text: 'red green blue', state: 'open' } });
    await fixture.meaning.settle(tenant);
    await update({ id, type: 'new', properties: { state: 'paid' } });
    const ask = (args: object) => retrieve({ search: ['red green blue'], search_mode: 'semantic', ...args });
    expect((await ask({ type: 'old' })).records).toEqual([]);
    expect((await ask({ properties: { state: 'open' } })).records).toEqual([]);
    expect((await ask({})).records).toHaveLength(1);
    await fixture.meaning.settle(tenant);
    expect((await ask({ type: 'new', properties: { state: 'paid' } })).records).toHaveLength(1);
  });

  test('compares query_embedding with the vectors of the model', async () => {
    const { fixture, tenant, store, retrieve, ask } = open();
    const { id } = await store({ type: 'n', properties: { text: 'red green blue' } });
    await fixture.meaning.settle(tenant);
    const query_embedding = await embed('n red green blue');
    const found = await retrieve({ query_embedding });
    expect(found.records.map((record) => record.id)).toEqual([id]);
    expect(found.records[0]?.similarity).toBeGreaterThan(0.99);
    expect(found.search_mode_used).toBe('semantic');
    const answer = await ask('retrieve_records', { query_embedding: query_embedding.slice(1) });
    expect(answer.error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('64 numbers') });
  });

  test('compares query_embedding exactly with embeddings supplied with records, even without a model', async () => {
    for (const options of [{}, { embedder: createDebugEmbedder() }]) {
      const { store, update, retrieve, ask, remove } = openWith(options);
      const a = await store({ type: 'n', properties: { k: 1 }, embedding: [1, 0, 0] });
      const b = await store({ type: 'n', properties: { k: 2 }, embedding: [3, 4, 0] });
      await store({ type: 'n', properties: {}, embedding: [1, 0, 0, 0] });
      const near = (args: object = {}) => retrieve({ query_embedding: [2, 0, 0], similarity_threshold: 0.5, ...args });
      expect((await near()).records.map(({ id, similarity }) => [id, similarity])).toEqual([
        [a.id, 1],
        [b.id, 0.6],
      ]);
      // Differs from the threshold by less than the rounding of the index.
      expect((await near({ similarity_threshold: 0.62 })).records.map(({ id }) => id)).toEqual([a.id]);
      expect((await near({ limit: 1, offset: 1 })).records.map(({ id }) => id)).toEqual([b.id]);
      expect((await near({ similarity_threshold: 1 })).records.map(({ id }) => id)).toEqual([a.id]);
      expect((await near({ properties: { k: 2 } })).records.map(({ id }) => id)).toEqual([b.id]);
      expect((await near({ type: 'm' })).total).toBe(0);
      expect((await ask('retrieve_records', { query_embedding: [1, 2] })).error?.code).toBe('VALIDATION_ERROR');
      await update({ id: b.id, properties: { k: 3 } });
      expect((await near({ properties: { k: 3 } })).records.map(({ id }) => id)).toEqual([b.id]);
      await update({ id: b.id, embedding: [0, 1, 0] });
      expect((await near()).records.map(({ id }) => id)).toEqual([a.id]);
      await remove(a.id);
      expect((await near()).total).toBe(0);
    }
  });

  test("uses the better of a record's two similarities", async () => {
    const { fixture, tenant, store, retrieve } = open();
    const query = await embed('n red green blue');
    const own = await embed('n red entirely');
    const { id } = await store({ type: 'n', properties: { text: 'red green blue' }, embedding: own });
    await fixture.meaning.settle(tenant);
    for (const query_embedding of [query, own]) {
      const found = await retrieve({ query_embedding, similarity_threshold: 0.9 });
      expect(found.records.map((record) => record.id)).toEqual([id]);
      expect(found.total).toBe(1);
    }
    const exact = await retrieve({ query_embedding: own, similarity_threshold: 0 });
    expect(exact.records[0]?.similarity).toBe(1);
  });

  test('reports an unreadable index as SEARCH_FAILED for a search and DB_QUERY_FAILED for a list', async () => {
    const broken: Storage = {
      ...engine.storage(),
      read: async () => {
        throw faults.STORE_UNAVAILABLE({ why: 'the disk is gone' });
      },
    };
    const { ask } = openWith({ indexStorage: broken });
    const answer = await ask('retrieve_records', { search: ['x'], search_mode: 'keyword' });
    expect(answer.error).toMatchObject({ code: 'SEARCH_FAILED', trace_id: 'trace' });
    expect((await ask('retrieve_records', {})).error).toBeUndefined();
  });
});
