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
import { fuseScores, keepRelevant, type ScoredId, type WordScore } from './fuse-scores.ts';
import { compareBest, hybridProfiles, hybridSearch } from './hybrid.ts';
import { toMeaningText } from './meaning-text.ts';
import { createSearchIndex } from './search-index.ts';
import { searchLimits } from './search-limits.ts';
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

async function openHybrid(
  documents: readonly SearchDocument<'title' | 'body'>[],
  embedder: Embedder | undefined,
  pending: readonly SearchDocument<'title' | 'body'>[] = [],
) {
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
  await storage.write(call, (db) => index.put(db, books, ...pending));
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

const idsOf = (hits: readonly { readonly id: string }[]) => hits.map(({ id }) => id);
const { notebooks: profile } = hybridProfiles;

const isEmbedded = () => true;
const word = (id: string, score: number, coverage = 1): WordScore => ({ id, score, coverage, kind: 'words' });
const scored = fc
  .uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 10 })
  .chain((chosen) =>
    fc
      .array(fc.integer({ min: 1, max: 1_000 }), { minLength: chosen.length, maxLength: chosen.length })
      .map((scores) => chosen.map((id, i) => ({ id, score: scores[i]! })).toSorted((a, b) => b.score - a.score)),
  );
const toWords = (hits: readonly ScoredId[]) => hits.map(({ id, score }) => word(id, score));

describe('fused scores', () => {
  test('put an item of both rankings before one that is best in only one', () => {
    const words = [word('a', 8), word('b', 7)];
    const meaning = [
      { id: 'c', score: 0.6 },
      { id: 'b', score: 0.59 },
    ];
    expect(idsOf(fuseScores({ words, meaning, clearCosine: 0.3, isEmbedded }, profile))).toEqual(['b', 'a', 'c']);
  });

  test('contain every item once, by score and then by id', () => {
    fc.assert(
      fc.property(scored, scored, (words, meaning) => {
        const fused = fuseScores({ words: toWords(words), meaning, clearCosine: 0, isEmbedded }, profile);
        expect(idsOf(fused).toSorted()).toEqual([...new Set(idsOf([...words, ...meaning]))].toSorted());
        for (let i = 1; i < fused.length; i += 1) {
          const [before, after] = [fused[i - 1]!, fused[i]!];
          expect(before.score > after.score || (before.score === after.score && before.id < after.id)).toBe(true);
        }
      }),
    );
  });

  test('keep the order of the words without another ranking', () => {
    fc.assert(
      fc.property(scored, (words) => {
        const fused = fuseScores({ words: toWords(words), meaning: [], clearCosine: 0.3, isEmbedded }, profile);
        const scoreOf = new Map(words.map(({ id, score }) => [id, score]));
        for (let i = 1; i < fused.length; i += 1) {
          expect(scoreOf.get(fused[i - 1]!.id)).toBeGreaterThanOrEqual(scoreOf.get(fused[i]!.id)!);
        }
      }),
    );
  });

  test('are numbers above 0 for a single hit and for many that are equally similar', () => {
    const equals = Array.from({ length: 150 }, (_, i) => ({ id: `n${i}`, score: 0.2 }));
    for (const meaning of [equals.slice(0, 1), equals]) {
      const fused = fuseScores({ words: [], meaning, clearCosine: 0.1, isEmbedded }, profile);
      expect(fused).toHaveLength(meaning.length);
      for (const { score } of fused) expect(score).toBeGreaterThan(0);
    }
  });

  test('rank the item that the query names exactly first, however similar others are', () => {
    const words: WordScore[] = [{ id: 'exact', score: 30, coverage: 1, kind: 'exact' }, word('b', 7)];
    const meaning = [{ id: 'b', score: 0.9 }];
    expect(idsOf(fuseScores({ words, meaning, clearCosine: 0.3, isEmbedded }, profile))).toEqual(['exact', 'b']);
  });

  test('trust words less if the best hits have few of them, and meaning less if nothing is clearly similar', () => {
    const first = (coverage: number, cosine: number) =>
      fuseScores(
        { words: [word('a', 8, coverage)], meaning: [{ id: 'b', score: cosine }], clearCosine: 0.4, isEmbedded },
        profile,
      )[0]?.id;
    expect(first(1, 0.2)).toBe('a');
    expect(first(0.3, 0.6)).toBe('b');
  });

  test('add a share of the scores of neighbours, and prefer the named author and the best group', () => {
    const surroundings = new Map([['p/2', { before: ['p/1'], after: ['p/3', undefined] }]]);
    const context = {
      around: surroundings,
      groupOf: (id: string) => id.split('/')[0]!,
      isNamed: (id: string) => id === 'p/3',
    };
    const rankings = { words: [word('p/2', 8), word('q/1', 1)], meaning: [], clearCosine: 0.3, isEmbedded };
    const alone = fuseScores(rankings, profile);
    expect(idsOf(alone)).toEqual(['p/2', 'q/1']);
    const together = fuseScores({ ...rankings, context }, profile);
    expect(idsOf(together)).toEqual(['p/2', 'p/3', 'p/1', 'q/1']);
    const scoreOf = new Map(together.map(({ id, score }) => [id, score]));
    expect(scoreOf.get('p/3')! - scoreOf.get('p/1')!).toBeCloseTo(profile.named);
    expect(scoreOf.get('p/1')).toBeCloseTo(profile.neighbours[0] + profile.group);
  });
});

