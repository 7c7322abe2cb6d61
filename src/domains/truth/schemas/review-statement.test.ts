import { expect, test } from 'vitest';
import type { Json } from '#kernel/json/canonical.ts';
import { builtinById } from '../capabilities/builtin-capabilities.ts';
import { truthLimits } from '../truth-limits.ts';
import { builtinSchemas } from './builtin-schemas.ts';
import { nearField } from './near-field.ts';
import { readStatement } from './read-statement.ts';
import { reviewStatement } from './review-statement.ts';

const schemaOf = (type: string) => builtinSchemas.get(type)!;
const readerOf = (type: string) => builtinById.get(`neotoma:store_${type}:v1`)!;
const review = (type: string, body: Readonly<Record<string, Json>>) =>
  reviewStatement(schemaOf(type), readerOf(type), body);

const complete = { invoice_number: 'INV-1', vendor_name: 'Acme', amount: 1500, date: '2025-01-15' };

test('[TR92] reports nothing about a body that the schema knows', () => {
  const body = { ...complete, vendor_address: 'Main Street 1', file_urls: ['a'], tags: ['x'], customer_name: null };
  expect(review('invoice', body)).toEqual({});
});

test('[TR92] reports unknown fields, near ones and missing parts of the natural key', () => {
  expect(review('invoice', { invoiceNumber: 'INV-1', vendor: 'Acme', total: 5, colour: 'red', nothing: null })).toEqual(
    {
      unknown_fields: ['invoiceNumber', 'vendor', 'total', 'colour'],
      did_you_mean: { invoiceNumber: 'invoice_number', vendor: 'vendor_name', total: 'amount' },
      missing_key_fields: ['invoice_number', 'vendor_name'],
    },
  );
});

test('[TR92] reports a field of a company that is not named', () => {
  const { vendor_name: _, ...body } = complete;
  expect(review('invoice', { ...body, vendor_address: 'Main Street 1' })).toMatchObject({
    unknown_fields: ['vendor_address'],
    missing_key_fields: ['vendor_name'],
  });
});

test.each<[string, string, string | undefined]>([
  ['invoice', 'invoiceNumber', 'invoice_number'],
  ['invoice', 'Invoice-Number', 'invoice_number'],
  ['invoice', 'invoice_no', 'invoice_number'],
  ['invoice', 'inv_no', 'invoice_number'],
  ['invoice', 'invoice_id', 'invoice_number'],
  ['invoice', 'number', 'invoice_number'],
  ['invoice', 'amt', 'amount'],
  ['invoice', 'total', 'amount'],
  ['invoice', 'invoice_amount', 'amount'],
  ['invoice', 'ammount', 'amount'],
  ['invoice', 'supplier', 'vendor_name'],
  ['invoice', 'vender_name', 'vendor_name'],
  ['invoice', 'customer', 'customer_name'],
  ['invoice', 'invoiceDate', 'date'],
  ['invoice', 'due', 'due_date'],
  ['invoice', 'PO', 'purchase_order_number'],
  ['transaction', 'txn_id', 'transaction_id'],
  ['transaction', 'vendor', 'merchant_name'],
  ['contract', 'start', 'start_date'],
  ['note', 'body', 'content'],
  ['person', 'e-mail', 'email'],
  ['person', 'birthday', 'birth_date'],
  ['person', 'employer', 'company'],
  ['task', 'deadline', 'due_date'],
  ['invoice', 'colour', undefined],
  ['invoice', 'shipping_address', undefined],
  ['invoice', 'x', undefined],
  ['invoice', '', undefined],
  ['invoice', '__proto__', undefined],
  ['invoice', 'constructor', undefined],
  ['invoice', 'amount'.padEnd(65, 't'), undefined],
])('[TR92] in %s, suggests for %s the field %s', (type, name, near) => {
  expect(nearField(name, Object.keys(schemaOf(type).fields), type)).toBe(near);
});

test('[TR92] does not suggest a field that the body contains', () => {
  expect(review('invoice', { ...complete, total: 1500 })).toEqual({ unknown_fields: ['total'] });
});

