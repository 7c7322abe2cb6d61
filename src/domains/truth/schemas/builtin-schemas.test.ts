import { expect, test } from 'vitest';
import { toStateView } from '../reducer/entity-state.ts';
import { observationFixture } from '../reducer/observations.fixture.ts';
import { reduceAll } from '../reducer/reducer.ts';
import { builtinSchemas, defaultSchema } from './builtin-schemas.ts';
import { dateFieldsOf, entitySchema, fieldOf, isDateField } from './entity-schema.ts';

test('every built-in schema passes the checks for registered ones', () => {
  expect([...builtinSchemas.keys()].sort()).toEqual([
    'company',
    'contract',
    'invoice',
    'note',
    'person',
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

test('an unknown type has an empty schema, whatever its name', () => {
  for (const type of ['vehicle', 'constructor', 'tostring']) {
    expect(defaultSchema(type)).toEqual({ entity_type: type, version: '1.0', fields: {} });
  }
  expect(fieldOf(defaultSchema('vehicle'), 'constructor')).toBeUndefined();
});
