import { afterAll, describe, expect, test } from 'vitest';
import { createSqliteTestStore } from '#tests/contract/storage/sqlite-engine.ts';
import { type Call, toTenantId } from '../../call.ts';
import { systemClock } from '../../clock/clock.ts';
import type { Embedder } from '../../embed/embedder.ts';
import { findModelFiles, openMiniLm } from '../../embed/minilm/open-minilm.ts';
import { createIds } from '../../ids/ids.ts';
import { createLeases } from '../../jobs/leases.ts';
import { systemCall } from '../../jobs/system-call.ts';
import { silentLog } from '../../log/log.ts';
import { defineCollection, type SearchDocument } from '../collection.ts';
import { createSearchIndex } from '../search-index.ts';
import { createMeaning } from './create-meaning.ts';
import { type HybridQuery, hybridSearch } from './hybrid-search.ts';
import { judge, meantDocuments, meantQueries } from './paraphrases.fixture.ts';

const place = await createSqliteTestStore();
const storage = await place.open();
const ids = createIds(systemClock);
const shelf = defineCollection({ name: 'shelf', fields: { title: 2, body: 1 }, title: 'title' });
const closes: (() => Promise<void>)[] = [];
let tenantCount = 0;

afterAll(async () => {
  for (const close of closes) await close();
  await storage.close();
  await place.remove();
});

/** Where words point is where meaning points, but for the words of a small thesaurus. */
const thesaurus: Readonly<Record<string, string>> = { feline: 'cat', kitten: 'cat', hound: 'dog' };
const axes = ['cat', 'dog', 'fish', 'bird'];
const planted: Embedder = {
  id: 'thesaurus',
  dimension: axes.length,
  partChars: 200,
  batchCount: 8,
  embed: async (texts) =>
    texts.map((text) => {
      const words = text
        .toLowerCase()
        .split(/\W+/)
        .map((word) => thesaurus[word] ?? word);
      const vector = Float32Array.from(axes, (axis) => words.filter((word) => word === axis).length + 0.01);
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    }),
  close: async () => {},
};

async function plant(documents: readonly SearchDocument<'title' | 'body'>[], embedder: Embedder | undefined) {
  tenantCount += 1;
  const call: Call = systemCall('test', { tenant: toTenantId(`tenant-${tenantCount}`) });
  const common = { storage, ids, clock: systemClock, log: silentLog };
  const leases = createLeases(common);
  const index = createSearchIndex({ ...common, leases });
  const meaning = createMeaning({
    ...common,
    leases,
    embedder: async () => embedder,
    tenants: async () => [call.tenant],
  });
  closes.push(
    () => meaning.close(),
    () => index.close(),
  );
  const byId = new Map(documents.map((document) => [document.id, document]));
  meaning.provide(shelf, {
    async texts(_call, asked) {
      return new Map(
        asked.map((id) => {
          const { fields, facets } = byId.get(id)!;
          const text = `${fields.title}\n${fields.body}`;
          return [id, facets === undefined ? { text } : { text, facets }];
        }),
      );
    },
    ids: async () => [],
  });
  await storage.write(call, function* (db) {
    yield* index.put(db, shelf, ...documents);
    yield* meaning.note(db, shelf, ...byId.keys());
  });
  await meaning.settle();
  const search = (query: Partial<HybridQuery> & { text: string }) =>
    hybridSearch({ index, meaning }, call, shelf, { limit: 10, ...query });
  return { call, index, meaning, search, byId };
}

const book = (id: string, body: string, tag = 'x') => ({ id, fields: { title: `Book ${id}`, body }, facets: { tag } });

const books = [
  book('a', 'the cat sleeps'),
  book('b', 'a kitten plays', 'y'),
  book('c', 'my dog barks'),
  book('d', 'plain fish'),
  book('e', 'cat and dog', 'y'),
];

