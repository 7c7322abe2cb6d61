import { describe, expect, test } from 'vitest';
import { builtinById } from '../capabilities/builtin-capabilities.ts';
import type { Body } from '../capabilities/content-id.ts';
import { truthLimits } from '../truth-limits.ts';
import { draftObservations } from './draft-observations.ts';
import { entityIdOf } from './entity-name.ts';

const draftsOf = (name: string, body: Body) =>
  draftObservations(builtinById.get(`neotoma:store_${name}:v1`)!, body, 'payload_x');
const ownOf = (name: string, body: Body) => draftsOf(name, body)[0]!;

describe("[TR6] the payload's own entity", () => {
  test('is identified by the complete natural key, with the vendor as a company', () => {
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

  test('uses a number as written', () => {
    expect(ownOf('transaction', { transaction_id: 1001 }).name).toBe('1001');
  });

  test.each([
    ['half of the key', { invoice_number: 'INV-1', title: 'March' }, 'title', 'march'],
    ['a blank in the key', { invoice_number: ' ', vendor_name: 'Acme', name: 'March' }, 'title', 'march'],
    ['null in the key', { invoice_number: null, vendor_name: 'Acme' }, 'content', 'payload_x'],
    ['an object in the key', { invoice_number: {}, vendor_name: 'Acme' }, 'content', 'payload_x'],
    ['a name too long', { title: 'x'.repeat(truthLimits.nameChars + 1) }, 'content', 'payload_x'],
    ['nothing at all', {}, 'content', 'payload_x'],
  ] as const)('falls back to the next rule for %s', (_, body, identityRule, name) => {
    expect(ownOf('invoice', body)).toMatchObject({ identityRule, name });
  });

  test('holds the whole body', () => {
    const body = { title: 'Plan', content: 'x', anything: [1] };
    expect(ownOf('note', body).stated).toEqual(body);
  });
});

describe('[TR7] the other entities in a payload', () => {
  test('gives a company its name as written and the body fields with its prefix', () => {
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

  test('drafts two observations for the same company in two roles', () => {
    const [, vendor, customer] = draftsOf('invoice', { vendor_name: 'Acme Inc', customer_name: 'ACME' });
    expect(vendor!.entityId).toBe(customer!.entityId);
    expect([vendor!.role, customer!.role]).toEqual(['vendor_name', 'customer_name']);
  });

  test('reads parties as texts or objects, in a list or alone', () => {
    const parties = draftsOf('contract', { parties: ['Acme', { name: 'Zed Ltd', address: 'X' }, 7, null, {}, ' '] });
    expect(parties.slice(1).map(({ role, name, stated }) => ({ role, name, stated }))).toEqual([
      { role: 'parties[0]', name: 'acme', stated: { name: 'Acme' } },
      { role: 'parties[1]', name: 'zed', stated: { name: 'Zed Ltd', address: 'X' } },
      { role: 'parties[2]', name: '7', stated: { name: 7 } },
    ]);
    expect(draftsOf('contract', { parties: 'Acme' })[1]).toMatchObject({ role: 'parties[0]', name: 'acme' });
  });

  test('names the tasks of a note by title, otherwise by name', () => {
    const tasks = draftsOf('note', {
      tasks: ['Call Bob Inc.', { title: 'Pay', due_date: '2025-02-01' }, { name: 'Rest' }],
    });
    expect(tasks.slice(1)).toMatchObject([
      { entityType: 'task', name: 'call bob inc.', stated: { title: 'Call Bob Inc.' } },
      { name: 'pay', stated: { title: 'Pay', due_date: '2025-02-01' } },
      { name: 'rest', stated: { name: 'Rest' } },
    ]);
  });

  test('a company may be an object, and its own members win over prefixed fields', () => {
    expect(
      draftsOf('transaction', { counterparty: { name: 'Acme', address: 'A' }, counterparty_address: 'B' })[1],
    ).toMatchObject({ role: 'counterparty', name: 'acme', stated: { name: 'Acme', address: 'A' } });
  });

  test('keeps a field called __proto__', () => {
    const body = JSON.parse('{"vendor_name":"Acme","vendor___proto__":{"a":1},"__proto__":5}') as Body;
    const [own, vendor] = draftsOf('invoice', body);
    expect(Object.keys(own!.stated)).toContain('__proto__');
    expect(Object.entries(vendor!.stated)).toContainEqual(['__proto__', { a: 1 }]);
  });

  test('rejects a payload with too many entities and accepts the maximum', () => {
    const tasks = (count: number) => ({ tasks: Array.from({ length: count }, (_, i) => `task ${i}`) });
    const { payloadEntitiesCount } = truthLimits;
    expect(draftsOf('note', tasks(payloadEntitiesCount - 1))).toHaveLength(payloadEntitiesCount);
    expect(() => draftsOf('note', tasks(payloadEntitiesCount))).toThrow(/at most/);
    expect(() => draftsOf('note', tasks(payloadEntitiesCount * 100))).toThrow(/at most/);
  });
});
