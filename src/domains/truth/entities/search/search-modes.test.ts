import { expect, test } from 'vitest';
import { createDebugEmbedder, type Embedder } from '#kernel/embed/embedder.ts';
import type { RetrieveAnswer } from '../../records/record.ts';
import { codeOf, describeTruth } from '../../truth.fixture.ts';
import { createSearchFixture } from './entity-search.fixture.ts';

/** Knows that voles are rodents; otherwise only exact words match. */
function createLearnedEmbedder(more: Partial<Embedder> = {}): Embedder {
  const debug = createDebugEmbedder();
  const embed: Embedder['embed'] = (texts, options) =>
    debug.embed(
      texts.map((text) => text.replaceAll('rodents', 'voles')),
      options,
    );
  return { ...debug, id: 'learned-1', embed, ...more };
}

describeTruth('search modes of entities and records', (engine) => {
  async function open(embedder?: Embedder) {
    const fixture = await createSearchFixture(engine, embedder);
    const mine = fixture.as();
    return {
      ...mine,
      records: (args: object) => mine.good<RetrieveAnswer>('retrieve_records', args),
      storeRecord: (note: string) => mine.good('store_record', { type: 'note', properties: { note } }),
    };
  }

  async function openZoo(embedder: Embedder | undefined = createLearnedEmbedder()) {
    const zoo = await open(embedder);
    await zoo.fact('animal', 'Owl', { food: 'voles' });
    await zoo.fact('animal', 'Hawk', { food: 'rodents by name' });
    await zoo.fact('animal', 'Heron', { food: 'fish' });
    for (const note of ['voles', 'rodents by name', 'fish in a pond']) await zoo.storeRecord(note);
    // The first search by meaning indexes and embeds the entities.
    await zoo.retrieve({ query: 'voles', mode: 'meaning' });
    if (embedder !== undefined) await zoo.settle();
    return zoo;
  }

  const notesOf = ({ records }: RetrieveAnswer) => records.map(({ properties }) => properties['note']);

  test('[TR87] words finds words, meaning finds what is similar, hybrid finds both, each with its relevance', async () => {
    const { retrieve, records } = await openZoo();
    const by = async (mode: string) => {
      const entities = await retrieve({ query: 'rodents', mode });
      const found = await records({ query: 'rodents', mode });
      for (const { relevance } of [...entities.entities, ...found.records]) {
        expect(relevance).toBeGreaterThanOrEqual(0.3);
        expect(relevance).toBeLessThanOrEqual(1);
      }
      expect([entities.total, found.total]).toEqual([entities.entities.length, found.records.length]);
      expect(entities.search_mode_used).toBe(found.search_mode_used);
      const names = entities.entities.map(({ canonical_name }) => canonical_name);
      return { names, notes: notesOf(found), used: found.search_mode_used };
    };
    expect(await by('words')).toEqual({ names: ['hawk'], notes: ['rodents by name'], used: 'keyword' });
    const hybrid = await by('hybrid');
    expect(hybrid).toMatchObject({ used: 'both' });
    expect(hybrid.names[0]).toBe('hawk');
    expect(new Set(hybrid.notes)).toEqual(new Set(['rodents by name', 'voles']));
    const meaning = await by('meaning');
    expect(meaning).toMatchObject({ used: 'semantic' });
    // The answer ends where the relevance ends: a fish is not a rodent.
    expect(meaning.notes[0]).toBe('voles');
    expect([...meaning.notes, ...hybrid.notes]).not.toContain('fish in a pond');
    expect([...meaning.names, ...hybrid.names]).not.toContain('heron');
  });

  test('[TR87] the documented search of records has a relevance too, and keeps its threshold', async () => {
    const { records } = await openZoo();
    const found = await records({ search: ['rodents'] });
    expect(found).toMatchObject({ search_mode_used: 'both' });
    for (const { relevance } of found.records) expect(relevance).toEqual(expect.any(Number));
    const strict = await records({ query: 'rodents', mode: 'meaning', similarity_threshold: 1 });
    expect(strict).toMatchObject({ records: [], best_similarity: expect.any(Number) });
  });

  test('[TR87] without a model, meaning and hybrid use words and say so', async () => {
    const { retrieve, records } = await open();
    const store = await open();
    await store.fact('animal', 'Owl', { food: 'voles' });
    await store.storeRecord('voles');
    for (const mode of ['meaning', 'hybrid']) {
      expect(await store.retrieve({ query: 'voles', mode })).toMatchObject({
        search_mode_used: 'keyword',
        entities: [{ canonical_name: 'owl', relevance: 1 }],
        hint: expect.stringContaining('used words only'),
      });
      expect(await store.records({ query: 'voles', mode })).toMatchObject({
        search_mode_used: 'keyword',
        records: [{ relevance: 1 }],
        hint: expect.stringContaining('Only keyword search was used'),
      });
    }
    expect(await store.retrieve({ query: 'voles' })).not.toHaveProperty('hint');
    expect(await retrieve({ query: 'voles', mode: 'meaning' })).toMatchObject({ entities: [], total: 0 });
    expect(await records({ query: 'voles', mode: 'meaning' })).toMatchObject({ records: [], total: 0 });
  });

  test('[TR87] says when the model does not know the language of the query', async () => {
    const { retrieve, records } = await openZoo(createLearnedEmbedder({ isEnglish: true }));
    const query = 'Wann wurde die Rechnung bezahlt?';
    for (const answer of [await retrieve({ query }), await records({ query })]) {
      expect(answer).toMatchObject({
        search_mode_used: 'keyword',
        hint: expect.stringContaining('knows English only'),
      });
    }
  });

  test.each(['words', 'meaning', 'hybrid'])('[TR88] a cursor continues a search in mode %s', async (mode) => {
    const zoo = await open(createLearnedEmbedder());
    for (let i = 0; i < 7; i += 1) {
      await zoo.fact('animal', `Owl ${i}`, { food: `voles ${i}` });
      await zoo.storeRecord(`owl animal voles ${i}`);
    }
    const query = 'owl animal voles';
    await zoo.retrieve({ query, mode: 'meaning' });
    await zoo.settle();
    for (const tool of ['retrieve_entities', 'retrieve_records']) {
      const ids = (answer: Record<string, unknown>) =>
        ((answer['entities'] ?? answer['records']) as readonly { entity_id?: string; id?: string }[]).map(
          ({ entity_id, id }) => entity_id ?? id,
        );
      const all = ids(await zoo.ask(tool, { query, mode, limit: 100 }));
      expect(all.length).toBeGreaterThan(3);
      const pages: unknown[] = [];
      let cursor: object = {};
      for (;;) {
        const page = await zoo.ask(tool, { query, mode, limit: 3, ...cursor });
        pages.push(...ids(page));
        if (page['next_cursor'] === undefined) break;
        cursor = { cursor: page['next_cursor'] };
      }
      expect(pages).toEqual(all);
      const other = [{ query: 'owls', mode }, { query: 'owls' }, {}];
      for (const args of other) expect(codeOf(await zoo.ask(tool, { ...args, ...cursor }))).toBe('VALIDATION_ERROR');
      expect(codeOf(await zoo.ask(tool, { query, mode, offset: 1, ...cursor }))).toBe('VALIDATION_ERROR');
    }
  });

  test('[TR88] the order of a search does not depend on the size of its pages', async () => {
    const zoo = await open(createLearnedEmbedder());
    // Best by their words, but not similar to the query; the others are similar, and far down the ranking by words.
    for (let i = 0; i < 70; i += 1) await zoo.fact('animal', `Rodents barn ${i}`, { food: 'grain '.repeat(40) });
    for (let i = 0; i < 20; i += 1) await zoo.fact('animal', `Hawk${i}`, { food: 'voles barn' });
    const query = { query: 'rodents barn animal', mode: 'hybrid' };
    await zoo.retrieve(query);
    await zoo.settle();
    const idsOf = ({ entities }: Awaited<ReturnType<typeof zoo.retrieve>>) =>
      entities.map(({ entity_id }) => entity_id);
    const whole = await zoo.retrieve({ ...query, limit: 100 });
    expect(whole.entities.length).toBeGreaterThan(70);
    const pages: string[] = [];
    for (let cursor: object = {}; ; ) {
      const page = await zoo.retrieve({ ...query, limit: 6, ...cursor });
      pages.push(...idsOf(page));
      if (page.next_cursor === undefined) break;
      cursor = { cursor: page.next_cursor };
    }
    expect(pages).toEqual(idsOf(whole));
  });

  test.each(['the of and', '""', '!!! ???'])('[TR87] finds nothing for a query without a word: %s', async (query) => {
    const { retrieve, records } = await openZoo();
    for (const more of [{ mode: 'words' }, { mode: 'meaning' }, { mode: 'hybrid' }]) {
      for (const answer of [await retrieve({ query, ...more }), await records({ query, ...more })]) {
        expect(answer).toMatchObject({ total: 0, search_mode_used: 'keyword' });
        expect(answer.hint).toContain('The query has no word to search for');
      }
    }
    expect(await retrieve({ query })).toMatchObject({
      total: 0,
      hint: expect.stringContaining('no word to search for'),
    });
  });

  test('[TR87] names the nearest word for a misspelled one, also if something is similar', async () => {
    const debug = createDebugEmbedder();
    // Everything is similar.
    const embed: Embedder['embed'] = (texts, options) =>
      debug.embed(
        texts.map(() => 'same'),
        options,
      );
    const { retrieve } = await openZoo({ ...debug, embed });
    const found = await retrieve({ query: 'Heronn xylophone' });
    expect(found.entities).toHaveLength(3);
    expect(found.hint).toContain('Similar indexed words: heron');
    expect(await retrieve({ query: 'heron xylophone' })).not.toHaveProperty('hint');
  });

  test('[TR87] says that words of a long query were ignored', async () => {
    const { retrieve } = await openZoo();
    const query = Array.from({ length: 100 }, (_, i) => `owl${i}`).join(' ');
    expect((await retrieve({ query })).hint).toContain('only its first 64 different words');
  });

  test('[TR87] says how many entities and records are not embedded yet', async () => {
    const zoo = await open(createLearnedEmbedder());
    await zoo.fact('animal', 'Owl', { food: 'voles' });
    await zoo.storeRecord('voles');
    const query = { query: 'rodents', mode: 'hybrid' };
    expect(await zoo.retrieve(query)).toMatchObject({ pending: expect.any(Number) });
    expect(await zoo.records(query)).toMatchObject({ pending: 1 });
    await zoo.settle();
    for (const answer of [await zoo.retrieve(query), await zoo.records(query)]) {
      expect(answer.search_mode_used).toBe('both');
      expect(answer).not.toHaveProperty('pending');
    }
  });

  test('[TR87] says that the model failed, also without a mode', async () => {
    const embedder = createLearnedEmbedder();
    const zoo = await openZoo(embedder);
    const fail: Embedder['embed'] = () => Promise.reject(new Error('the model is gone'));
    Object.assign(embedder, { embed: fail });
    for (const more of [{}, { mode: 'meaning' }, { mode: 'hybrid' }]) {
      const query = { query: 'rodents in winter', ...more };
      for (const answer of [await zoo.retrieve(query), await zoo.records(query)]) {
        expect(answer).toMatchObject({ search_mode_used: 'keyword', hint: expect.stringContaining('embedder failed') });
      }
    }
  });

  test('[TR88] a cursor continues a list without gaps and repetitions while others write', async () => {
    const zoo = await open();
    for (let i = 0; i < 5; i += 1) {
      engine.clock.advance(1);
      await zoo.fact('animal', `Owl ${i}`, {});
      await zoo.storeRecord(`note ${i}`);
    }
    const walk = async (tool: string, filter: object) => {
      const seen: unknown[] = [];
      let cursor: object = {};
      for (;;) {
        const page = await zoo.ask(tool, { ...filter, ...cursor, limit: 2 });
        const items = (page['entities'] ?? page['records']) as readonly Record<string, unknown>[];
        seen.push(...items.map(({ canonical_name, properties }) => canonical_name ?? properties));
        if (page['next_cursor'] === undefined) return seen;
        cursor = { cursor: page['next_cursor'] };
        engine.clock.advance(1);
        await zoo.fact('animal', `Late ${tool} ${JSON.stringify(filter)} ${seen.length}`, {});
        await zoo.storeRecord(`late ${tool} ${JSON.stringify(filter)} ${seen.length}`);
      }
    };
    const owls = ['owl 4', 'owl 3', 'owl 2', 'owl 1', 'owl 0'];
    for (const filter of [{}, { entity_type: 'animal' }]) {
      const walked = await walk('retrieve_entities', filter);
      expect(walked.filter((name) => String(name).startsWith('owl'))).toEqual(owls);
      expect(new Set(walked).size).toBe(walked.length);
    }
    const notes = ['note 4', 'note 3', 'note 2', 'note 1', 'note 0'].map((note) => ({ note }));
    for (const filter of [{}, { type: 'note' }]) {
      const walked = await walk('retrieve_records', filter);
      expect(walked.filter((one) => JSON.stringify(one).includes('"note '))).toEqual(notes);
      expect(new Set(walked.map((one) => JSON.stringify(one))).size).toBe(walked.length);
    }
    expect(await walk('retrieve_records', { properties: { note: 'note 3' } })).toEqual([{ note: 'note 3' }]);
  });

  test('brief cuts long values of records', async () => {
    const { storeRecord, records } = await open();
    await storeRecord('short');
    engine.clock.advance(1);
    await storeRecord('long '.repeat(100));
    const [long, short] = (await records({ brief: true })).records;
    expect(long).toMatchObject({ shortened: true });
    expect(JSON.stringify(long).length).toBeLessThan(500);
    expect(short).not.toHaveProperty('shortened');
    expect((await records({})).records[0]).not.toHaveProperty('shortened');
  });

  test.each([
    ['retrieve_entities', { query: 'x', mode: 'regex' }],
    ['retrieve_entities', { mode: 'words' }],
    ['retrieve_entities', { query: ' ', mode: 'words' }],
    ['retrieve_entities', { query: 'x', cursor: '' }],
    ['retrieve_records', { query: 'x', mode: 'keyword' }],
    ['retrieve_records', { query: 'x', search: ['y'] }],
    ['retrieve_records', { query: 'x', mode: 'words', search_mode: 'keyword' }],
    ['retrieve_records', { mode: 'words' }],
    ['retrieve_records', { query: '' }],
    ['retrieve_records', { query: ' \n' }],
    ['retrieve_records', { query: 'x'.repeat(1_001) }],
  ])('%s rejects %o', async (tool, args) => {
    const { ask } = await open();
    expect(codeOf(await ask(tool, args))).toBe('VALIDATION_ERROR');
  });

  test('rejects a cursor of another tenant, another tool, and one that was changed', async () => {
    const { fixture, tenant } = await createSearchFixture(engine).then((one) => ({
      fixture: one,
      tenant: engine.newTenant(),
    }));
    const ada = fixture.as(tenant);
    const bob = fixture.as();
    for (const name of ['a', 'b', 'c']) await ada.fact('animal', name, {});
    const { next_cursor: cursor = '' } = await ada.retrieve({ limit: 1 });
    expect(cursor).not.toBe('');
    expect(codeOf(await bob.ask('retrieve_entities', { cursor }))).toBe('VALIDATION_ERROR');
    expect(codeOf(await ada.ask('retrieve_records', { cursor }))).toBe('VALIDATION_ERROR');
    expect(codeOf(await ada.ask('retrieve_entities', { cursor: `${cursor.slice(0, -2)}xx` }))).toBe('VALIDATION_ERROR');
  });
});