describe('words and meaning together', () => {
  test('what has the word stands first, what means the same is found too, what does neither is not', async () => {
    const { search } = await plant(books, planted);
    const answer = await search({ text: 'cat' });
    expect(answer.hits.map(({ id }) => id)).toEqual(['a', 'e', 'b']);
    expect(answer.embedder).toBe('thesaurus');
    expect(answer.total).toBe(3);
    const [first, , last] = answer.hits;
    expect(first?.words?.why).toBeDefined();
    expect(first?.likeness?.similarity).toBeGreaterThan(0.9);
    expect(last).toMatchObject({ words: undefined, likeness: { part: 0 } });
    expect(answer.excerpt('Book b\na kitten plays', 0)).toBe('Book b a kitten plays');
  });

  test('a word that is nowhere finds what means the same', async () => {
    const { search } = await plant(books, planted);
    const { hits, hints } = await search({ text: 'feline' });
    expect(hits.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'e']);
    expect(hints).toEqual([]);
  });

  test('one stray word of several does not stand above what means the same', async () => {
    const { search } = await plant(books, planted);
    const { hits } = await search({ text: 'feline kitten plain' });
    expect(hits.map(({ id }) => id)).toEqual(['b', 'a', 'e', 'd']);
  });

  test('a filter holds on both sides', async () => {
    const { search } = await plant(books, planted);
    const { hits } = await search({ text: 'cat', filters: [{ key: 'tag', any: ['y'] }] });
    expect(hits.map(({ id }) => id)).toEqual(['e', 'b']);
  });

  test('pages put together are the whole ranking', async () => {
    const many = Array.from({ length: 25 }, (_, i) => book(`p${i}`, i % 2 === 0 ? 'cat' : 'kitten'));
    const { search } = await plant(many, planted);
    const whole = await search({ text: 'cat', limit: 100 });
    expect(whole.hits).toHaveLength(25);
    expect(whole.next).toBeUndefined();
    const pages: string[] = [];
    let page = await search({ text: 'cat', limit: 4 });
    for (;;) {
      expect(page.total).toBe(25);
      pages.push(...page.hits.map(({ id }) => id));
      if (page.next === undefined) break;
      page = await search({ text: 'cat', limit: 4, after: page.next });
    }
    expect(pages).toEqual(whole.hits.map(({ id }) => id));
  });

  test('texts are read for the page only, and its hits by words are highlighted', async () => {
    const { search, byId } = await plant(books, planted);
    const read: string[] = [];
    const { hits } = await search({
      text: 'cat',
      limit: 1,
      async load(asked) {
        read.push(...asked);
        return new Map(asked.map((id) => [id, byId.get(id)!.fields]));
      },
    });
    expect(read).toEqual(['a']);
    expect(hits[0]?.words?.highlights).toHaveLength(1);
  });

  test('without an embedder it goes by words alone and says so', async () => {
    const { search, index, call } = await plant(books, undefined);
    const answer = await search({ text: 'cat', limit: 1 });
    const words = await index.search(call, shelf, { text: 'cat', limit: 1 });
    expect(answer).toMatchObject({ embedder: null, total: words.total, next: words.next });
    expect(answer.hits).toEqual([{ id: 'a', score: words.hits[0]?.score, words: words.hits[0], likeness: undefined }]);
    expect((await search({ text: 'kitty' })).hits).toEqual([]);
  });
});

const files = await findModelFiles();

describe.skipIf(files === undefined)('questions in other words than the answer', () => {
  test('are answered far better by both than by words', async () => {
    const embedder = await openMiniLm({ batchCount: 16 });
    const { search, index, call } = await plant(meantDocuments, embedder);
    let byBoth = 0;
    let byWords = 0;
    for (const { query, wanted } of meantQueries) {
      const idsOf = (hits: readonly { readonly id: string }[]) => hits.map(({ id }) => id);
      byBoth += judge(idsOf((await search({ text: query })).hits), wanted);
      byWords += judge(idsOf((await index.search(call, shelf, { text: query, limit: 10 })).hits), wanted);
    }
    expect(byBoth / meantQueries.length).toBeGreaterThan(0.75);
    expect(byBoth).toBeGreaterThan(2 * byWords);
  });
});
