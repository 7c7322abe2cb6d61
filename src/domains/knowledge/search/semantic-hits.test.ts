import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import type { Call, TenantId } from '#kernel/call.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { createSimilarityScale } from '#kernel/search/semantic/similarity-scale.ts';
import type { BaseSection } from '../base/base-sections.ts';
import { type BaseVectors, createBaseVectors } from '../base/base-vectors.ts';
import { embedBase } from '../base/vectors-file.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { describeDocs, section } from './docs.fixture.ts';
import { readQuery } from './read-query.ts';
import { createSemanticHits } from './semantic-hits.ts';

/** A lorry is a little like a car. */
function vectorFor(text: string): Float32Array {
  if (/lorry/i.test(text)) return Float32Array.from([0.42, 0, Math.sqrt(1 - 0.42 ** 2)]);
  return Float32Array.from(/automobile|sedan/i.test(text) ? [1, 0, 0] : [0, 1, 0]);
}

/** Knows two topics and records the queries that it embeds. */
function createTopics(id = 'fixture/topics') {
  const asked: string[] = [];
  let isHeld = false;
  const held = new EventEmitter();
  const embedder: Embedder = {
    ...{ id, dimension: 3, partChars: 1_000, batchCount: 8 },
    async embed(texts, { purpose, signal }) {
      if (purpose === 'query') asked.push(...texts);
      else if (isHeld) await once(held, 'over', { signal });
      return texts.map(vectorFor);
    },
    async close() {},
  };
  /** While held, nothing is embedded. */
  function hold(isOn: boolean): void {
    isHeld = isOn;
    held.emit('over');
  }
  return { embedder, asked, hold };
}

const base = [section('v5/hooks#around', { title: 'Around hooks', text: 'An around hook wraps a method.' })];

