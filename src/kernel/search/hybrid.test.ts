import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createSqliteTestStore } from '#tests/contract/storage/sqlite-engine.ts';
import { type Call, toTenantId } from '../call.ts';
import { systemClock } from '../clock/clock.ts';
import type { Embedder } from '../embed/embedder.ts';
import { findModelFiles, openMiniLm } from '../embed/minilm/open-minilm.ts';
import { createIds } from '../ids/ids.ts';
import { createLeases } from '../jobs/leases.ts';
import { systemCall } from '../jobs/system-call.ts';
import { silentLog } from '../log/log.ts';
import type { SearchQuery } from './answer-search.ts';
import { defineCollection, type SearchDocument } from './collection.ts';
import { fuseRankings, fusionK, hybridProfiles, hybridSearch } from './hybrid.ts';
import { createSearchIndex } from './search-index.ts';
import { createSemanticSearch } from './semantic/create-semantic-search.ts';
import { judge, paraphrasedDocuments, paraphrasedQueries } from './semantic/paraphrases.fixture.ts';

const place = await createSqliteTestStore();
const storage = await place.open();
const ids = createIds(systemClock);
const books = defineCollection({ name: 'books', fields: { title: 2, body: 1 }, title: 'title' });
const closes: (() => Promise<void>)[] = [];
let tenantCount = 0;

afterAll(async () => {
  for (const close of closes) await close();
  await storage.close();
  await place.remove();
});

/** Embeds by word, except that the words of a small thesaurus share a direction. */
const thesaurus: Readonly<Record<string, string>> = { feline: 'cat', kitten: 'cat', hound: 'dog' };
const axes = ['cat', 'dog', 'fish', 'bird'];
const thesaurusEmbedder: Embedder = {
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

async function openHybrid(documents: readonly SearchDocument<'title' | 'body'>[], embedder: Embedder | undefined) {
  tenantCount += 1;
  const call: Call = systemCall('test', { tenant: toTenantId(`tenant-${tenantCount}`) });
  const common = { storage, ids, clock: systemClock, log: silentLog };
  const leases = createLeases(common);
  const index = createSearchIndex({ ...common, leases });
  const semantic = createSemanticSearch({
    ...common,
    leases,
    embedder: async () => embedder,
    tenants: async () => [call.tenant],
  });
  closes.push(
    () => semantic.close(),
    () => index.close(),
  );
  const byId = new Map(documents.map((document) => [document.id, document]));
  semantic.provide(books, {
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
    yield* index.put(db, books, ...documents);
    yield* semantic.note(db, books, ...byId.keys());
  });
  await semantic.settle();
  const search = (query: Partial<SearchQuery> & { text: string }) =>
    hybridSearch({ index, semantic, profile: hybridProfiles.notebooks }, call, books, { limit: 10, ...query });
  return { call, index, semantic, search, byId };
}

const book = (id: string, body: string, tag = 'x') => ({ id, fields: { title: `Book ${id}`, body }, facets: { tag } });

const animals = [
  book('a', 'the cat sleeps'),
  book('b', 'a kitten plays', 'y'),
  book('c', 'my dog barks'),
  book('d', 'plain fish'),
  book('e', 'cat and dog', 'y'),
];

const rankedIds = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 10 });
const weight = fc.double({ min: 0.1, max: 2, noNaN: true });
const rankings = fc.record({
  keyword: rankedIds,
  semantic: rankedIds,
  coverage: fc.double({ min: 0, max: 1, noNaN: true }),
});
const weights = fc.record({ keywordWeightMin: fc.constant(0.1), semanticWeight: weight });
const even = { keywordWeightMin: 1, semanticWeight: 1 };
const idsOf = (hits: readonly { readonly id: string }[]) => hits.map(({ id }) => id);

