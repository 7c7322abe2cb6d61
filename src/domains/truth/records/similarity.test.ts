import { expect, test } from 'vitest';
import { createDebugEmbedder } from '#kernel/embed/embedder.ts';
import { findModelFiles, openMiniLm } from '#kernel/embed/minilm/open-minilm.ts';
import { describeRecords } from './records.fixture.ts';

const files = await findModelFiles();

/** A question in other words than the record. */
const paraphrases: readonly (readonly [question: string, text: string])[] = [
  ['bills that are overdue', 'Invoice 31 of the gas company was due in April and has not been paid.'],
  ['who looks after the garden', 'Mr Green mows the lawn and trims the hedges every other week.'],
  ['spare keys', 'A second set for the front entrance hangs in the cellar next to the fuse box.'],
  ['flu shot', 'Vaccination against influenza at the clinic on 14 October.'],
  ['hotel in Rome', 'We stay three nights at the Albergo Sole near the Pantheon.'],
  ['the printer does not work', 'Paper jams in the copier on the second storey; a technician is coming.'],
  ['salary of the new developer', 'Nina gets 5,100 a month as a software engineer from March on.'],
  ['what does Paul like to drink', "Paul's favourite beverage is black tea with milk."],
  ['insurance for the house', 'The policy of the home covers fire, storm and burst pipes.'],
  ['swimming course', 'Leo learns to swim in the municipal pool on Mondays.'],
  ['broken window', 'The glass of the kitchen pane has a crack and needs to be replaced.'],
  ['new phone number', 'She can now be called at 0151 555 77 90.'],
];

describeRecords('[TR83] the similarity of records', ({ open, newTenant, closeAtEnd }) => {
  function openAs(embedder: Parameters<typeof open>[0]) {
    const fixture = open(embedder);
    const { tenant, ...client } = fixture.as(newTenant());
    return { ...client, settle: () => fixture.meaning.settle(tenant) };
  }

  test('is the raw cosine for a model without a calibration, and the answer says so', async () => {
    const { store, retrieve, settle } = openAs({ embedder: createDebugEmbedder() });
    await store({ type: 'n', properties: { text: 'red green blue' } });
    await settle();
    const search = { search: ['red green black'], search_mode: 'semantic', similarity_threshold: 0.1 };
    const found = await retrieve({ ...search, details: true });
    expect(found.similarity_scale).toBe('cosine');
    expect(found.records[0]?.details).toEqual({ cosine: found.records[0]?.similarity });
    expect((await retrieve(search)).records[0]).not.toHaveProperty('details');
  });

  test('is on the scale of a calibrated model, and a cosine for a vector of the caller', async () => {
    const relevantFrom = 0.2;
    const { store, retrieve, settle } = openAs({ embedder: { ...createDebugEmbedder(), relevantFrom } });
    const { id } = await store({ type: 'n', properties: { text: 'red green blue' } });
    await settle();
    const words = { search: ['red green black'], search_mode: 'semantic', details: true };
    const [record] = (await retrieve(words)).records;
    const { cosine } = record!.details!;
    expect(record).toMatchObject({ id });
    // Below the default threshold as a cosine, above it on the scale.
    expect(cosine).toBeLessThan(0.7);
    expect(record!.similarity).toBeCloseTo(0.7 + ((cosine - relevantFrom) * 0.3) / (1 - relevantFrom), 5);
    const signal = AbortSignal.timeout(60_000);
    const [vector] = await createDebugEmbedder().embed(['red green black'], { signal, purpose: 'query' });
    const found = await retrieve({ query_embedding: [...vector!], similarity_threshold: 0, details: true });
    expect(found.similarity_scale).toBe('cosine');
    expect(found.records[0]).toMatchObject({ similarity: cosine, details: { cosine } });
  });

  test('an empty answer has the best similarity and says what to try', async () => {
    const { store, retrieve, settle } = openAs({ embedder: createDebugEmbedder() });
    await store({ type: 'n', properties: { text: 'red green blue' } });
    await store({ type: 'other', properties: { text: 'red green black' } });
    await settle();
    const search = { search: ['red green black'], search_mode: 'semantic', type: 'n', similarity_threshold: 0.99 };
    const none = await retrieve(search);
    expect(none.records).toEqual([]);
    expect(none.best_similarity).toBeGreaterThan(0.3);
    expect(none.best_similarity).toBeLessThan(0.99);
    expect(none.hint).toContain('similarity_threshold');
    const again = await retrieve({ ...search, similarity_threshold: none.best_similarity! });
    expect(again.records).toHaveLength(1);
    expect(again).not.toHaveProperty('best_similarity');
    const near = { query_embedding: [3, 4, 0], similarity_threshold: 0.9 };
    await store({ type: 'n', properties: {}, embedding: [1, 0, 0] });
    expect((await retrieve(near)).best_similarity).toBe(0.6);
    expect(await retrieve({ search: ['violet'], search_mode: 'semantic', type: 'absent' })).not.toHaveProperty(
      'best_similarity',
    );
  });

  test.skipIf(files === undefined)('paraphrases pass the default threshold with the shipped model', async () => {
    const embedder = (await openMiniLm({ batchCount: 16 }))!;
    closeAtEnd({ close: () => embedder.close() });
    const { store, retrieve, settle } = openAs({ embedder });
    const ids: string[] = [];
    for (const [, text] of paraphrases) ids.push((await store({ type: 'memory', properties: { text } })).id);
    await settle();
    let passed = 0;
    let others = 0;
    for (const [i, [question]] of paraphrases.entries()) {
      const found = (await retrieve({ search: [question], search_mode: 'semantic' })).records.map(({ id }) => id);
      if (found[0] === ids[i]) passed += 1;
      others += found.filter((id) => id !== ids[i]).length;
    }
    expect(passed).toBeGreaterThanOrEqual(9);
    // Of 132 other texts.
    expect(others).toBeLessThanOrEqual(7);
  });
});