describeDocs('[KN7] likeness of meaning', (engine) => {
  async function open() {
    const { embedder, asked, hold } = createTopics();
    const fixture = engine.open(base, embedder);
    const tenant = engine.newTenant();
    const docs = fixture.as(tenant);
    await docs.addPage('cars', '1', 'a.md', [
      ['Vehicles', 'All about the automobile.'],
      ['Kitchen', 'Many pots and pans.'],
    ]);
    // The first uncertain query starts the embedding of the documents.
    await docs.find('sedan with four doors');
    await fixture.meaning.settle(tenant);
    asked.length = 0;
    return { fixture, docs, tenant, asked, hold };
  }

  it('finds a section that shares no word with the query', async () => {
    const { docs } = await open();
    const { results, hint } = await docs.find('sedan with four doors');
    expect(results).toMatchObject([
      { title: 'Vehicles', library: 'cars', score: 1, snippet: 'All about the automobile.' },
    ]);
    expect(hint).toBeUndefined();
  });

  it('ends earlier if no word of the query is known, and gives a hint', async () => {
    const { docs } = await open();
    const guessed = await docs.find('xyzzy lorry quux');
    expect(guessed).toMatchObject({ results: [], mode: 'hybrid', hint: expect.stringContaining('Nothing was found') });
    expect((await docs.find('xyzzy lorry quux', { mode: 'meaning' })).results).toMatchObject([
      { title: 'Vehicles', relevance: 0.42 },
    ]);
    const known = await docs.find('lorry pots');
    expect(known.results.map(({ title }) => title).toSorted()).toEqual(['Kitchen', 'Vehicles']);
  });

  it('ranks what has words of the query before the sections of a package that are all alike', async () => {
    const { fixture, docs, tenant } = await open();
    const alike = Array.from({ length: 8 }, (_, i): [string, string] => [`Model ${i}`, 'A type of automobile.']);
    await docs.addPage('cars', '1', 'models.md', alike);
    await docs.find('sedan with four doors');
    await fixture.meaning.settle(tenant);
    const { results } = await docs.find('sedan pots', { library: 'cars' });
    expect(results[0]).toMatchObject({ title: 'Kitchen' });
    expect(results.length).toBe(10);
  });

  it('keeps a section of a package with few words of a long query if its score is good', async () => {
    const { docs } = await open();
    const query = 'sedan windscreen bumper exhaust gearbox pots';
    const { results } = await docs.find(query, { library: 'cars' });
    expect(results.map(({ title }) => title).toSorted()).toEqual(['Kitchen', 'Vehicles']);
    expect(results.find(({ title }) => title === 'Kitchen')!.relevance).toBeLessThan(0.3);
  });

  it('says which ranking was used', async () => {
    const { docs } = await open();
    expect(await docs.find('sedan with four doors')).toMatchObject({ mode: 'hybrid' });
    expect(await docs.find('sedan with four doors', { mode: 'meaning' })).toMatchObject({ mode: 'meaning' });
    expect(await docs.find('automobile', { mode: 'words' })).toMatchObject({ mode: 'words' });
  });

  it('adds to keyword hits and respects library and version', async () => {
    const { docs } = await open();
    const titles = async (more: object = {}) =>
      (await docs.find('sedan with pans around', more)).results.map(({ title }) => title);
    expect(new Set(await titles())).toEqual(new Set(['Around hooks', 'Kitchen', 'Vehicles']));
    expect(new Set(await titles({ version: 'v5' }))).toEqual(new Set(['Around hooks', 'Kitchen', 'Vehicles']));
    expect(await titles({ library: 'feathers' })).toEqual(['Around hooks']);
  });

  it('does not rank a section that is not embedded yet below less fitting ones, and says how many wait', async () => {
    const { fixture, docs, tenant, hold } = await open();
    hold(true);
    await docs.addPage('cars', '1', 'b.md', [['Washing', 'How to wash and polish the doors of anything.']]);
    const query = 'sedan wash polish doors';
    const { results, pending } = await docs.find(query, { library: 'cars' });
    expect(results.map(({ title }) => title)).toEqual(['Washing', 'Vehicles']);
    expect(pending).toBe(1);
    hold(false);
    await fixture.meaning.settle(tenant);
    const later = await docs.find(query, { library: 'cars' });
    expect(later.results.map(({ title }) => title).toSorted()).toEqual(['Vehicles', 'Washing']);
    expect(later.pending).toBeUndefined();
    // Now it is known not to be similar.
    expect(later.results[1]!.score).toBeGreaterThan(results[1]!.score);
  });

  it('embeds a query with the names that docs use for its phrases', async () => {
    const { docs, asked } = await open();
    await docs.find('protect a sedan with a json web token');
    await docs.find('a web page with a token');
    expect(asked).toEqual(['protect a sedan with a json web token jwt', 'a web page with a token']);
  });

  it('counts a synonym as the word that it replaces', async () => {
    const { docs } = await open();
    await docs.addPage('cars', '1', 'c.md', [['jwt', 'Says who may drive.']]);
    const relevanceFor = async (query: string) =>
      (await docs.find(query, { library: 'cars', mode: 'words' })).results.find(({ title }) => title === 'jwt')
        ?.relevance;
    expect(await relevanceFor('json web token')).toBe(1);
    expect(await relevanceFor('json web token windshield')).toBeLessThan(1);
  });

  it('is skipped in mode words, without words, and for a tenant without libraries', async () => {
    const { fixture, docs, asked } = await open();
    await docs.find('around hooks', { mode: 'words' });
    await docs.find('the of');
    await fixture.as(engine.newTenant()).find('sedan with four doors');
    expect(asked).toEqual([]);
    await docs.find('many pots');
    await docs.find('sedan with six doors');
    expect(asked).toEqual(['many pots', 'sedan with six doors']);
  });
});

const motors = [
  ...base,
  section('v5/motors#vehicles', { title: 'Vehicles', text: 'All about the automobile.' }),
  section('v4/motors#old', { title: 'Old vehicles', text: 'All about the first automobile.', version: 'v4' }),
];

async function vectorsOf(sections: readonly BaseSection[], model?: string): Promise<BaseVectors> {
  const { embedder } = createTopics(model);
  const file = await embedBase(sections, undefined, embedder, new AbortController().signal);
  return createBaseVectors([file], new Map(sections.map((one) => [one.id, one])))!;
}

