import { expect, test } from 'vitest';
import { createEntities } from '../entities/entities.ts';
import { createFacts } from '../facts/store-fact.ts';
import { createRelationships } from '../relationships/relationships.ts';
import { builtinSchemas } from '../schemas/builtin-schemas.ts';
import { createTruthFixture, describeTruth, invoice, payloadOf, type TruthEngine } from '../truth.fixture.ts';
import { entityTools, factTools } from '../truth-toolset.ts';

function open(engine: TruthEngine) {
  const base = engine.base();
  const truth = createTruthFixture(
    base,
    { entities: createEntities(base), relationships: createRelationships(base), facts: createFacts(base) },
    [...entityTools, ...factTools],
  );
  return { ...truth, ...truth.as(engine.newTenant()) };
}

describeTruth('the answer to a write', (engine) => {
  test('[TR92] says nothing about a payload that is understood in full', async () => {
    const { ask } = open(engine);
    const answer = await ask('submit_payload', invoice());
    for (const member of ['unknown_fields', 'did_you_mean', 'not_fitting', 'missing_key_fields'])
      expect(answer).not.toHaveProperty(member);
  });

  test('[TR92] reports what a payload could not use, also if it is sent again', async () => {
    const { ask } = open(engine);
    const body = { invoiceNumber: 'INV-9', vendor: 'Acme', amount: '1,500', colour: 'red' };
    const report = {
      unknown_fields: ['invoiceNumber', 'vendor', 'colour'],
      did_you_mean: { invoiceNumber: 'invoice_number', vendor: 'vendor_name' },
      not_fitting: [{ field: 'amount', value: '1,500', expected: 'number, such as 1500.5' }],
      missing_key_fields: ['invoice_number', 'vendor_name'],
    };
    expect(await ask('submit_payload', payloadOf('invoice', body))).toMatchObject({ ...report, created: true });
    expect(await ask('submit_payload', payloadOf('invoice', body))).toMatchObject({ ...report, created: false });
  });

  test('[TR90] [TR91] stores values that were written as texts, and the body as sent', async () => {
    const { ask, submit } = open(engine);
    const given = { amount: '1.500,00 €', date: '15 January 2025', due_date: '01/02/2025' };
    const { entities, payload_id, ...answer } = await submit(invoice(given));
    expect(answer.not_fitting).toMatchObject([
      { field: 'amount', parsed_as: 1500, note: 'currency is set to EUR' },
      { field: 'date', parsed_as: '2025-01-15' },
      { field: 'due_date', value: '01/02/2025' },
    ]);
    expect(answer.not_fitting![2]).not.toHaveProperty('parsed_as');
    const { snapshot, raw_fragments } = await ask('get_entity_snapshot', { entity_id: entities[0]!.entity_id });
    expect(snapshot).toMatchObject({ amount: 1500, currency: 'EUR', date: '2025-01-15' });
    expect(snapshot).not.toHaveProperty('due_date');
    expect(raw_fragments).toMatchObject({ due_date: '01/02/2025' });
    expect((await ask('get_payload', { payload_id }))['body']).toMatchObject(given);
  });

  test('[TR90] does not read again what was recorded as raw', async () => {
    const { ask, submit } = open(engine);
    const { entities } = await submit(payloadOf('note', { title: 'Plan', budget: '1,500.00', effort: '12.50' }));
    const { entity_id } = entities[0]!;
    const fields = { title: { type: 'string' }, budget: { type: 'number' }, effort: { type: 'number' } };
    const known = builtinSchemas.get('note')!.fields;
    await ask('register_entity_schema', { entity_type: 'note', version: '2.1', fields: { ...known, ...fields } });
    await ask('activate_entity_schema', { entity_type: 'note', version: '2.1' });
    const { snapshot, raw_fragments } = await ask('get_entity_snapshot', { entity_id });
    expect(snapshot).toMatchObject({ effort: 12.5 });
    expect(raw_fragments).toEqual({ budget: '1,500.00' });
  });

  test('[TR92] reports what a fact could not use', async () => {
    const { ask } = open(engine);
    const fields = { birthday: '1990-05-01', is_done: 'maybe', pet: 'cat' };
    expect(await ask('store_fact', { subject: { type: 'person', name: 'Ada' }, fields })).toMatchObject({
      unknown_fields: ['birthday', 'is_done', 'pet'],
      did_you_mean: { birthday: 'birth_date' },
    });
    const due = { subject: { type: 'task', name: 'Pay' }, fields: { due_date: '1 May 2026', is_done: 'no' } };
    const answer = await ask('store_fact', due);
    expect(answer['not_fitting']).toMatchObject([
      { field: 'is_done', parsed_as: false },
      { field: 'due_date', parsed_as: '2026-05-01' },
    ]);
    expect(answer['changes']).toEqual(
      expect.arrayContaining([
        { field: 'due_date', after: '2026-05-01' },
        { field: 'is_done', after: false },
      ]),
    );
  });

  test('[TR92] applies a correction that is written as a text, and refuses one with two meanings', async () => {
    const { ask, submit } = open(engine);
    const { entity_id } = (await submit(invoice())).entities[0]!;
    const correct = (fields: object) => ask('correct_entity', { entity_id, fields });
    expect(await correct({ amount: '2,000.00', date: '16 January 2025' })).toMatchObject({
      snapshot: { amount: 2000, date: '2025-01-16' },
      not_fitting: [{ parsed_as: 2000 }, { parsed_as: '2025-01-16' }],
    });
    for (const [fields, message] of [
      [{ amount: '2,500' }, /amount must be of type number.*thousands or decimals/],
      [{ date: '01/02/2025' }, /date must be of type date.*month/],
      [{ amount: '2,500.00 EUR', currency: 'USD' }, /EUR is not the currency/],
    ] as const) {
      expect(await correct(fields)).toMatchObject({
        error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(message) },
      });
    }
    expect(await ask('get_entity_snapshot', { entity_id })).toMatchObject({ snapshot: { amount: 2000 } });
  });

  test('[TR92] names existing entities that share a number or a name with a new one', async () => {
    const { ask, submit } = open(engine);
    const first = await submit(invoice({ vendor_name: 'Müller Maschinenbau GmbH' }));
    expect(first).not.toHaveProperty('possible_duplicates');
    const [own, vendor] = first.entities;
    const second = await submit(invoice({ vendor_name: 'Mueller Maschinenbau', invoice_number: 'INV-002' }));
    expect(second.possible_duplicates).toEqual([
      {
        entity_id: vendor!.entity_id,
        entity_type: 'company',
        name: 'müller maschinenbau',
        reason: expect.any(String),
        of: second.entities[1]!.entity_id,
      },
    ]);
    const third = await submit(payloadOf('invoice', { invoice_number: 'INV-001', amount: 1500 }));
    expect(third.possible_duplicates).toMatchObject([
      {
        entity_id: own!.entity_id,
        reason: expect.stringContaining('same invoice_number'),
        of: third.entities[0]!.entity_id,
      },
    ]);
    // The number of another vendor is another invoice, and what exists is not reported again.
    const other = await submit(invoice({ vendor_name: 'Bolt Ltd', invoice_number: 'INV-002' }));
    expect(other).not.toHaveProperty('possible_duplicates');
    expect(
      await submit(invoice({ vendor_name: 'Mueller Maschinenbau', status: 'paid', invoice_number: 'INV-002' })),
    ).not.toHaveProperty('possible_duplicates');
    expect(await ask('store_fact', { subject: { type: 'company', name: 'Müler Maschinenbau' } })).toMatchObject({
      possible_duplicates: expect.arrayContaining([expect.objectContaining({ entity_id: vendor!.entity_id })]),
    });
  });

  test('[TR92] names the entity that has the corrected number already', async () => {
    const { ask } = open(engine);
    const store = (name: string, fields: object) => ask('store_fact', { subject: { type: 'person', name }, fields });
    const { entity_id: ada } = await store('Ada Lovelace', { email: 'ada@example.com' });
    const { entity_id } = await store('Grace Hopper', { role: 'admiral' });
    expect(await ask('correct_entity', { entity_id, fields: { email: 'ADA@example.com' } })).toMatchObject({
      possible_duplicates: [{ entity_id: ada, of: entity_id, reason: expect.stringContaining('same email') }],
    });
  });

  test('[TR94] suggests the field of a correction and of a provenance that does not exist', async () => {
    const { ask, submit } = open(engine);
    const { entity_id } = (await submit(invoice())).entities[0]!;
    expect(await ask('correct_entity', { entity_id, fields: { vendor: 'Bolt' } })).toMatchObject({
      error: {
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('no field vendor (did you mean vendor_name?); known fields: invoice_number'),
        details: { did_you_mean: 'vendor_name' },
      },
    });
    expect(await ask('get_field_provenance', { entity_id, field: 'total' })).toMatchObject({
      error: {
        code: 'FIELD_NOT_FOUND',
        message: 'The snapshot does not have this field; did you mean amount?',
        details: { did_you_mean: 'amount', fields: expect.arrayContaining(['amount', 'vendor_name']), total: 5 },
      },
    });
  });

  test('[TR94] says how to find the id if a name is passed', async () => {
    const { ask } = open(engine);
    expect(await ask('get_entity_snapshot', { entity_id: 'Acme Corp' })).toMatchObject({
      error: {
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/not a name.*get_entity_by_identifier or retrieve_entities/),
      },
    });
    expect(await ask('get_entity_snapshot', { entity_id: 'ent_0' })).toMatchObject({
      error: { code: 'ENTITY_NOT_FOUND' },
    });
  });
});