describe('items without a vector', () => {
  const words = [word('pending', 8), word('known', 4)];
  const meaning = [
    { id: 'known', score: 0.25 },
    { id: 'unrelated', score: 0.2 },
  ];
  const fuse = (isKnown: (id: string) => boolean) =>
    fuseScores({ words, meaning, clearCosine: 0.3, isEmbedded: isKnown }, profile);

  test('rank by their words above what is less similar', () => {
    expect(idsOf(fuse((id) => id !== 'pending'))).toEqual(['pending', 'known', 'unrelated']);
    // Known not to be similar, the same item ranks lower.
    expect(idsOf(fuse(isEmbedded))).toEqual(['known', 'pending', 'unrelated']);
  });

  test('rank below what is clearly similar, if they have few words of the query', () => {
    const first = (coverage: number) => {
      const found = [word('pending', 8, coverage), word('similar', 1, 0.1)];
      const similar = { meaning: [{ id: 'similar', score: 0.5 }], isEmbedded: (id: string) => id === 'similar' };
      return idsOf(fuseScores({ words: found, clearCosine: 0.3, ...similar }, profile))[0];
    };
    expect(first(0.25)).toBe('similar');
    expect(first(1)).toBe('pending');
  });

  test('keep their order by words', () => {
    fc.assert(
      fc.property(scored, (hits) => {
        const rankings = { words: toWords(hits), meaning: [{ id: 'z', score: 0.4 }], clearCosine: 0.3 };
        const fused = idsOf(fuseScores({ ...rankings, isEmbedded: (id) => id === 'z' }, profile));
        const scoreOf = new Map(hits.map(({ id, score }) => [id, score]));
        const scores = fused.filter((id) => id !== 'z').map((id) => scoreOf.get(id)!);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  test('stay in an answer that ends where relevance ends, unless they are known not to be relevant', () => {
    const ranked = [{ id: 'a' }, { id: 'b' }, { id: 'neighbour' }];
    const keep = (isKnown: (id: string) => boolean) =>
      idsOf(
        keepRelevant(ranked, {
          ...{ rankings: { words: [word('a', 8), word('b', 7)], isEmbedded: isKnown }, relevanceMin: 0.3 },
          relevanceOf: (id) => (id === 'a' ? 0.5 : 0.1),
        }),
      );
    expect(keep(isEmbedded)).toEqual(['a']);
    expect(keep(() => false)).toEqual(['a', 'b']);
  });
});

describe('items that are compared token by token', () => {
  const profileWithTokens = hybridProfiles.notebooks.withTokens;
  const meaning = [
    { id: 'a', score: 0.5 },
    { id: 'b', score: 0.48 },
    { id: 'c', score: 0.46 },
    { id: 'd', score: 0.2 },
  ];
  const candidates = ['a', 'b', 'c', 'd'];
  const fuse = (scores: Readonly<Record<string, number>> | undefined) =>
    fuseScores(
      {
        ...{ words: [], meaning, clearCosine: 0.3, isEmbedded },
        late: scores && { candidates, scores: new Map(Object.entries(scores)) },
      },
      profileWithTokens,
    );

  test('rank by both similarities', () => {
    expect(idsOf(fuse(undefined))).toEqual(['a', 'b', 'c', 'd']);
    expect(idsOf(fuse({ a: 0.2, b: 0.3, c: 0.5, d: 0.2 }))).toEqual(['c', 'b', 'a', 'd']);
  });

  test('keep their order if all scores are the same', () => {
    expect(idsOf(fuse({ a: 0.2, b: 0.2, c: 0.2, d: 0.2 }))).toEqual(['a', 'b', 'c', 'd']);
  });

  test('rank fairly without a score: their similarity is used instead', () => {
    expect(idsOf(fuse({ b: 0.3, c: 0.2, d: 0.1 }))[0]).toBe('a');
    // Known to have the lowest score, the same item ranks lower.
    expect(idsOf(fuse({ a: 0.1, b: 0.3, c: 0.2, d: 0.1 }))[0]).toBe('b');
  });
});

describe('the comparison of the best items token by token', () => {
  const best = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  const knowing = (...known: readonly string[]) => ({
    compareTokens: async (asked: readonly string[]) =>
      new Map(asked.filter((id) => known.includes(id)).map((id) => [id, 0.5])),
  });

  test('counts if at least half of them have tokens', async () => {
    const some = Array.from({ length: searchLimits.comparedCount }, (_, i) => ({ id: `${i}` }));
    const all = some.map(({ id }) => id);
    const half = all.slice(all.length / 2);
    expect(await compareBest(some, knowing(...half.slice(1)))).toBeUndefined();
    const late = (await compareBest(some, knowing(...half)))!;
    expect(late.candidates).toEqual(all);
    expect([...late.scores.keys()]).toEqual(half);
  });

  test('does not count among a few items, where it would enlarge small differences', async () => {
    expect(await compareBest(best, knowing(...best.map(({ id }) => id)))).toBeUndefined();
  });

  test('does not count without hits, without an embedder, and with a model without tokens', async () => {
    expect(await compareBest([], knowing())).toBeUndefined();
    expect(await compareBest(best, undefined)).toBeUndefined();
    expect(await compareBest(best, {})).toBeUndefined();
  });

  test('is limited to the first hits', async () => {
    const many = Array.from({ length: 2 * searchLimits.comparedCount }, (_, i) => ({ id: `${i}` }));
    const late = await compareBest(many, knowing(...many.map(({ id }) => id)));
    expect(late?.candidates).toHaveLength(searchLimits.comparedCount);
  });
});

describe('the embedded query', () => {
  const terms = [
    { key: 'maya', docCount: 15 },
    { key: 'leav', docCount: 2 },
    { key: 'flat', docCount: 1 },
  ];

  test('leaves out words that many of the filtered documents have', () => {
    expect(toMeaningText('When did Maya leave the flat?', { filteredCount: 30, terms })).toBe(
      'When did leave the flat?',
    );
    expect(toMeaningText('When did Maya leave the flat?', { filteredCount: 300, terms })).toContain('Maya');
  });

  test('is unchanged among a few documents, inside a compound, and if hardly anything would be left', () => {
    expect(toMeaningText('Maya left flat', { filteredCount: 16, terms })).toBe('Maya left flat');
    expect(toMeaningText('MayaFlat left flat', { filteredCount: 30, terms })).toBe('MayaFlat left flat');
    expect(toMeaningText('Maya leaves', { filteredCount: 30, terms: terms.slice(0, 2) })).toBe('Maya leaves');
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

  test('ends before a document that has one stray word of several and is not similar', async () => {
    const { search } = await openHybrid(animals, thesaurusEmbedder);
    const { hits } = await search({ text: 'feline kitten plain fur' });
    expect(hits.map(({ id }) => id)).toEqual(['b', 'a', 'e']);
  });

  test('ranks a document that is not embedded yet above similar ones that answer less', async () => {
    const last = book('last', 'a bird and a cat in the garden');
    const similar = [book('s1', 'bird'), book('s2', 'the bird'), book('s3', 'kitten')];
    const text = 'bird cat garden';
    const partly = await openHybrid(similar, thesaurusEmbedder, [last]);
    const { hits } = await partly.search({ text });
    expect(idsOf(hits)[0]).toBe('last');
    expect(hits[0]).toMatchObject({ relevance: 1, semantic: undefined });
    const whole = await openHybrid([...similar, last], thesaurusEmbedder);
    expect(idsOf((await whole.search({ text })).hits)[0]).toBe('last');
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
    expect(answer).toMatchObject({
      embedder: null,
      mode: 'words',
      missing: 'embedder',
      total: words.total,
      next: words.next,
    });
    expect(answer.hits).toEqual([
      {
        id: 'a',
        score: words.hits[0]?.score,
        relevance: 1,
        keyword: words.hits[0],
        semantic: undefined,
        isPending: false,
      },
    ]);
    expect((await search({ text: 'kitty' })).hits).toEqual([]);
  });
});

const files = await findModelFiles();

describe.skipIf(files === undefined)('paraphrased questions', () => {
  test('nothing is found for tokens and made-up words that no document has', async () => {
    const embedder = await openMiniLm({ batchCount: 16 });
    const notes = ['Deploy on Fridays only after QA.', 'The cache bug came from a stale key.', 'Maya moved to Lisbon.'];
    const { search } = await openHybrid([book('i', 'Inbox'), ...notes.map((text, i) => book(`n${i}`, text))], embedder);
    const idsFor = async (text: string) => idsOf((await search({ text })).hits);
    for (const text of ['sk_live_4fTz81', 'xyzzy', "' OR 1=1 --", 'b7f3c2a1-99ab', 'the of and', '"""'])
      expect(await idsFor(text), text).toEqual([]);
    expect(await idsFor('who relocated abroad')).toEqual(['n2']);
    expect(await idsFor('release policy at the weekend')).toContain('n0');
    await embedder?.close();
  });

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
