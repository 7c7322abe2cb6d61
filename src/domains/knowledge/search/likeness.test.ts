import { expect, it } from 'vitest';
import type { Call, TenantId } from '#kernel/call.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { createLikeness } from './likeness.ts';
import { describeDocs, passage } from './planted-docs.ts';
import { readQuery } from './read-query.ts';
import { docSearchLimits } from './search-limits.ts';

/** Knows two topics, and counts the questions that it is asked. */
function createTopics() {
  const asked: string[] = [];
  const embedder: Embedder = {
    ...{ id: 'planted/topics', dimension: 2, partChars: 1_000, batchCount: 8 },
    async embed(texts, { purpose }) {
      if (purpose === 'query') asked.push(...texts);
      return texts.map((text) => Float32Array.from(/automobile|sedan/i.test(text) ? [1, 0] : [0, 1]));
    },
    async close() {},
  };
  return { embedder, asked };
}

const base = [passage('v5/hooks#around', { title: 'Around hooks', text: 'An around hook wraps a method.' })];

describeDocs('[KN7] likeness of meaning', (engine) => {
  async function open() {
    const { embedder, asked } = createTopics();
    const planted = engine.open(base, embedder);
    const tenant = engine.newTenant();
    const docs = planted.as(tenant);
    await docs.take('cars', '1', 'a.md', [
      ['Vehicles', 'All about the automobile.'],
      ['Kitchen', 'Pots and pans.'],
    ]);
    // The first question of doubt has the documents embedded.
    await docs.find('sedan with four doors');
    await planted.meaning.settle(tenant);
    asked.length = 0;
    return { planted, docs, asked };
  }

  it('finds what no word of the question names', async () => {
    const { docs } = await open();
    const { results, hint } = await docs.find('sedan with four doors');
    expect(results).toMatchObject([
      { title: 'Vehicles', library: 'cars', score: 1, snippet: 'All about the automobile.' },
    ]);
    expect(hint).toBeUndefined();
  });

  it('stands beside what a few words find, and keeps to the library and version asked for', async () => {
    const { docs } = await open();
    const titles = async (more: object = {}) =>
      (await docs.find('a sedan with five doors and pans to drive around', more)).results.map(({ title }) => title);
    expect(new Set(await titles())).toEqual(new Set(['Around hooks', 'Kitchen', 'Vehicles']));
    expect(await titles({ version: 'v5' })).toEqual(['Around hooks']);
    expect(await titles({ library: 'feathers' })).toEqual(['Around hooks']);
  });

  it('is not asked for where the words are all there, where there are none, nor by a tenant without a library', async () => {
    const { planted, docs, asked } = await open();
    await docs.find('around hooks');
    await docs.find('the of');
    await planted.as(engine.newTenant()).find('sedan with four doors');
    expect(asked).toEqual([]);
    await docs.find('sedan with six doors');
    expect(asked).toEqual(['sedan with six doors']);
  });
});

it.each([
  [0, false],
  [1, true],
  [docSearchLimits.embeddedSectionsCount, true],
  [docSearchLimits.embeddedSectionsCount + 1, false],
])('with %i sections meaning is asked: %s', async (sectionsCount, isAsked) => {
  let askedCount = 0;
  const addAlike = createLikeness({
    libraries: { sectionsCount: async () => sectionsCount },
    meaning: {
      async nearest() {
        askedCount += 1;
        return undefined;
      },
    },
  });
  const answer = { hits: [], total: 0, next: undefined, hints: [], leftOutCount: 0 };
  const asked = { hits: [], answer, parsed: readQuery('sedan', (word) => word), how: 'substring' as const };
  const call: Call = {
    ...{ tenant: 'someone' as TenantId, actor: 'ada', scopes: new Set<never>(), tool: 'test', audit: 'none' },
    ...{ signal: new AbortController().signal, deadlineAt: Number.POSITIVE_INFINITY, progress() {} },
  };
  expect(await addAlike(asked, { query: 'sedan', limit: 10 }, call)).toBe(asked);
  expect(askedCount).toBe(isAsked ? 1 : 0);
});
