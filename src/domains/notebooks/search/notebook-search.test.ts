import { expect, test } from 'vitest';
import { createDebugEmbedder, type Embedder } from '#kernel/embed/embedder.ts';
import { createTokenEmbedder } from '#kernel/embed/token-embedder.fixture.ts';
import { byWordsOnly } from '#kernel/search/hybrid.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { describeOnEngines } from '../notebooks.fixture.ts';
import { notebookDocuments } from './notebook-documents.ts';

interface Hit {
  readonly scratch_id: string;
  readonly cell_id: string | null;
  readonly namespace: string | null;
  readonly tags: readonly string[];
  readonly score: number;
  readonly relevance: number;
  readonly snippet: string;
}

const hitsOf = (answer: ToolAnswer) => answer['hits'] as readonly Hit[];
const locationsOf = (answer: ToolAnswer) =>
  hitsOf(answer).map(({ scratch_id, cell_id }) => `${scratch_id}/${cell_id ?? ''}`);
const codeOf = (answer: ToolAnswer) => (answer['error'] as { code: string } | undefined)?.code;

const cell = (cell_id: string, content: string, more: object = {}) => ({ cell_id, language: 'md', content, ...more });

describeOnEngines('scratch_search', (engine) => {
  async function createPads(ask: (name: string, args: object) => Promise<ToolAnswer>) {
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

  test('finds pads and cells by their words, with their location', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await createPads(ask);
    const answer = await ask('scratch_search', { query: 'gull' });
    expect(answer).toMatchObject({ ok: true, embedder: null, mode: 'words' });
    expect(answer).not.toHaveProperty('hint');
    expect(new Set(locationsOf(answer))).toEqual(new Set(['birds/gull', 'roofs/slate', 'loose/note']));
    const gull = hitsOf(answer).find(({ cell_id }) => cell_id === 'gull');
    expect(gull).toEqual({
      scratch_id: 'birds',
      cell_id: 'gull',
      title: 'Birds of the coast',
      namespace: 'nature',
      tags: ['wild', 'sea'],
      score: expect.any(Number),
      relevance: 1,
      snippet: 'The herring gull nests on roofs.',
    });
    // The title of a pad is also found for its cells, after the pad itself.
    const coast = await ask('scratch_search', { query: 'coast' });
    expect(locationsOf(coast)).toEqual(['birds/', 'birds/gull', 'birds/owl']);
    expect(hitsOf(coast)[0]).toMatchObject({ namespace: 'nature', tags: ['wild'], snippet: 'Birds of the coast' });
    expect(locationsOf(await ask('scratch_search', { query: 'mend' }))).toEqual(['roofs/']);
  });

  test('[NB33] lists the newest cells of tags or namespaces without a query, page by page', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await createPads(ask);
    for (let i = 0; i < 5; i += 1) {
      engine.clock.advance(1_000);
      await ask('scratch_append_cell', {
        scratch_id: 'birds',
        cell: cell(`n${i}`, `Entry ${i}`, { tags: ['urgent'] }),
      });
      await ask('scratch_append_cell', { scratch_id: 'loose', cell: cell(`x${i}`, 'Something else') });
    }
    const find = (part: object) => ask('scratch_search', part);
    const newest = ['birds/n4', 'birds/n3', 'birds/n2', 'birds/n1', 'birds/n0'];
    for (const query of [{}, { query: '' }, { query: '*' }, { query: ' ' }])
      expect(locationsOf(await find({ ...query, tags: ['urgent'] })), JSON.stringify(query)).toEqual(newest);
    expect(hitsOf(await find({ tags: ['urgent'], limit: 1 }))[0]).toMatchObject({
      tags: ['wild', 'urgent'],
      snippet: 'Entry 4',
      relevance: 1,
    });
    expect(locationsOf(await find({ namespaces: ['houses'] }))).toEqual(['roofs/slate']);
    const pages: string[] = [];
    let page = await find({ tags: ['urgent'], limit: 2 });
    for (;;) {
      pages.push(...locationsOf(page));
      if (page['next_cursor'] === undefined) break;
      page = await find({ tags: ['urgent'], limit: 2, cursor: page['next_cursor'] });
    }
    expect(pages).toEqual(newest);
    const none = await find({ tags: ['unheard'] });
    expect([none['hits'], none['hint']]).toEqual([[], expect.stringContaining('scratch_list_tags')]);
    for (const query of [{}, { query: '' }, { tags: [] }])
      expect(JSON.stringify(await find(query)), JSON.stringify(query)).toContain('tags or namespaces');
  });

  test('[NB33] finds a cell by its tag as a word', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await createPads(ask);
    expect(locationsOf(await ask('scratch_search', { query: 'what is about the sea?' }))).toEqual(['birds/gull']);
  });

  test('[NB33] finds nothing for a query without any word, and says why', async () => {
    const { as, meaning } = engine.open({ embedder: createDebugEmbedder() });
    const { ask, tenant } = as(engine.newTenant());
    await createPads(ask);
    await meaning.settle(tenant);
    for (const query of ['the of and', '""', '"""', '?!*()', '*', '--']) {
      const answer = await ask('scratch_search', { query });
      expect([answer['hits'], answer['hint']], query).toEqual([[], expect.stringContaining('no word')]);
    }
  });

  test('filters before it applies the limit', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await createPads(ask);
    for (let i = 0; i < 12; i += 1) {
      await ask('scratch_create', { scratch_id: `n${i}`, cells: [cell('a', 'gull gull gull gull')] });
    }
    const find = async (part: object) => locationsOf(await ask('scratch_search', { query: 'gull', ...part }));
    expect(await find({ namespaces: ['nature'], limit: 1 })).toEqual(['birds/gull']);
    expect((await find({ namespaces: ['nature', 'houses', 'unheard'] })).sort()).toEqual(['birds/gull', 'roofs/slate']);
    expect(await find({ tags: ['sea'] })).toEqual(['birds/gull']);
    expect(await find({ tags: ['wild'], namespaces: ['houses'] })).toEqual([]);
    expect(await find({ tags: [], namespaces: [], limit: 3 })).toHaveLength(3);
    expect(await find({ limit: 50 })).toHaveLength(15);
    expect(await find({})).toHaveLength(notebookLimits.hitsDefaultCount);
  });

  test('finds a namespace under its new name after a rename', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await createPads(ask);
    await ask('scratch_namespace_rename', { old_namespace: 'nature', new_namespace: 'outdoors' });
    expect(hitsOf(await ask('scratch_search', { query: 'owl', namespaces: ['outdoors'] }))).toMatchObject([
      { cell_id: 'owl', namespace: 'outdoors' },
    ]);
    expect(await ask('scratch_search', { query: 'owl', namespaces: ['nature'] })).toMatchObject({
      hits: [],
      hint: expect.stringContaining('scratch_namespace_list'),
    });
  });

  test('gives a hint when nothing is found', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await createPads(ask);
    expect(await ask('scratch_search', { query: 'herrinq' })).toMatchObject({
      hits: [],
      hint: expect.stringContaining('herring'),
    });
    expect(await ask('scratch_search', { query: 'zzzzzz', tags: ['sea'] })).toMatchObject({
      hits: [],
      hint: expect.stringContaining('without namespaces and tags'),
    });
  });

  test('shows a short snippet around the match, however long the cell is', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const content = `${'filler words go on and on. '.repeat(800)}Here is the needle. ${'and on it goes. '.repeat(800)}`;
    await ask('scratch_create', { scratch_id: 'long', cells: [cell('a', content)] });
    const [hit] = hitsOf(await ask('scratch_search', { query: 'needle' }));
    expect(hit?.snippet).toContain('needle');
    expect(hit?.snippet.length).toBeLessThanOrEqual(notebookLimits.snippetChars);
  });

  test('does not find deleted, replaced or reset pads, and finds restored ones', async () => {
    const memory = engine.open();
    const { ask, callOf } = memory.as(engine.newTenant());
    await createPads(ask);
    await ask('scratch_delete', { scratch_id: 'loose' });
    await ask('scratch_create', { scratch_id: 'roofs' });
    await ask('scratch_replace_cell', { scratch_id: 'birds', cell_id: 'gull', cell: cell('gull', 'A heron.') });
    for (const query of ['herring', 'century', 'lunch']) {
      expect(locationsOf(await ask('scratch_search', { query }))).toEqual([]);
    }
    expect(locationsOf(await ask('scratch_search', { query: 'heron' }))).toEqual(['birds/gull']);
    await memory.pads.restore({ scratch_id: 'loose', as: 'found' }, callOf());
    expect(locationsOf(await ask('scratch_search', { query: 'lunch' }))).toEqual(['found/note']);
  });

  test('finds nothing of another tenant by words, meaning, namespace or tag', async () => {
    const memory = engine.open({ embedder: createDebugEmbedder() });
    const ada = memory.as(engine.newTenant());
    const bob = memory.as(engine.newTenant());
    await createPads(ada.ask);
    await memory.meaning.settle(ada.tenant);
    expect(locationsOf(await ada.ask('scratch_search', { query: 'gull' }))).not.toEqual([]);
    for (const part of [{}, { namespaces: ['nature'] }, { tags: ['sea'] }]) {
      const answer = await bob.ask('scratch_search', { query: 'herring gull', ...part });
      expect(hitsOf(answer)).toEqual([]);
      expect(JSON.stringify(answer)).not.toContain('herring');
    }
  });

  /** Knows that voles are rodents; otherwise only exact words match. */
  function createLearnedEmbedder(): Embedder {
    const debug = createDebugEmbedder();
    const embed: Embedder['embed'] = (texts, options) =>
      debug.embed(
        texts.map((text) => text.replaceAll('rodents', 'voles')),
        options,
      );
    return { ...debug, id: 'learned-1', embed };
  }

  test('with a model, answers hybrid hits, names the model, and shows the nearest part', async () => {
    const memory = engine.open({ embedder: createLearnedEmbedder() });
    const { ask, tenant } = memory.as(engine.newTenant());
    await createPads(ask);
    const far = `${'One word after another about nothing in particular. '.repeat(40)}\n\n${'voles '.repeat(150)}`;
    await ask('scratch_create', { scratch_id: 'far', cells: [cell('deep', far)] });
    await ask('scratch_create', { scratch_id: 'named', cells: [cell('word', 'rodents, by name')] });
    await memory.meaning.settle(tenant);
    const answer = await ask('scratch_search', { query: 'rodents', limit: 50 });
    expect(answer).toMatchObject({ mode: 'hybrid', embedder: 'learned-1' });
    const locations = locationsOf(answer);
    expect(locations[0]).toBe('named/word');
    expect(locations).toContain('far/deep');
    // The query shares no word with the text, so only the nearest part can be shown.
    expect(hitsOf(answer).find(({ cell_id }) => cell_id === 'deep')?.snippet).toMatch(/^voles voles/);
    for (const { snippet } of hitsOf(answer)) expect(snippet.length).toBeLessThanOrEqual(notebookLimits.snippetChars);
    expect(await ask('scratch_search', { query: 'rodents', namespaces: ['houses'] })).toMatchObject({
      hits: [],
      mode: 'hybrid',
      hint: expect.any(String),
    });
  });

  test('with a model that gives tokens, ranks a cell first that has the tokens of the query', async () => {
    const inner = createTokenEmbedder();
    // As whole texts all are equally similar, so that only their tokens differ.
    const alike = Float32Array.from({ length: inner.dimension! }, (_, i) => Number(i === 0));
    const embedder: Embedder = {
      ...inner,
      embed: async (texts) => texts.map(() => alike),
      tokens: {
        embedQuery: async (text, signal) => ({
          ...(await inner.tokens!.embedQuery(text.replaceAll('rodents', 'voles'), signal)),
          vector: alike,
        }),
        embedDocuments: async (texts, signal) =>
          (await inner.tokens!.embedDocuments(texts, signal)).map((embedding) => ({ ...embedding, vector: alike })),
      },
    };
    const memory = engine.open({ embedder });
    const { ask, tenant } = memory.as(engine.newTenant());
    for (const [pad, content] of [
      ['a', 'barns of stone'],
      ['b', 'nets and boats'],
      ['c', 'a letter from home'],
      ['d', 'owls hunt voles there'],
      // Fewer items are not compared by their tokens.
      ...Array.from({ length: searchLimits.comparedCount }, (_, i) => [`filler-${i}`, `page ${i} of a book`] as const),
    ] as const) {
      await ask('scratch_create', { scratch_id: pad, cells: [cell('only', content)] });
    }
    await memory.meaning.settle(tenant);
    for (const mode of ['hybrid', 'meaning']) {
      expect(locationsOf(await ask('scratch_search', { query: 'rodents', mode }))[0]).toBe('d/only');
    }
    // No word of the query is in any text.
    expect(hitsOf(await ask('scratch_search', { query: 'rodents', mode: 'words' }))).toEqual([]);
  });

  test('finds a long log that has all words of the query before short cells that have one', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const log = Array.from({ length: 40 }, (_, i) => `12:00:${i} worker ${i} read page ${i} of the export`);
    log[20] = '12:00:20 payments failed with ECONNRESET';
    const notes = [
      'the payments of the spring tour are due on Friday, and Lena has the list of the hotels',
      'the payments form has a second page since May, where people choose the currency',
      'ECONNRESET means that the other side closed the socket while we were still reading',
      log.join('\n'),
    ];
    // Cells without these words between them, because neighbours share their scores.
    const calm = (i: number) =>
      Array.from({ length: 8 }, (_, k) => cell(`calm-${i}-${k}`, 'a calm day without trouble'));
    const cells = notes.flatMap((content, i) => [cell(`note-${i}`, content), ...calm(i)]);
    await ask('scratch_create', { scratch_id: 'logs', cells });
    const answer = await ask('scratch_search', { query: 'ECONNRESET payments', mode: 'words' });
    expect(locationsOf(answer)[0]).toBe('logs/note-3');
  });

  test('falls back to keyword search when the model fails', async () => {
    const silent = {
      ...createDebugEmbedder(),
      embed: async () => {
        throw new Error('no answer');
      },
    };
    const { ask } = engine.open({ embedder: silent }).as(engine.newTenant());
    await createPads(ask);
    const answer = await ask('scratch_search', { query: 'owl' });
    expect(answer).toMatchObject({ mode: 'words', embedder: null, hint: byWordsOnly.failure });
    expect(locationsOf(answer)).toEqual(['birds/owl']);
  });

  test('reports the number of texts that are not yet embedded, with a hint when it finds little', async () => {
    const debug = createLearnedEmbedder();
    // Answers queries immediately; documents wait until the test continues.
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
    expect(none['hint']).toMatch(/^Nothing was found yet\. \d+ texts are waiting to be embedded/);
    const few = await ask('scratch_search', { query: 'voles' });
    expect(hitsOf(few)).toMatchObject([{ pending: true }, { pending: true }]);
    expect(few).toMatchObject({ pending: none['pending'], hint: expect.stringMatching(/^\d+ texts are waiting/) });
    for (const part of [{ query: 'owls' }, { query: 'voles', limit: 1 }]) {
      const answer = await ask('scratch_search', part);
      expect(answer).toMatchObject({ pending: none['pending'] });
      expect(answer).not.toHaveProperty('hint');
    }
    for (const part of [{ namespaces: ['nowhere'] }, { mode: 'words' }]) {
      expect(await ask('scratch_search', { query: 'voles', ...part })).not.toHaveProperty('pending');
    }
    gate.resolve();
    await memory.meaning.settle(tenant);
    const late = await ask('scratch_search', { query: 'rodents' });
    expect(hitsOf(late).length).toBeGreaterThan(0);
    for (const hit of hitsOf(late)) expect(hit).not.toHaveProperty('pending');
    expect(late).not.toHaveProperty('pending');
    expect(late).not.toHaveProperty('hint');
  });

  test('finds a cell by its date, its speaker and the title of its pad', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const say = (cell_id: string, speaker: string, content: string) =>
      cell(cell_id, content, { metadata: { speaker } });
    await ask('scratch_create', {
      scratch_id: 'one',
      metadata: { title: 'Moving house', date: '2026-05-07' },
      cells: [say('a', 'Maya', 'The van comes at nine.'), say('b', 'Jonas', 'The van is full.')],
    });
    await ask('scratch_create', { scratch_id: 'two', metadata: { date: '2026-08-01' }, cells: [cell('a', 'A van.')] });
    const find = async (query: string) => locationsOf(await ask('scratch_search', { query }));
    expect((await find('van May 2026')).slice(0, 2).toSorted()).toEqual(['one/a', 'one/b']);
    expect((await find('van that Jonas has'))[0]).toBe('one/b');
    expect((await find('van for moving house')).slice(0, 2).toSorted()).toEqual(['one/a', 'one/b']);
  });

  test('ranks a cell higher whose neighbours match, also after it was moved', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const cells = ['otter river', 'otter', 'stone', 'stone', 'stone', 'otter'].map((text, i) => cell(`c${i}`, text));
    await ask('scratch_create', { scratch_id: 'pad', cells });
    const find = async () => locationsOf(await ask('scratch_search', { query: 'otter river' }));
    expect(await find()).toEqual(['pad/c0', 'pad/c1', 'pad/c5']);
    await ask('scratch_replace_cell', {
      scratch_id: 'pad',
      cell_id: 'c0',
      cell: cell('c0', 'otter river'),
      new_index: 5,
    });
    expect(await find()).toEqual(['pad/c0', 'pad/c5', 'pad/c1']);
  });

  test('shows the cells before and after a hit', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    const cells = ['one', 'two', 'otter', 'four', 'five', 'six'].map((text, i) => cell(`c${i}`, text));
    await ask('scratch_create', { scratch_id: 'pad', metadata: { title: 'Numbers' }, cells });
    const find = async (context: number) => hitsOf(await ask('scratch_search', { query: 'otter', context }));
    expect(await find(2)).toMatchObject([
      {
        cell_id: 'c2',
        before: [
          { cell_id: 'c0', snippet: 'one' },
          { cell_id: 'c1', snippet: 'two' },
        ],
        after: [
          { cell_id: 'c3', snippet: 'four' },
          { cell_id: 'c4', snippet: 'five' },
        ],
      },
    ]);
    expect((await find(0))[0]).not.toHaveProperty('before');
    expect(hitsOf(await ask('scratch_search', { query: 'numbers', limit: 1, context: 1 }))).toMatchObject([
      { cell_id: null, before: [], after: [] },
    ]);
  });

  test.each(['words', 'hybrid', 'meaning'])('returns all hits in mode %s page by page', async (mode) => {
    const memory = engine.open({ embedder: createLearnedEmbedder() });
    const { ask, tenant } = memory.as(engine.newTenant());
    const cells = Array.from({ length: 12 }, (_, i) => cell(`c${i}`, `voles ${'x '.repeat(i)}`));
    await ask('scratch_create', { scratch_id: 'zoo', cells });
    await memory.meaning.settle(tenant);
    const whole = locationsOf(await ask('scratch_search', { query: 'voles', mode, limit: 50 }));
    expect(whole).toHaveLength(12);
    const pages: string[] = [];
    let cursor: object = {};
    for (;;) {
      const page = await ask('scratch_search', { query: 'voles', mode, limit: 5, ...cursor });
      pages.push(...locationsOf(page));
      if (page['next_cursor'] === undefined) break;
      cursor = { cursor: page['next_cursor'] };
    }
    expect(pages).toEqual(whole);
    const other = await ask('scratch_search', { query: 'owls', mode, ...cursor });
    expect(JSON.stringify(other)).toContain('the cursor belongs to another search');
  });

  test('says when the model does not know the language of the query', async () => {
    const embedder = { ...createLearnedEmbedder(), isEnglish: true };
    const memory = engine.open({ embedder });
    const { ask, tenant } = memory.as(engine.newTenant());
    await ask('scratch_create', { scratch_id: 'haus', cells: [cell('a', 'Die Rechnung für das Haus ist bezahlt.')] });
    await memory.meaning.settle(tenant);
    const german = await ask('scratch_search', { query: 'Wann wurde die Rechnung bezahlt?' });
    expect(locationsOf(german)).toEqual(['haus/a']);
    expect(german).toMatchObject({ mode: 'words', hint: expect.stringContaining('knows English only') });
    expect(await ask('scratch_search', { query: 'when was it paid' })).toMatchObject({ mode: 'hybrid' });
  });

  test('says that words of a long query were ignored', async () => {
    const { ask } = engine.open().as(engine.newTenant());
    await createPads(ask);
    const query = `owl ${Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ')}`;
    const found = await ask('scratch_search', { query });
    expect(found).toMatchObject({ hint: expect.stringContaining('only its first 64 different words') });
    expect(await ask('scratch_search', { query: 'owl '.repeat(100) })).not.toHaveProperty('hint');
  });

  test('answers CONFIG_ERROR when switched off, and writes still work', async () => {
    const { ask } = engine.open({ semanticSearch: false }).as(engine.newTenant());
    await createPads(ask);
    const answer = await ask('scratch_search', { query: 'owl' });
    expect(codeOf(answer)).toBe('CONFIG_ERROR');
    expect(JSON.stringify(answer)).toMatch(/set semanticSearch to true.*SCRATCH_NOTEBOOK_ENABLE_SEMANTIC_SEARCH/);
  });

  test('searches by words when switched off, for a caller inside the program that asks for it', async () => {
    const { search, as } = engine.open({ semanticSearch: false });
    const { ask, callOf } = as(engine.newTenant());
    await createPads(ask);
    const found = await search.find({ query: 'owl', limit: 5, wordsIfOff: true }, callOf());
    expect(found).toMatchObject({ mode: 'words', hits: [{ scratch_id: 'birds', cell_id: 'owl' }] });
  });

  test('rejects blank and overlong queries and limits out of range', async () => {
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

  test('rebuilds both indexes from the store', async () => {
    const memory = engine.open({ embedder: createDebugEmbedder() });
    const { ask, callOf, tenant } = memory.as(engine.newTenant());
    await createPads(ask);
    const many = Array.from({ length: 120 }, (_, i) => cell(`c${i}`, `swift number ${i}`));
    await ask('scratch_create', { scratch_id: 'many', cells: many });
    await memory.meaning.settle(tenant);
    const before = await ask('scratch_search', { query: 'gull', limit: 50 });
    // Emptied first, so that later hits can only come from the store.
    await memory.searchIndex.rebuild(callOf(), notebookDocuments, []);
    await memory.searchIndex.rebuild(callOf(), notebookDocuments);
    expect(await ask('scratch_search', { query: 'gull', limit: 50 })).toEqual(before);
    const found = await memory.searchIndex.search(callOf(), notebookDocuments, { text: 'swift', limit: 1_000 });
    expect(found.total).toBe(120);
  });
});
