import { expect, test } from 'vitest';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import type { Told } from '#tests/support/family-door.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { notebookDocuments } from './documents.ts';
import { describeOnEngines } from './memory.fixture.ts';

interface Hit {
  readonly scratch_id: string;
  readonly cell_id: string | null;
  readonly namespace: string | null;
  readonly tags: readonly string[];
  readonly score: number;
  readonly snippet: string;
}

const hitsOf = (told: Told) => told['hits'] as readonly Hit[];
const placesOf = (told: Told) => hitsOf(told).map(({ scratch_id, cell_id }) => `${scratch_id}/${cell_id ?? ''}`);
const codeOf = (told: Told) => (told['error'] as { code: string } | undefined)?.code;

const cell = (cell_id: string, content: string, more: object = {}) => ({ cell_id, language: 'md', content, ...more });

describeOnEngines('scratch_search', (engine) => {
  async function plant(ask: (name: string, args: object) => Promise<Told>) {
    await ask('scratch_create', {
      scratch_id: 'birds',
      metadata: { title: 'Birds of the coast', namespace: 'nature', tags: ['wild'] },
      cells: [
        cell('gull', 'The herring gull nests on roofs.', { tags: ['sea'] }),
        cell('owl', 'The barn owl hunts voles at night.', { tags: ['land'] }),
      ],
    });
    await ask('scratch_create', {
      scratch_id: 'roofs',
      metadata: { namespace: 'houses', summary: 'How to mend slate' },
      cells: [cell('slate', 'Roofs of slate last a century. No gull harms them.', { metadata: { title: 'Slate' } })],
    });
    await ask('scratch_create', { scratch_id: 'loose', cells: [cell('note', 'A gull took my lunch.')] });
  }

  test('finds pads and cells by their words, with where they stand', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await plant(ask);
    const told = await ask('scratch_search', { query: 'gull' });
    expect(told).toMatchObject({ ok: true, embedder: null, mode: 'keyword' });
    expect(told).not.toHaveProperty('hint');
    expect(new Set(placesOf(told))).toEqual(new Set(['birds/gull', 'roofs/slate', 'loose/note']));
    const gull = hitsOf(told).find(({ cell_id }) => cell_id === 'gull');
    expect(gull).toEqual({
      scratch_id: 'birds',
      cell_id: 'gull',
      namespace: 'nature',
      tags: ['wild', 'sea'],
      score: expect.any(Number),
      snippet: 'The herring gull nests on roofs.',
    });
    expect(hitsOf(await ask('scratch_search', { query: 'coast' }))).toMatchObject([
      { scratch_id: 'birds', cell_id: null, namespace: 'nature', tags: ['wild'], snippet: 'Birds of the coast' },
    ]);
    expect(placesOf(await ask('scratch_search', { query: 'mend' }))).toEqual(['roofs/']);
  });

  test('filters come before the limit', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await plant(ask);
    for (let i = 0; i < 12; i += 1) {
      await ask('scratch_create', { scratch_id: `n${i}`, cells: [cell('a', 'gull gull gull gull')] });
    }
    const find = async (part: object) => placesOf(await ask('scratch_search', { query: 'gull', ...part }));
    expect(await find({ namespaces: ['nature'], limit: 1 })).toEqual(['birds/gull']);
    expect((await find({ namespaces: ['nature', 'houses', 'unheard'] })).sort()).toEqual(['birds/gull', 'roofs/slate']);
    expect(await find({ tags: ['sea'] })).toEqual(['birds/gull']);
    expect(await find({ tags: ['wild'], namespaces: ['houses'] })).toEqual([]);
    expect(await find({ tags: [], namespaces: [], limit: 3 })).toHaveLength(3);
    expect(await find({ limit: 50 })).toHaveLength(15);
    expect(await find({})).toHaveLength(notebookLimits.hitsDefaultCount);
  });

  test('a namespace is found under its new name after it was renamed', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await plant(ask);
    await ask('scratch_namespace_rename', { old_namespace: 'nature', new_namespace: 'outdoors' });
    expect(hitsOf(await ask('scratch_search', { query: 'owl', namespaces: ['outdoors'] }))).toMatchObject([
      { cell_id: 'owl', namespace: 'outdoors' },
    ]);
    expect(await ask('scratch_search', { query: 'owl', namespaces: ['nature'] })).toMatchObject({
      hits: [],
      hint: expect.stringContaining('scratch_namespace_list'),
    });
  });

  test('where nothing is found there is a hint', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await plant(ask);
    expect(await ask('scratch_search', { query: 'herrinq' })).toMatchObject({
      hits: [],
      hint: expect.stringContaining('herring'),
    });
    expect(await ask('scratch_search', { query: 'zzzzzz', tags: ['sea'] })).toMatchObject({
      hits: [],
      hint: expect.stringContaining('without namespaces and tags'),
    });
  });

  test('a snippet shows the match and is short, however long the cell is', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const content = `${'filler words go on and on. '.repeat(800)}Here is the needle. ${'and on it goes. '.repeat(800)}`;
    await ask('scratch_create', { scratch_id: 'long', cells: [cell('a', content)] });
    const [hit] = hitsOf(await ask('scratch_search', { query: 'needle' }));
    expect(hit?.snippet).toContain('needle');
    expect(hit?.snippet.length).toBeLessThanOrEqual(notebookLimits.snippetChars);
  });

  test('what is deleted, replaced or reset is no longer found, and what is restored is', async () => {
    const memory = engine.open();
    const { ask, callOf } = memory.as(engine.newTenant());
    await plant(ask);
    await ask('scratch_delete', { scratch_id: 'loose' });
    await ask('scratch_create', { scratch_id: 'roofs' });
    await ask('scratch_replace_cell', { scratch_id: 'birds', cell_id: 'gull', cell: cell('gull', 'A heron.') });
    for (const query of ['herring', 'century', 'lunch']) {
      expect(placesOf(await ask('scratch_search', { query }))).toEqual([]);
    }
    expect(placesOf(await ask('scratch_search', { query: 'heron' }))).toEqual(['birds/gull']);
    await memory.pads.restore({ scratch_id: 'loose', as: 'found' }, callOf());
    expect(placesOf(await ask('scratch_search', { query: 'lunch' }))).toEqual(['found/note']);
  });

  test('a tenant finds nothing of another, not by words, meaning, namespace or tag', async () => {
    const memory = engine.open({ embedder: createDebugEmbedder() });
    const ada = memory.as(engine.newTenant());
    const bob = memory.as(engine.newTenant());
    await plant(ada.ask);
    await memory.meaning.settle(ada.tenant);
    expect(placesOf(await ada.ask('scratch_search', { query: 'gull' }))).not.toEqual([]);
    for (const part of [{}, { namespaces: ['nature'] }, { tags: ['sea'] }]) {
      const told = await bob.ask('scratch_search', { query: 'herring gull', ...part });
      expect(hitsOf(told)).toEqual([]);
      expect(JSON.stringify(told)).not.toContain('herring');
    }
  });

  /** Knows that voles are rodents, and else only words. */
  function createLearnedEmbedder(): Embedder {
    const debug = createDebugEmbedder();
    const embed: Embedder['embed'] = (texts, options) =>
      debug.embed(
        texts.map((text) => text.replaceAll('rodents', 'voles')),
        options,
      );
    return { ...debug, id: 'learned-1', embed };
  }

  test('with a model the answer is of both, names the model, and shows the part that was near', async () => {
    const memory = engine.open({ embedder: createLearnedEmbedder() });
    const { ask, tenant } = memory.as(engine.newTenant());
    await plant(ask);
    const far = `${'One word after another about nothing in particular. '.repeat(40)}\n\n${'voles '.repeat(150)}`;
    await ask('scratch_create', { scratch_id: 'far', cells: [cell('deep', far)] });
    await ask('scratch_create', { scratch_id: 'named', cells: [cell('word', 'rodents, by name')] });
    await memory.meaning.settle(tenant);
    const told = await ask('scratch_search', { query: 'rodents', limit: 50 });
    expect(told).toMatchObject({ mode: 'hybrid', embedder: 'learned-1' });
    const places = placesOf(told);
    expect(places[0]).toBe('named/word');
    expect(places).toContain('far/deep');
    // None of its words was asked for: only the part that is alike can be shown.
    expect(hitsOf(told).find(({ cell_id }) => cell_id === 'deep')?.snippet).toMatch(/^voles voles/);
    for (const { snippet } of hitsOf(told)) expect(snippet.length).toBeLessThanOrEqual(notebookLimits.snippetChars);
    expect(await ask('scratch_search', { query: 'rodents', namespaces: ['houses'] })).toMatchObject({
      hits: [],
      mode: 'hybrid',
      hint: expect.any(String),
    });
  });

  test('a model that does not answer leaves the words', async () => {
    const silent = {
      ...createDebugEmbedder(),
      embed: async () => {
        throw new Error('no answer');
      },
    };
    const { ask } = engine.open({ embedder: silent }).as(engine.newTenant());
    await plant(ask);
    const told = await ask('scratch_search', { query: 'owl' });
    expect(told).toMatchObject({ mode: 'keyword', embedder: null });
    expect(placesOf(told)).toEqual(['birds/owl']);
  });

  test('while texts wait to be embedded, a search that finds little says how many', async () => {
    const debug = createLearnedEmbedder();
    // Answers who searches; documents have to wait for as long as the test likes.
    const gate = Promise.withResolvers<void>();
    const slow: Embedder = {
      ...debug,
      async embed(texts, options) {
        if (options.purpose === 'document') await gate.promise;
        return debug.embed(texts, options);
      },
    };
    const memory = engine.open({ embedder: slow });
    const { ask, tenant } = memory.as(engine.newTenant());
    const cells = [cell('a', 'voles'), cell('b', 'voles'), cell('c', 'owls'), cell('d', 'owls'), cell('e', 'owls')];
    await ask('scratch_create', { scratch_id: 'zoo', cells });
    const none = await ask('scratch_search', { query: 'rodents' });
    expect(none).toMatchObject({ mode: 'hybrid', hits: [], pending: expect.any(Number) });
    expect(none['pending']).toBe(6);
    expect(none['hint']).toMatch(/^Nothing was found yet\. \d+ texts wait to be embedded/);
    const few = await ask('scratch_search', { query: 'voles' });
    expect(hitsOf(few)).toHaveLength(2);
    expect(few).toMatchObject({ pending: none['pending'], hint: expect.stringMatching(/^\d+ texts wait/) });
    for (const told of [
      await ask('scratch_search', { query: 'owls' }),
      await ask('scratch_search', { query: 'voles', limit: 1 }),
      await ask('scratch_search', { query: 'voles', namespaces: ['nowhere'] }),
    ]) {
      expect(told).not.toHaveProperty('pending');
    }
    gate.resolve();
    await memory.meaning.settle(tenant);
    const late = await ask('scratch_search', { query: 'rodents' });
    expect(hitsOf(late).length).toBeGreaterThan(0);
    expect(late).not.toHaveProperty('pending');
    expect(late).not.toHaveProperty('hint');
  });

  test('switched off it is a matter of configuration, and writing goes on', async () => {
    const { ask } = engine.open({ semanticSearch: false }).as(engine.newTenant());
    await plant(ask);
    const told = await ask('scratch_search', { query: 'owl' });
    expect(codeOf(told)).toBe('CONFIG_ERROR');
    expect(JSON.stringify(told)).toMatch(/set semanticSearch to true.*SCRATCH_NOTEBOOK_ENABLE_SEMANTIC_SEARCH/);
  });

  test('blank and overlong queries and limits out of range are refused', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    for (const args of [
      {},
      { query: '' },
      { query: ' \n' },
      { query: 'x'.repeat(notebookLimits.queryChars + 1) },
      { query: 'x', limit: 0 },
      { query: 'x', limit: notebookLimits.hitsCount + 1 },
    ]) {
      expect(['VALIDATION_ERROR', 'INVALID_PARAMS']).toContain(codeOf(await ask('scratch_search', args)));
    }
  });

  test('both indexes can be made anew from what is in the store', async () => {
    const memory = engine.open({ embedder: createDebugEmbedder() });
    const { ask, callOf, tenant } = memory.as(engine.newTenant());
    await plant(ask);
    const many = Array.from({ length: 120 }, (_, i) => cell(`c${i}`, `swift number ${i}`));
    await ask('scratch_create', { scratch_id: 'many', cells: many });
    await memory.meaning.settle(tenant);
    const before = await ask('scratch_search', { query: 'gull', limit: 50 });
    // Emptied first: what is found afterwards can only have come from the store.
    await memory.searchIndex.rebuild(callOf(), notebookDocuments, []);
    await memory.searchIndex.rebuild(callOf(), notebookDocuments);
    expect(await ask('scratch_search', { query: 'gull', limit: 50 })).toEqual(before);
    const found = await memory.searchIndex.search(callOf(), notebookDocuments, { text: 'swift', limit: 1_000 });
    expect(found.total).toBe(120);
  });
});
