import { expect, test } from 'vitest';
import { toStateView } from '../reducer/entity-state.ts';
import { observationFixture } from '../reducer/observations.fixture.ts';
import { reduceAll } from '../reducer/reducer.ts';
import { builtinSchema, builtinSchemas, defaultSchema, firstSchema } from './builtin-schemas.ts';
import { dateFieldsOf, entitySchema, fieldOf, isDateField } from './entity-schema.ts';

test('every built-in schema passes the checks for registered ones', () => {
  expect([...builtinSchemas.keys()].sort()).toEqual([
    'company',
    'contract',
    'decision',
    'document',
    'event',
    'invoice',
    'note',
    'person',
    'place',
    'preference',
    'product',
    'project',
    'receipt',
    'task',
    'transaction',
  ]);
  for (const [type, schema] of builtinSchemas) {
    expect(entitySchema.parse(schema)).toEqual(schema);
    expect(schema.entity_type).toBe(type);
  }
});

test.each([
  ['invoice', ['invoice_number', 'amount', 'vendor_name', 'customer_name', 'date']],
  ['transaction', ['transaction_id', 'amount', 'merchant_name', 'counterparty', 'date']],
  ['receipt', ['receipt_number', 'amount', 'vendor_name', 'date']],
  ['contract', ['contract_number', 'parties', 'start_date', 'end_date']],
  ['note', ['title', 'content', 'tasks']],
  ['company', ['name', 'address', 'tax_id']],
])('%s has the documented fields', (type, names) => {
  expect(Object.keys(defaultSchema(type).fields)).toEqual(expect.arrayContaining(names));
});

test.each([
  ['invoice', 'invoice_number'],
  ['transaction', 'transaction_id'],
  ['receipt', 'receipt_number'],
  ['contract', 'contract_number'],
  ['company', 'tax_id'],
  ['person', 'email'],
])('an entity of type %s is found by %s', (type, name) => {
  expect(fieldOf(defaultSchema(type), name)).toMatchObject({ type: 'string', identifier: true });
});

test('the snapshot contains all fields of the documented invoice', () => {
  const body = {
    invoice_number: 'INV-001',
    amount: 1500,
    vendor_name: 'Acme Corp',
    customer_name: 'Test Customer',
    date: '2025-01-15',
  };
  const schema = defaultSchema('invoice');
  expect(toStateView(reduceAll([observationFixture({ fields: body })], schema), schema).snapshot).toEqual(body);
});

test('a company keeps the last name, the tax id of the better source and all other names', () => {
  const schema = defaultSchema('company');
  const observeds = [
    observationFixture({
      id: 'obs_a',
      observedAt: 1,
      priority: 200,
      fields: { name: 'Acme', tax_id: '1', aliases: 'ACME' },
    }),
    observationFixture({
      id: 'obs_b',
      observedAt: 2,
      priority: 100,
      fields: { name: 'Acme Corp', tax_id: '2', aliases: ['A'] },
    }),
  ];
  expect(toStateView(reduceAll(observeds, schema), schema).snapshot).toEqual({
    name: 'Acme Corp',
    tax_id: '1',
    aliases: ['A', 'ACME'],
  });
});

test('[TR19] recognises date fields by their type', () => {
  expect(dateFieldsOf(defaultSchema('contract'))).toEqual(['start_date', 'end_date', 'signed_date']);
  expect([isDateField({ type: 'date' }), isDateField({ type: 'string' })]).toEqual([true, false]);
});

test('[TR37] an unknown type accepts any field, whatever its name', () => {
  for (const type of ['vehicle', 'constructor', 'tostring']) {
    expect(defaultSchema(type)).toEqual({ entity_type: type, version: '1.0', fields: {}, open: true });
  }
  expect(fieldOf(defaultSchema('vehicle'), 'constructor')).toEqual({ type: 'any' });
});

test('[TR37] people and work are open, documents have only their fields', () => {
  const open = [...builtinSchemas.values()].filter((schema) => schema.open === true);
  expect(open.map(({ entity_type }) => entity_type).sort()).toEqual([
    ...['company', 'decision', 'document', 'event', 'person', 'place', 'preference', 'product', 'project', 'task'],
  ]);
  expect(fieldOf(defaultSchema('invoice'), 'colour')).toBeUndefined();
  expect(fieldOf(defaultSchema('invoice'), 'constructor')).toBeUndefined();
});

test('the first versions stay as they were, for states that were known then', () => {
  expect(firstSchema('vehicle')).toEqual({ entity_type: 'vehicle', version: '1.0', fields: {} });
  expect(firstSchema('project').fields).toEqual({});
  expect(firstSchema('invoice')).toMatchObject({
    version: '1.0',
    fields: {
      amount: { type: 'number', strategy: 'highest_priority', tie_breaker: 'specificity_score' },
      date: { type: 'date' },
      description: { type: 'string', strategy: 'most_specific' },
    },
  });
  expect(firstSchema('company').fields['description']).toEqual({ type: 'string', strategy: 'most_specific' });
  expect(builtinSchema('invoice', '1.0')).toEqual(firstSchema('invoice'));
  expect(builtinSchema('invoice', '2.0')).toBe(defaultSchema('invoice'));
  expect(builtinSchema('invoice', '1.1')).toBeUndefined();
});

test('a figure of a document is the newest one, of one date the one of the better source', () => {
  const schema = defaultSchema('invoice');
  const amounts = (...parts: readonly (readonly [effectiveAt: number, priority: number])[]) => {
    const stated = parts.map(([effectiveAt, priority], i) =>
      observationFixture({ id: `obs_${i}`, effectiveAt, priority, fields: { amount: i } }),
    );
    return toStateView(reduceAll(stated, schema), schema).snapshot['amount'];
  };
  expect(amounts([1, 200], [2, 50])).toBe(1);
  expect(amounts([2, 200], [2, 100])).toBe(0);
});
