import { describe, expect, test } from 'vitest';
import { builtinById } from '../capabilities/builtin-capabilities.ts';
import type { Body } from '../capabilities/content-id.ts';
import { truthLimits } from '../truth-limits.ts';
import { draftObservations } from './draft-observations.ts';
import { entityIdOf } from './entity-name.ts';

const draftsOf = (name: string, body: Body) =>
  draftObservations(builtinById.get(`neotoma:store_${name}:v1`)!, body, 'payload_x');
const ownOf = (name: string, body: Body) => draftsOf(name, body)[0]!;

describe('[TR6] the entity of a payload itself', () => {
  test('is keyed by all of its natural key, the vendor as a company', () => {
    const own = ownOf('invoice', { invoice_number: ' INV-1 ', vendor_name: 'Acme, Inc.' });
    expect(own).toMatchObject({
      entityType: 'invoice',
      role: 'self',
      identityRule: 'natural_key',
      name: 'inv-1\u001facme',
      entityId: entityIdOf('invoice', 'inv-1\u001facme'),
    });
    expect(ownOf('invoice', { invoice_number: 'inv-1', vendor_name: 'ACME' }).entityId).toBe(own.entityId);
    expect(ownOf('invoice', { invoice_number: 'inv-1', vendor_name: 'Other' }).entityId).not.toBe(own.entityId);
  });

  test('a number is a key as it is written', () => {
    expect(ownOf('transaction', { transaction_id: 1001 }).name).toBe('1001');
  });

  test.each([
    ['half of the key', { invoice_number: 'INV-1', title: 'March' }, 'title', 'march'],
    ['a blank in the key', { invoice_number: ' ', vendor_name: 'Acme', name: 'March' }, 'title', 'march'],
    ['null in the key', { invoice_number: null, vendor_name: 'Acme' }, 'content', 'payload_x'],
    ['an object in the key', { invoice_number: {}, vendor_name: 'Acme' }, 'content', 'payload_x'],
    ['a name too long', { title: 'x'.repeat(truthLimits.nameChars + 1) }, 'content', 'payload_x'],
    ['nothing at all', {}, 'content', 'payload_x'],
  ] as const)('%s leaves it to the next rule', (_, body, identityRule, name) => {
    expect(ownOf('invoice', body)).toMatchObject({ identityRule, name });
  });

  test('holds the whole body', () => {
    const body = { title: 'Plan', content: 'x', anything: [1] };
    expect(ownOf('note', body).stated).toEqual(body);
  });
});

describe('[TR7] the entities in a payload', () => {
  test('a company takes its name as written and what the body says under its prefix', () => {
    const [, vendor, customer, ...rest] = draftsOf('invoice', {
      vendor_name: 'Acme Corp.',
      vendor_address: '1 Main St',
      vendor_tax_id: 'DE1',
      vendor_: 'nothing',
      customer_name: 'Zed',
      amount: 1,
    });
    expect(rest).toEqual([]);
    expect(vendor).toMatchObject({
      entityType: 'company',
      role: 'vendor_name',
      identityRule: 'name',
      entityId: entityIdOf('company', 'acme'),
      stated: { name: 'Acme Corp.', address: '1 Main St', tax_id: 'DE1' },
    });
    expect(Object.keys(vendor!.stated).sort()).toEqual(['address', 'name', 'tax_id']);
    expect(customer).toMatchObject({ role: 'customer_name', stated: { name: 'Zed' } });
  });

  test('the same company in two roles is one entity with two drafts', () => {
    const [, vendor, customer] = draftsOf('invoice', { vendor_name: 'Acme Inc', customer_name: 'ACME' });
    expect(vendor!.entityId).toBe(customer!.entityId);
    expect([vendor!.role, customer!.role]).toEqual(['vendor_name', 'customer_name']);
  });

  test('parties are texts or objects, in a list or alone', () => {
    const parties = draftsOf('contract', { parties: ['Acme', { name: 'Zed Ltd', address: 'X' }, 7, null, {}, ' '] });
    expect(parties.slice(1).map(({ role, name, stated }) => ({ role, name, stated }))).toEqual([
      { role: 'parties[0]', name: 'acme', stated: { name: 'Acme' } },
      { role: 'parties[1]', name: 'zed', stated: { name: 'Zed Ltd', address: 'X' } },
      { role: 'parties[2]', name: '7', stated: { name: 7 } },
    ]);
    expect(draftsOf('contract', { parties: 'Acme' })[1]).toMatchObject({ role: 'parties[0]', name: 'acme' });
  });

  test('tasks of a note are called by their title, or else by their name', () => {
    const tasks = draftsOf('note', {
      tasks: ['Call Bob Inc.', { title: 'Pay', due_date: '2025-02-01' }, { name: 'Rest' }],
    });
    expect(tasks.slice(1)).toMatchObject([
      { entityType: 'task', name: 'call bob inc.', stated: { title: 'Call Bob Inc.' } },
      { name: 'pay', stated: { title: 'Pay', due_date: '2025-02-01' } },
      { name: 'rest', stated: { name: 'Rest' } },
    ]);
  });

  test('a company may be an object, and its own members go before those with its prefix', () => {
    expect(
      draftsOf('transaction', { counterparty: { name: 'Acme', address: 'A' }, counterparty_address: 'B' })[1],
    ).toMatchObject({ role: 'counterparty', name: 'acme', stated: { name: 'Acme', address: 'A' } });
  });

  test('a field called __proto__ is a field', () => {
    const body = JSON.parse('{"vendor_name":"Acme","vendor___proto__":{"a":1},"__proto__":5}') as Body;
    const [own, vendor] = draftsOf('invoice', body);
    expect(Object.keys(own!.stated)).toContain('__proto__');
    expect(Object.entries(vendor!.stated)).toContainEqual(['__proto__', { a: 1 }]);
  });

  test('more entities than a write can hold are refused, and as many as it can are not', () => {
    const tasks = (count: number) => ({ tasks: Array.from({ length: count }, (_, i) => `task ${i}`) });
    const { payloadEntitiesCount } = truthLimits;
    expect(draftsOf('note', tasks(payloadEntitiesCount - 1))).toHaveLength(payloadEntitiesCount);
    expect(() => draftsOf('note', tasks(payloadEntitiesCount))).toThrow(/at most/);
    expect(() => draftsOf('note', tasks(payloadEntitiesCount * 100))).toThrow(/at most/);
  });
});