describeDocs('[KN7] likeness of meaning in the base', (engine) => {
  async function open(model?: string) {
    const { embedder, asked } = createTopics();
    const fixture = engine.open(motors, embedder, await vectorsOf(motors, model));
    const tenant = engine.newTenant();
    const docs = fixture.as(tenant);
    const titles = async (query: string, more: object = {}) =>
      (await docs.find(query, more)).results.map(({ title }) => title);
    return { fixture, tenant, docs, titles, asked };
  }

  it('finds base entries of the requested version and embeds the query once', async () => {
    const { titles, asked } = await open();
    expect(await titles('sedan with four doors')).toEqual(['Vehicles']);
    expect(await titles('sedan with four doors', { version: 'v4' })).toEqual(['Old vehicles']);
    expect(await titles('sedan with four doors', { version: 'both' })).toEqual(['Old vehicles', 'Vehicles']);
    expect(asked).toEqual(['sedan with four doors']);
  });

  it('is combined with keyword hits, also when base and index are already open', async () => {
    const { titles } = await open();
    for (let asked = 0; asked < 2; asked += 1) {
      expect(new Set(await titles('sedan around'))).toEqual(new Set(['Around hooks', 'Vehicles']));
    }
  });

  it('ranks base and libraries together with one embedding', async () => {
    const { fixture, tenant, docs, titles, asked } = await open();
    await docs.addPage('cars', '1', 'a.md', [['Driving', 'How to steer an automobile.']]);
    await docs.find('sedan with four doors');
    await fixture.meaning.settle(tenant);
    expect(new Set(await titles('sedan with four doors'))).toEqual(new Set(['Driving', 'Vehicles']));
    expect(asked).toEqual(['sedan with four doors']);
  });

  it('is skipped in mode words', async () => {
    const { docs, asked } = await open();
    await docs.find('around hooks', { mode: 'words' });
    await docs.find('the of');
    expect(asked).toEqual([]);
  });

  it('is skipped for a single word, which gets a hint with similar words', async () => {
    const { docs, asked } = await open();
    const { results, hint } = await docs.find('automobiel');
    expect(results).toEqual([]);
    expect(hint).toContain('automobile');
    expect(asked).toEqual([]);
  });

  it('is skipped if the vectors belong to another model or the embedder is missing', async () => {
    const { titles, asked } = await open('fixture/others');
    expect(await titles('sedan with four doors')).toEqual([]);
    expect(asked).toEqual([]);
    const without = engine.open(motors, undefined, await vectorsOf(motors)).as(engine.newTenant());
    expect((await without.find('sedan with four doors')).results).toEqual([]);
    const off = expect.stringContaining('The embedder is off or failed');
    for (const mode of ['meaning', 'hybrid'])
      expect(await without.find('automobile', { mode })).toMatchObject({ mode: 'words', hint: off });
    const usual = await without.find('automobile');
    expect(usual).toMatchObject({ mode: 'words' });
    expect(usual).not.toHaveProperty('hint');
    expect((await without.find('automobile')).results).toMatchObject([{ title: 'Vehicles' }]);
  });
});

it.each([
  [0, false],
  [1, true],
  [knowledgeLimits.embeddedSectionsCount, true],
  [knowledgeLimits.embeddedSectionsCount + 1, false],
])('with %i library sections, uses semantic search: %s', async (ownCount, isAsked) => {
  let askedCount = 0;
  const addAlike = createSemanticHits({
    base: async () => ({ vectors: () => undefined }),
    meaning: {
      assess: async () => ({ missing: undefined, scale: createSimilarityScale(undefined) }),
      async nearest() {
        askedCount += 1;
        return undefined;
      },
      async vectorOf() {
        askedCount += 1;
        return undefined;
      },
      waiting: async () => ({ count: 0, isMore: false }),
    },
  });
  const answer = {
    hits: [],
    total: 0,
    ownCount,
    next: undefined,
    hints: [],
    leftOutCount: 0,
    filteredCount: 0,
    terms: [],
  };
  const asked = {
    hits: [],
    answer,
    parsed: readQuery('sedan', (word) => word),
    ...({ how: 'substring', mode: 'words' } as const),
    relevanceOf: () => 0,
  };
  const call: Call = {
    ...{ tenant: 'someone' as TenantId, actor: 'ada', scopes: new Set<never>(), tool: 'test', audit: 'none' },
    ...{ signal: new AbortController().signal, deadlineAt: Number.POSITIVE_INFINITY, progress() {} },
  };
  const query = { query: 'sedan', text: 'sedan', limit: 10, maxTokens: 0, offset: 0, until: 10 };
  expect(await addAlike(asked, query, call)).toEqual(isAsked ? { ...asked, missing: 'embedder' } : asked);
  expect(askedCount).toBe(isAsked ? 1 : 0);
});