describe('fused rankings', () => {
  test('put an id of both rankings before one that is as high in only one', () => {
    const fused = fuseRankings({ keyword: ['a', 'b'], semantic: ['b', 'c'], coverage: 1 }, hybridProfiles.notebooks);
    expect(idsOf(fused)).toEqual(['b', 'a', 'c']);
    expect(fused[0]).toEqual({ id: 'b', score: 1 / (fusionK + 2) + 0.5 / (fusionK + 1) });
  });

  test('contain every id once, by score and then by id', () => {
    fc.assert(
      fc.property(rankings, weights, (lists, profile) => {
        const fused = fuseRankings(lists, profile);
        expect(idsOf(fused).toSorted()).toEqual([...new Set([...lists.keyword, ...lists.semantic])].toSorted());
        for (let i = 1; i < fused.length; i += 1) {
          const [before, after] = [fused[i - 1]!, fused[i]!];
          expect(before.score > after.score || (before.score === after.score && before.id < after.id)).toBe(true);
        }
      }),
    );
  });

  test('keep the order of a single ranking, and of two that agree', () => {
    fc.assert(
      fc.property(rankedIds, (ranked) => {
        for (const lists of [
          { keyword: ranked, semantic: [] },
          { keyword: [], semantic: ranked },
          { keyword: ranked, semantic: ranked },
        ]) {
          expect(idsOf(fuseRankings({ ...lists, coverage: 1 }, even))).toEqual(ranked);
        }
      }),
    );
  });

  test('never lower an id that rises in one ranking', () => {
    fc.assert(
      fc.property(rankings, weights, fc.nat(9), (lists, profile, at) => {
        const id = lists.keyword[at];
        if (id === undefined || at === 0) return;
        const risen = lists.keyword.with(at, lists.keyword[at - 1]!).with(at - 1, id);
        const rankOf = (keyword: readonly string[]) => idsOf(fuseRankings({ ...lists, keyword }, profile)).indexOf(id);
        expect(rankOf(risen)).toBeLessThanOrEqual(rankOf(lists.keyword));
      }),
    );
  });
});

describe('hybrid search', () => {
  test('ranks word matches first, then similar documents, and leaves out the rest', async () => {
    const { search } = await openHybrid(animals, thesaurusEmbedder);
    const answer = await search({ text: 'cat' });
    expect(answer.hits.map(({ id }) => id)).toEqual(['a', 'e', 'b']);
    expect(answer.embedder).toBe('thesaurus');
    expect(answer.total).toBe(3);
    const [first, , last] = answer.hits;
    expect(first?.keyword?.why).toBeDefined();
    expect(first?.semantic?.similarity).toBeGreaterThan(0.9);
    expect(last).toMatchObject({ keyword: undefined, semantic: { part: 0 } });
    expect(answer.excerpt('Book b\na kitten plays', 0)).toBe('Book b a kitten plays');
  });

  test('finds similar documents for a word that occurs nowhere', async () => {
    const { search } = await openHybrid(animals, thesaurusEmbedder);
    const { hits, hints } = await search({ text: 'feline' });
    expect(hits.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'e']);
    expect(hints).toEqual([]);
  });

  test('ranks similar documents above one stray word of several', async () => {
    const { search } = await openHybrid(animals, thesaurusEmbedder);
    const { hits } = await search({ text: 'feline kitten plain' });
    expect(hits.map(({ id }) => id)).toEqual(['b', 'a', 'e', 'd']);
  });

  test('filters both rankings', async () => {
    const { search } = await openHybrid(animals, thesaurusEmbedder);
    const { hits } = await search({ text: 'cat', filters: [{ key: 'tag', any: ['y'] }] });
    expect(hits.map(({ id }) => id)).toEqual(['e', 'b']);
  });

  test('returns the whole ranking page by page', async () => {
    const many = Array.from({ length: 25 }, (_, i) => book(`p${i}`, i % 2 === 0 ? 'cat' : 'kitten'));
    const { search } = await openHybrid(many, thesaurusEmbedder);
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

  test('loads texts for the page only, and highlights its keyword hits', async () => {
    const { search, byId } = await openHybrid(animals, thesaurusEmbedder);
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
    expect(hits[0]?.keyword?.highlights).toHaveLength(1);
  });

  test('falls back to keyword search without an embedder, and reports it', async () => {
    const { search, index, call } = await openHybrid(animals, undefined);
    const answer = await search({ text: 'cat', limit: 1 });
    const words = await index.search(call, books, { text: 'cat', limit: 1 });
    expect(answer).toMatchObject({ embedder: null, total: words.total, next: words.next });
    expect(answer.hits).toEqual([
      { id: 'a', score: words.hits[0]?.score, keyword: words.hits[0], semantic: undefined },
    ]);
    expect((await search({ text: 'kitty' })).hits).toEqual([]);
  });
});

const files = await findModelFiles();

describe.skipIf(files === undefined)('paraphrased questions', () => {
  test('are answered far better by hybrid than by keyword search', async () => {
    const embedder = await openMiniLm({ batchCount: 16 });
    const { search, index, call } = await openHybrid(paraphrasedDocuments, embedder);
    let byBoth = 0;
    let byWords = 0;
    for (const { query, wanted } of paraphrasedQueries) {
      byBoth += judge(idsOf((await search({ text: query })).hits), wanted);
      byWords += judge(idsOf((await index.search(call, books, { text: query, limit: 10 })).hits), wanted);
    }
    expect(byBoth / paraphrasedQueries.length).toBeGreaterThan(0.75);
    expect(byBoth).toBeGreaterThan(2 * byWords);
  });
});
