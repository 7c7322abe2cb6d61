import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { markIndexesOutdated } from '#kernel/search/mark-outdated.ts';
import { describeTruth, invoice, payloadOf } from '../../truth.fixture.ts';
import { truthLimits } from '../../truth-limits.ts';
import { entityDocuments } from './entity-collection.ts';
import { createSearchFixture } from './entity-search.fixture.ts';

const numbersOf = (answer: { readonly entities: readonly { readonly snapshot?: unknown }[] }) =>
  answer.entities.map(({ snapshot }) => (snapshot as Record<string, unknown>)['invoice_number']);

describeTruth('[TR80] a search over entities', (engine) => {
  const open = async (...rest: [embedder?: Parameters<typeof createSearchFixture>[1]]) => {
    const fixture = await createSearchFixture(engine, ...rest);
    return { fixture, ...fixture.as() };
  };

  test('[TR80] a value and the name of its field cover an entity, however many entities have both', async () => {
    const { fact, retrieve, find } = (await createSearchFixture(engine)).as();
    for (const type of ['contract', 'invoice', 'receipt', 'company', 'project', 'boat'])
      await fact(type, `Number ${type}`, { monthly_rent: 2900 });
    await fact('company', 'Globex', { monthly_rent: 1200 });
    const { entities } = await retrieve({ query: 'rent 2900' });
    const found = entities.filter(({ relevance }) => relevance === 1);
    expect(found.map(({ entity_type }) => entity_type).sort()).toEqual([
      'boat',
      'company',
      'contract',
      'invoice',
      'project',
      'receipt',
    ]);
    expect(entities.at(-1)).toMatchObject({ canonical_name: 'globex', matched: ['monthly_rent'] });
    // A value still weighs more than a name of a field.
    await fact('company', 'Rent a Car', { cars: 3 });
    expect((await find({ query: 'rent' }))[0]).toBe('rent a car');
  });

  test('finds what was stored a moment ago by name, type and any value, best first, with score and snapshot', async () => {
    const { fact, retrieve, find } = await open();
    await fact('person', 'Alice Smith', { employer: 'Acme', city: 'Berlin', nickname: 'Al', age: 41 });
    await fact('person', 'Bob', { employer: 'Acme', knows: ['Chess', { level: 'expert' }] });
    await fact('project', 'Acme', { goal: 'Move to Berlin' });
    expect(await find({ query: 'alice' })).toEqual(['alice smith']);
    expect(await find({ query: 'expert chess' })).toEqual(['bob']);
    expect(await find({ query: '41' })).toEqual(['alice smith']);
    const acme = await find({ query: 'acme' });
    expect(acme[0]).toBe('acme');
    expect(acme.toSorted()).toEqual(['acme', 'alice smith', 'bob']);
    expect((await find({ query: 'persons' })).toSorted()).toEqual(['alice smith', 'bob']);
    expect(await find({ query: 'acme', entity_type: 'person', limit: 1, offset: 1 })).toHaveLength(1);
    const answer = await retrieve({ query: 'berlin acme' });
    expect(answer).toMatchObject({ total: 3, limit: 10, offset: 0, search_mode_used: 'keyword' });
    expect(answer.entities[0]).toMatchObject({ score: expect.any(Number), snapshot: expect.any(Object) });
    const scores = answer.entities.map(({ score }) => score!);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const bare = await retrieve({ query: 'alice', include_snapshots: false });
    expect(bare.entities[0]).not.toHaveProperty('snapshot');
  });

  test('ranks current values above earlier ones and marks hits of earlier values', async () => {
    const { fact, retrieve } = await open();
    await fact('person', 'Alice', { employer: 'Globex' }, { effective_at: '2025-05-01' });
    await fact('person', 'Alice', { employer: 'Initech' }, { effective_at: '2025-06-01' });
    await fact('person', 'Bob', { employer: 'Globex' }, { effective_at: '2025-06-01' });
    const { entities } = await retrieve({ query: 'globex' });
    expect(entities.map(({ canonical_name, matched }) => [canonical_name, matched])).toEqual([
      ['bob', ['employer']],
      ['alice', ['past value']],
    ]);
  });

  test('with `at`, leaves out what did not hold then and shows the state of then', async () => {
    const { fact, retrieve, find } = await open();
    await fact('person', 'Alice', { employer: 'Acme' }, { effective_at: '2025-01-01' });
    await fact('person', 'Alice', { employer: 'Globex' }, { effective_at: '2025-05-01' });
    expect(await find({ query: 'acme', at: '2025-04' })).toEqual(['alice']);
    expect((await retrieve({ query: 'acme', at: '2025-04' })).entities[0]?.snapshot).toMatchObject({
      employer: 'Acme',
    });
    expect(await find({ query: 'acme', at: '2025-06' })).toEqual([]);
    expect(await find({ query: 'globex', at: '2025-04-30' })).toEqual([]);
    expect(await find({ query: 'alice', at: '2024-06' })).toEqual([]);
    expect(await find({ fields: { employer: 'acme' }, at: '2025-04' })).toEqual(['alice']);
    expect(await find({ fields: { employer: 'acme' }, at: '2025-06' })).toEqual([]);
    expect(await find({ fields: { employer: 'acme' } })).toEqual([]);
    expect(await find({ query: 'alice', fields: { employer: 'globex' }, at: '2025-05' })).toEqual(['alice']);
    expect(await find({ at: '2025-04' })).toEqual(['alice']);
    expect(await find({ at: '2024-04' })).toEqual([]);
  });

  test('[TR81] filters by values, ranges and dates, alone and with a query, newest first', async () => {
    const { submit, retrieve } = await open();
    const add = (n: number, status: string, more: object = {}) => {
      engine.clock.advance(1_000);
      return submit(
        invoice({
          invoice_number: `INV-${n}`,
          amount: n * 100,
          status,
          date: `2025-01-0${n}`,
          terms: 'Net 30',
          ...more,
        }),
      );
    };
    await add(1, 'open');
    await add(2, 'paid');
    await add(3, 'Open');
    await add(4, 'open', { vendor_name: 'Globex' });
    const ask = async (args: object) => numbersOf(await retrieve(args));
    expect(await ask({ fields: { status: 'open' } })).toEqual(['INV-4', 'INV-3', 'INV-1']);
    expect(await retrieve({ fields: { status: 'open' } })).toMatchObject({ total: 3 });
    expect(await ask({ fields: { status: 'open' }, limit: 1, offset: 1 })).toEqual(['INV-3']);
    expect(await ask({ fields: { amount: { min: 200, max: 300 } } })).toEqual(['INV-3', 'INV-2']);
    expect(await ask({ fields: { amount: 200 } })).toEqual(['INV-2']);
    expect(await ask({ fields: { date: { max: '2025-01-02' } } })).toEqual(['INV-2', 'INV-1']);
    expect(await ask({ fields: { status: 'open', vendor_name: 'globex' } })).toEqual(['INV-4']);
    // A value that no schema field accepts.
    expect(await ask({ fields: { terms: 'net 30', amount: { min: 301 } } })).toEqual(['INV-4']);
    expect(await ask({ query: 'acme invoices', fields: { status: 'open' }, entity_type: 'invoice' })).toEqual(
      expect.arrayContaining(['INV-1', 'INV-3']),
    );
    expect(await ask({ query: 'acme', fields: { status: 'paid' } })).toEqual(['INV-2']);
    expect(await ask({ fields: { status: 'open' }, entity_type: 'company' })).toEqual([]);
    expect(await ask({ fields: { status: 'none' } })).toEqual([]);
  });

  test('follows corrections, retractions, ended fields and statements of the past', async () => {
    const { fact, find, good, ask } = await open();
    const { entity_id } = await fact('task', 'Paint the fence', { status: 'waiting' });
    engine.clock.advance(1_000);
    const corrected = await good<{ correction_id: string }>('correct_entity', {
      entity_id,
      fields: { status: 'blocked' },
    });
    expect(await find({ fields: { status: 'waiting' } })).toEqual([]);
    expect(await find({ fields: { status: 'blocked' } })).toEqual(['paint the fence']);
    await ask('retract_statement', { id: corrected.correction_id });
    expect(await find({ fields: { status: 'blocked' } })).toEqual([]);
    expect(await find({ fields: { status: 'waiting' } })).toEqual(['paint the fence']);
    expect(await find({ query: 'blocked' })).toEqual(['paint the fence']);
    engine.clock.advance(1_000);
    await good('store_fact', { entity_id, ended: ['status'] });
    expect(await find({ fields: { status: 'waiting' } })).toEqual([]);
  });

  test('follows merges and their undoing', async () => {
    const { fact, find, good, retrieve } = await open();
    const idOf = async (name: string) =>
      (await retrieve({ query: name, entity_type: 'company' })).entities[0]!.entity_id;
    await fact('company', 'Acme', { city: 'Berlin' });
    await fact('company', 'Akme Labs', { motto: 'Onward' });
    const [acme, labs] = [await idOf('acme'), await idOf('akme labs')];
    const pair = { source_entity_id: labs, target_entity_id: acme };
    await good('merge_entities', pair);
    expect(await find({ query: 'onward' })).toEqual(['acme']);
    expect(await find({ query: 'labs' })).toEqual(['acme']);
    expect(await find({ fields: { motto: 'onward' } })).toEqual(['acme']);
    await good('unmerge_entities', pair);
    expect(await find({ query: 'onward' })).toEqual(['akme labs']);
    expect(await find({ query: 'berlin' })).toEqual(['acme']);
  });

  test('finds the free text of payloads and of uploaded files through the entities they state', async () => {
    const { fixture, submit, good, retrieve } = await open();
    await submit(payloadOf('note', { title: 'Boiler', content: 'The plumber replaced the thermostat.' }));
    expect((await retrieve({ query: 'thermostat' })).entities[0]).toMatchObject({ entity_type: 'note' });
    const text = [
      'INVOICE',
      'Invoice Number: INV-77',
      'Date: 2025-02-01',
      'From: Sparkle Ltd',
      'Bill to: Test Customer',
      '',
      'Total: 120.00 EUR',
      '',
      'For polishing one chandelier in the ballroom.',
    ].join('\n');
    await writeFile(join(fixture.root, 'bill.txt'), text);
    await good('upload_file', { file_path: 'bill.txt' });
    const { entities } = await retrieve({ query: 'chandelier' });
    expect(entities).toHaveLength(1);
    expect(entities[0]!.snapshot).toMatchObject({ invoice_number: 'INV-77' });
  });

  test('keeps finding every value of an entity with very many observations', async () => {
    const { fact, find, submit } = await open();
    await fact('company', 'Busy', { motto: 'first words' });
    for (let i = 0; i < truthLimits.reindexedObservationsCount + 6; i += 1) {
      engine.clock.advance(1_000);
      await submit(invoice({ invoice_number: `I-${i}`, vendor_name: 'Busy', vendor_address: `Street number${i}x` }));
    }
    const company = { entity_type: 'company' };
    expect(await find({ query: 'number0x', ...company })).toEqual(['busy']);
    expect(await find({ query: `number${truthLimits.reindexedObservationsCount + 5}x`, ...company })).toEqual(['busy']);
    expect(await find({ query: 'first', ...company })).toEqual(['busy']);
    expect(await find({ fields: { motto: 'first words' } })).toEqual(['busy']);
  });

  test('separates tenants and reports nothing found with similar words', async () => {
    const { fixture, fact, retrieve } = await open();
    await fact('person', 'Alice', { city: 'Berlin' });
    expect((await fixture.as().retrieve({ query: 'alice' })).entities).toEqual([]);
    const none = await retrieve({ query: 'berlim' });
    expect(none).toMatchObject({ entities: [], total: 0, hint: expect.stringContaining('berlin') });
  });

  test.each([
    [{ query: ' ' }],
    [{ query: 'x'.repeat(1_001) }],
    [{ fields: { a: null } }],
    [{ fields: [] }],
    [{ fields: { amount: { min: 'x' } } }],
    [{ at: 'yesterday' }],
  ])('rejects %o', async (args) => {
    const { ask } = await open();
    expect((await ask('retrieve_entities', args))['error']).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describeTruth('the index of entities', (engine) => {
  const open = async () => {
    const fixture = await createSearchFixture(engine);
    return { fixture, ...fixture.as() };
  };

  test('[TR85] indexes bulk writes in the background, and a search waits for them', async () => {
    const { fixture, submitInBulk, find, tenant, call } = await open();
    await submitInBulk([invoice(), invoice({ invoice_number: 'INV-2', vendor_name: 'Globex' })]);
    expect(await fixture.truth.entityDocuments.countWaiting(call())).toBe(5);
    expect((await find({ query: 'globex', entity_type: 'company' })).length).toBe(1);
    expect(await fixture.truth.entityDocuments.countWaiting(call())).toBe(0);
    await submitInBulk([invoice({ invoice_number: 'INV-3', vendor_name: 'Initech' })]);
    await fixture.truth.entityDocuments.maintain(tenant, new AbortController().signal);
    expect(await fixture.truth.entityDocuments.countWaiting(call())).toBe(0);
    expect((await find({ query: 'initech', entity_type: 'company' })).length).toBe(1);
  });

  test('[TR85] adds the values of a bulk write to an entity with many observations', async () => {
    const { submit, submitInBulk, find } = await open();
    for (let i = 0; i <= truthLimits.reindexedObservationsCount; i += 1) {
      await submit(invoice({ invoice_number: `I-${i}` }));
    }
    await submitInBulk([invoice({ invoice_number: 'last', vendor_address: 'Harbour Street' })]);
    expect(await find({ query: 'harbour', entity_type: 'company' })).toEqual(['acme']);
  });

  test('[TR85] a bulk write is found by similar names, and listed as a duplicate', async () => {
    const { fixture, submit, submitInBulk, good, tenant } = await open();
    const names = async (identifier: string) => {
      type Found = { entities: { canonical_name: string; match?: string }[] };
      const { entities } = await good<Found>('get_entity_by_identifier', { identifier, entity_type: 'company' });
      return entities.map(({ canonical_name, match }) => `${canonical_name} ${match ?? 'exact'}`);
    };
    const pairs = async () =>
      (await good<{ duplicates: unknown[] }>('list_potential_duplicates', { entity_type: 'company' })).duplicates
        .length;
    await submit(invoice({ vendor_name: 'Müller Maschinenbau', customer_name: 'Globex' }));
    await submitInBulk([
      invoice({ invoice_number: 'B-1', vendor_name: 'Mueller Maschinenbau', customer_name: 'Hooli Maschinenbau' }),
      invoice({ invoice_number: 'B-2', vendor_name: 'Contoso Werkzeuge', customer_name: 'Hooli Maschinenba' }),
    ]);
    expect(await names('Contoso Werkzeuge')).toEqual(['contoso werkzeuge exact']);
    expect(await names('Contosso Werkzeuge')).toEqual(['contoso werkzeuge near']);
    expect(await pairs()).toBe(2);
    await submitInBulk([invoice({ invoice_number: 'B-3', vendor_name: 'Contoso Werkzeug', customer_name: 'Globex' })]);
    expect(await pairs()).toBe(3);
    // Above the limit the whole index is built again instead.
    const { rebuiltEntitiesCount } = truthLimits;
    const limits = truthLimits as { rebuiltEntitiesCount: number };
    limits.rebuiltEntitiesCount = 0;
    onTestFinished(() => {
      limits.rebuiltEntitiesCount = rebuiltEntitiesCount;
    });
    await submitInBulk([invoice({ invoice_number: 'B-4', vendor_name: 'Globexx', customer_name: 'Initech' })]);
    await fixture.truth.entityDocuments.maintain(tenant, new AbortController().signal);
    expect(await names('Initec')).toEqual(['initech near']);
  });

  test('[TR80] a search sees every write before it, while others are being indexed', async () => {
    const { fact, find } = await open();
    const names = [...'abcdefghijkl'].map((letter) => letter.repeat(7));
    const found = names.map(async (name) => {
      await fact('person', name, { city: 'Berlin' });
      return find({ query: name });
    });
    expect(await Promise.all(found)).toEqual(names.map((name) => [name]));
  });

  test('[TR80] adds what is stated to an indexed entity with many observations', async () => {
    const { fact, find } = await open();
    for (let i = 0; i <= truthLimits.reindexedObservationsCount; i += 1) {
      await fact('person', 'Alice', { city: `City ${i}` });
    }
    expect(await find({ query: 'alice' })).toEqual(['alice']);
    await fact('person', 'Alice', { city: 'Harbourtown' });
    await fact('person', 'Alice', { city: 'Lisbon' });
    expect(await find({ query: 'harbourtown' })).toEqual(['alice']);
  });

  test('[TR80] is kept up to date without a search', async () => {
    const { fixture, fact, call } = await open();
    await fact('person', 'Alice', { city: 'Berlin' });
    await vi.waitFor(async () => expect(await fixture.truth.entityDocuments.countWaiting(call())).toBe(0), 20_000);
  });

  test('[TR85] is built for a store that is older than the index, and by a rebuild', async () => {
    const { fixture, fact, find, call, tenant } = await open();
    await fact('person', 'Alice', { city: 'Berlin' });
    await fixture.storage.write(call('test', { audit: 'none' }), (db) => markIndexesOutdated(db, [entityDocuments]));
    await fixture.truth.entityDocuments.maintain(tenant, new AbortController().signal);
    expect(await find({ query: 'berlin' })).toEqual(['alice']);
    await fixture.truth.entityDocuments.rebuild(call('test', { audit: 'none' }));
    expect(await find({ fields: { city: 'berlin' } })).toEqual(['alice']);
  });

  test('[TR80] follows statements that begin and end, and records that change', async () => {
    const { fixture, fact, find, good, tenant } = await open();
    const from = new Date(engine.clock.now() + 60_000).toISOString();
    await fact('person', 'Alice', { city: 'Berlin' });
    await fact('person', 'Alice', { city: 'Lisbon' }, { effective_at: from });
    expect(await find({ fields: { city: 'lisbon' } })).toEqual([]);
    engine.clock.advance(120_000);
    await fixture.truth.refresh(tenant, new AbortController().signal);
    expect(await find({ fields: { city: 'lisbon' } })).toEqual(['alice']);
    await writeFile(
      join(fixture.root, 'bill.txt'),
      'INVOICE\nInvoice Number: F-9\nFrom: Sparkle Ltd\nTotal: 12.00 EUR',
    );
    const { record } = await good<{ record: { id: string } }>('upload_file', { file_path: 'bill.txt' });
    await good('update_record', { id: record.id, properties: { remark: 'sconce' } });
    expect(await find({ query: 'sconce' })).toHaveLength(1);
  });

  test('[TR82] says that it used words only in a large store', async () => {
    const { fact, retrieve } = await open();
    await fact('person', 'Alice', { city: 'Berlin' });
    expect((await retrieve({ query: 'berlin weather' })).hint ?? '').not.toContain('words only');
    const { embeddedEntitiesCount } = truthLimits;
    const limits = truthLimits as { embeddedEntitiesCount: number };
    limits.embeddedEntitiesCount = 0;
    onTestFinished(() => {
      limits.embeddedEntitiesCount = embeddedEntitiesCount;
    });
    expect(await retrieve({ query: 'berlin weather' })).toMatchObject({
      search_mode_used: 'keyword',
      hint: expect.stringContaining('words only'),
    });
    expect(await retrieve({ query: 'berlin' })).not.toHaveProperty('hint');
  });

  test('is the same for another process', async () => {
    const { fact, tenant } = await open();
    await fact('person', 'Alice', { city: 'Berlin' });
    const other = (await createSearchFixture(engine, undefined, await engine.openOther())).as(tenant);
    expect(await other.find({ query: 'berlin' })).toEqual(['alice']);
    await other.fact('person', 'Bob', { city: 'Bremen' });
    const third = (await createSearchFixture(engine)).as(tenant);
    expect(await third.find({ fields: { city: 'bremen' } })).toEqual(['bob']);
  });
});