test('[TR90] reports values that were read from texts, and values that do not fit', () => {
  const body = { ...complete, amount: '1,500.00', date: '15 January 2025', due_date: '01/02/2025', subtotal: '1,500' };
  expect(review('invoice', { ...body, tax_amount: 'none', status: { a: 1 } }).not_fitting).toEqual([
    { field: 'amount', value: '1,500.00', expected: 'number, such as 1500.5', parsed_as: 1500 },
    { field: 'date', value: '15 January 2025', expected: expect.stringContaining('date'), parsed_as: '2025-01-15' },
    expect.objectContaining({ field: 'due_date', value: '01/02/2025', note: expect.stringContaining('month') }),
    { field: 'status', value: { a: 1 }, expected: 'string' },
    expect.objectContaining({ field: 'subtotal', value: '1,500', note: expect.stringContaining('thousands') }),
    { field: 'tax_amount', value: 'none', expected: 'number, such as 1500.5' },
  ]);
  expect(readStatement(schemaOf('invoice'), body)).toMatchObject({
    fields: { amount: 1500, date: '2025-01-15' },
    rawFragments: { due_date: '01/02/2025', subtotal: '1,500' },
  });
});

const readInvoice = (body: Readonly<Record<string, Json>>) => {
  const { fields, rawFragments } = readStatement(schemaOf('invoice'), body);
  return { fields, raw: rawFragments, notes: review('invoice', body).not_fitting?.map(({ note }) => note) };
};

test('[TR91] takes the currency from the text of an amount if the body has none', () => {
  expect(readInvoice({ amount: '1,500 EUR', tax_amount: '€ 285,00' })).toEqual({
    fields: { amount: 1500, tax_amount: 285, currency: 'EUR' },
    raw: {},
    notes: ['currency is set to EUR', 'currency is set to EUR'],
  });
});

test('[TR91] does not guess what a dollar sign means', () => {
  expect(readInvoice({ amount: '$1,500' })).toEqual({
    fields: { amount: 1500 },
    raw: {},
    notes: ['Currency in the text: $'],
  });
  expect(readInvoice({ amount: '$1,500', tax_amount: 'CAD 5.00' }).fields).toEqual({
    amount: 1500,
    tax_amount: 5,
    currency: 'CAD',
  });
  expect(readInvoice({ amount: '$1,500', currency: 'CAD' }).fields).toEqual({ amount: 1500, currency: 'CAD' });
});

test('[TR91] keeps an amount in another currency as a text', () => {
  expect(readInvoice({ amount: '1,500 EUR', currency: 'USD' })).toEqual({
    fields: { currency: 'USD' },
    raw: { amount: '1,500 EUR' },
    notes: ['EUR is not the currency of the other values'],
  });
  expect(readInvoice({ amount: '1,500 EUR', tax_amount: '5.00 USD' })).toMatchObject({
    fields: {},
    raw: { amount: '1,500 EUR', tax_amount: '5.00 USD' },
  });
  expect(readInvoice({ amount: '1,500 EUR', currency: 'euro' }).fields).toEqual({ amount: 1500, currency: 'euro' });
});

test('[TR92] is bounded for any body', () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`${'long_'.repeat(30)}${i}`, i]));
  const text = JSON.stringify(review('invoice', { ...many, amount: 'é'.repeat(100_000), tags: ['x'.repeat(90_000)] }));
  expect(JSON.parse(text)).toMatchObject({
    unknown_fields: { length: truthLimits.reviewedCount },
    not_fitting: [{ field: 'amount', value: `${'é'.repeat(79)}…` }, { field: 'tags' }],
  });
  expect(text.length).toBeLessThan(5_000);
});

test('[TR92] reports no field as unknown if the type has no schema', () => {
  const open = { entity_type: 'planet', version: '1.0', fields: {} };
  expect(reviewStatement(open, { natural_key: [], extract: [] }, { moons: 2 })).toEqual({});
});
