import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findModelFiles } from '#kernel/embed/minilm/open-minilm.ts';
import {
  engines,
  type Json,
  openTruth,
  payloadInput,
  type ServedTruth,
  type StoredRecord,
  serveTruth,
  type TruthCaller,
  type TruthProgram,
} from './truth-program.fixture.ts';

interface Found {
  readonly total: number;
  readonly limit: number;
  readonly hint?: string;
  readonly best_similarity?: number;
  readonly entities: readonly {
    readonly entity_id: string;
    readonly canonical_name: string;
    readonly entity_type: string;
    readonly snapshot: Json;
    readonly matched?: readonly string[];
    readonly match?: string;
    readonly score?: number;
  }[];
}

const search = (caller: TruthCaller, args: Json) => caller.call<Found>('retrieve_entities', args);
const namesOf = ({ entities }: Found) => entities.map(({ canonical_name }) => canonical_name);

const fact = (caller: TruthCaller, type: string, name: string, fields: Json, more: Json = {}) =>
  caller.call('store_fact', { subject: { type, name }, fields, ...more });

describe.each(engines)('finding entities on %s', (engine) => {
  let program: TruthProgram;
  const find = (args: Json) => search(program, args);

  beforeAll(async () => {
    program = await openTruth(engine);
  });
  afterAll(() => program?.close());

  it('lists retrieve_entities among the default tools', async () => {
    const { tools } = await program.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('retrieve_entities');
  });

  it('[TR80] answers what we owe Acme with one short call', async () => {
    const send = (body: Json) => program.call('submit_payload', payloadInput({ customer_name: 'Us', ...body }));
    await send({ invoice_number: 'A-1', vendor_name: 'Acme Corp', amount: 120, status: 'open' });
    await send({ invoice_number: 'A-2', vendor_name: 'Acme Corp', amount: 80, status: 'paid' });
    await send({ invoice_number: 'A-3', vendor_name: 'Acme Corp', amount: 45.5, status: 'open' });
    await send({ invoice_number: 'G-1', vendor_name: 'Globex', amount: 999, status: 'open' });
    const filtered = await find({ query: 'Acme', entity_type: 'invoice', fields: { status: 'open' } });
    expect(
      filtered.entities.map(({ snapshot }) => snapshot['amount']).toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual([45.5, 120]);
    expect(filtered).toMatchObject({ total: 2, limit: 10 });
    expect(filtered.entities[0]).toMatchObject({
      matched: expect.arrayContaining(['vendor_name']),
      score: expect.any(Number),
    });
    expect(JSON.stringify(filtered).length).toBeLessThan(2_048);
    const asked = await find({ query: 'what do we owe Acme?' });
    const invoices = asked.entities.filter(({ entity_type }) => entity_type === 'invoice');
    expect(invoices.map(({ snapshot: { amount, status } }) => [amount, status])).toEqual(
      expect.arrayContaining([
        [120, 'open'],
        [80, 'paid'],
        [45.5, 'open'],
      ]),
    );
    expect(asked.entities.some(({ snapshot }) => snapshot['amount'] === 999)).toBe(false);
  });

  it('[TR82] finds an earlier value with `at`, and not where it did not hold', async () => {
    await fact(program, 'person', 'Alice Doe', { employer: 'Wonka' }, { effective_at: '2025-01' });
    await fact(program, 'person', 'Alice Doe', { employer: 'Tyrell' }, { effective_at: '2025-05' });
    const then = await find({ query: 'Wonka', at: '2025-04-30' });
    expect(then.entities[0]).toMatchObject({ canonical_name: 'alice doe', snapshot: { employer: 'Wonka' } });
    expect(namesOf(await find({ query: 'Tyrell', at: '2025-04' }))).toEqual([]);
    expect(namesOf(await find({ query: 'Wonka', at: '2025-06' }))).toEqual([]);
    expect(namesOf(await find({ fields: { employer: 'wonka' }, at: '2025-02' }))).toEqual(['alice doe']);
    const now = await find({ query: 'Wonka' });
    expect(now.entities[0]).toMatchObject({ snapshot: { employer: 'Tyrell' }, matched: ['past value'] });
  });

  it('[TR86] shows an exact identifier first, and a similar name if no entity has the words', async () => {
    await fact(program, 'company', 'Initech', { about: 'Reports' });
    await fact(program, 'note', 'Initech and Initech and Initech', { about: 'Initech everywhere, Initech' });
    expect(namesOf(await find({ query: 'Initech' }))[0]).toBe('initech');
    const near = await find({ query: 'Inittech' });
    expect(near.entities[0]).toMatchObject({ canonical_name: 'initech', match: 'near' });
    const { entity_id } = near.entities[0]!;
    expect((await find({ query: entity_id })).entities[0]).toMatchObject({ entity_id, matched: ['entity_id'] });
    expect((await find({ query: 'A-2' })).entities[0]?.snapshot).toMatchObject({ invoice_number: 'A-2' });
  });

  it('[TR86] shows an entity whose short name is misspelled before all that only has other words', async () => {
    await fact(program, 'company', 'Duff Ltd', { about: 'Beverages' });
    await fact(program, 'company', 'Duff Foods', { about: 'Snacks' });
    await fact(program, 'note', 'Ltd and LLC', { about: 'Ltd, Ltd and Ltd' });
    await fact(program, 'person', 'Nora Voss', { city: 'Oslo' });
    for (const query of ['Dufff', 'Dufff Ltd', 'Dfuf']) {
      const { entities } = await find({ query });
      expect(entities.slice(0, 2), query).toMatchObject([
        { canonical_name: 'duff', match: 'near', relevance: 0.8 },
        { canonical_name: 'duff foods', match: 'near' },
      ]);
      expect((await find({ query, entity_type: 'person' })).entities, query).toEqual([]);
    }
    expect((await find({ query: 'Vosss' })).entities).toMatchObject([{ canonical_name: 'nora voss', match: 'near' }]);
    // Another word, a first name, and words that entities have.
    for (const query of ['Puff', 'Duft', 'Norra', 'Duff', 'Beverage'])
      expect(
        (await find({ query })).entities.filter(({ match }) => match !== undefined),
        query,
      ).toEqual([]);
  });

  it('[TR84] says what to try if nothing is found', async () => {
    const none = await find({ query: 'xylophone' });
    expect(none).toMatchObject({ entities: [], total: 0, hint: expect.stringContaining('Try other or fewer words') });
  });

  it('[TR80] follows the text of a file through changes of its record', async () => {
    const text =
      'INVOICE\nInvoice Number: F-9\nDate: 2025-02-01\nFrom: Sparkle Ltd\n\nTotal: 12.00 EUR\n\nOne chandelier.';
    writeFileSync(join(program.files, 'bill.txt'), text);
    const { record } = await program.call<{ readonly record: StoredRecord }>('upload_file', { file_path: 'bill.txt' });
    const { id } = record;
    const isFound = async (query: string) => (await find({ query, entity_type: 'invoice' })).entities.length > 0;
    expect(await isFound('chandelier')).toBe(true);
    await program.call('update_record', { id, properties: { remark: 'fragile sconce' } });
    expect(await isFound('sconce')).toBe(true);
    await program.call('delete_record', { id });
    expect([await isFound('sconce'), await isFound('chandelier')]).toEqual([false, false]);
    await program.call('restore_record', { id });
    expect(await isFound('sconce')).toBe(true);
  });

  it.each<[string, Json]>([
    ['query', { query: ' ' }],
    ['query', { query: 'x'.repeat(1_001) }],
    ['fields', { fields: { amount: { min: 'much' } } }],
    ['fields', { fields: { amount: null } }],
    ['fields', { fields: { 'no field': 1 } }],
    ['at', { query: 'acme', at: 'yesterday' }],
    ['limit', { query: 'acme', limit: 0 }],
  ])('[TR81] rejects a wrong %s', async (field, args) => {
    const { code, message, details } = await program.fail('retrieve_entities', args);
    expect(code).toBe('VALIDATION_ERROR');
    expect(`${message} ${JSON.stringify(details)}`).toContain(field);
  });
});

const model = await findModelFiles();

describe.skipIf(model === undefined).each(engines)('searching with the shipped model on %s', (engine) => {
  let program: TruthProgram;
  beforeAll(async () => {
    program = await openTruth(engine, { SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'minilm' });
  });
  afterAll(() => program?.close());

  it('[TR83] finds records by a paraphrase with the default threshold', async () => {
    const text = 'The policy of the home covers fire, storm and burst pipes.';
    const { id } = await program.call<StoredRecord>('store_record', { type: 'memory', properties: { text } });
    await program.call('store_record', { type: 'memory', properties: { text: 'Leo learns to swim on Mondays.' } });
    const question = { search: ['insurance for the house'], search_mode: 'semantic', type: 'memory' };
    const ask = () =>
      program.call<{ readonly records: readonly StoredRecord[]; readonly search_mode_used: string }>(
        'retrieve_records',
        question,
      );
    await expect.poll(async () => (await ask()).records.map((record) => record.id), { timeout: 120_000 }).toEqual([id]);
    const [record] = (await ask()).records;
    expect(record!.similarity).toBeGreaterThanOrEqual(0.7);
  });

  it('[TR82] finds entities by a paraphrase of their values', async () => {
    await fact(program, 'preference', 'Drinks of Paul', { favourite: 'black tea with milk' });
    await fact(program, 'task', 'Printer', { problem: 'paper jams in the copier' });
    const ask = () => search(program, { query: 'which beverage does he like' });
    await expect.poll(async () => namesOf(await ask())[0], { timeout: 120_000 }).toBe('drinks of paul');
    expect((await ask()).entities[0]).toMatchObject({ matched: ['meaning'], similarity: expect.any(Number) });
    const far = await search(program, { query: 'quantum chromodynamics lattice', entity_type: 'task' });
    expect(far).toMatchObject({ entities: [], hint: expect.stringContaining('similarity of') });
    expect(far.best_similarity).toBeLessThan(0.7);
  });
});

describe.each(engines)('finding entities of two tenants on %s', (engine) => {
  let served: ServedTruth;
  beforeAll(async () => {
    served = await serveTruth(engine);
  });
  afterAll(() => served?.stop());

  it('[TR80] finds nothing of another tenant', async () => {
    const [ours, theirs] = [
      await served.connect(await served.makeKey('ours')),
      await served.connect(await served.makeKey('theirs')),
    ];
    await fact(ours, 'person', 'Bob Hidden', { city: 'Lisbon' });
    await fact(theirs, 'person', 'Carol', { city: 'Oslo' });
    expect(namesOf(await search(ours, { query: 'lisbon' }))).toEqual(['bob hidden']);
    for (const args of [
      { query: 'lisbon' },
      { query: 'Bob Hidden' },
      { query: 'Bob Hiden' },
      { fields: { city: 'lisbon' } },
    ]) {
      const answer = await search(theirs, args);
      expect(answer).toMatchObject({ entities: [], total: 0 });
      expect(answer.hint ?? '').not.toMatch(/bob|hidden/i);
    }
    await ours.client.close();
    await theirs.client.close();
  });
});
