import { expect, test } from 'vitest';
import { truthLimits } from '../truth-limits.ts';
import { builtinCapabilities } from './builtin-capabilities.ts';
import { unknownCapability } from './unknown-capability.ts';

test.each<[string, string | undefined]>([
  ['neotoma:store_invoice:v2', 'neotoma:store_invoice:v1'],
  ['neotoma:store_invoce:v1', 'neotoma:store_invoice:v1'],
  ['store_receipt', 'neotoma:store_receipt:v1'],
  ['Invoices', 'neotoma:store_invoice:v1'],
  ['acme:note:v1', 'neotoma:store_note:v1'],
  ['save_note', 'neotoma:store_note:v1'],
  ['neotoma:store_contracts', 'neotoma:store_contract:v1'],
  ['neotoma:store_dream:v1', undefined],
  ['x', undefined],
  ['', undefined],
  ['x'.repeat(300), undefined],
])('[TR93] for %s the nearest capability is %s', (id, nearest) => {
  expect(unknownCapability(id, builtinCapabilities).details['did_you_mean']).toBe(nearest);
});

test('[TR93] lists a bounded number of capabilities and fields', () => {
  const many = Array.from({ length: 500 }, (_one, i) => ({
    ...builtinCapabilities[0]!,
    capability_id: `acme:store_${i}:v1`,
    hash_fields: Array.from({ length: 100 }, (_, j) => `field_${j}`),
  }));
  const { details } = unknownCapability('acme:nothing:v1', many);
  expect(details).toMatchObject({ capabilities: { length: truthLimits.listedCapabilitiesCount }, total: 500 });
  const [first] = details['capabilities'] as readonly { fields: readonly string[] }[];
  expect(first!.fields).toHaveLength(truthLimits.listedFieldsCount);
});
