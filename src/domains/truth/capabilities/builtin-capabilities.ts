import type { Capability, ExtractRule } from './capability.ts';

/** Fields of the body with the same prefix belong to the company. */
const company = (field: string, prefix: string, link: string): ExtractRule => ({
  kind: 'field_value',
  field,
  prefix,
  entity_type: 'company',
  link,
});

/** Every store has these (RULINGS R6). */
export const builtinCapabilities: readonly Capability[] = [
  {
    capability_id: 'neotoma:store_invoice:v1',
    description: 'An invoice with its vendor and customer.',
    primary_type: 'invoice',
    hash_fields: ['invoice_number', 'amount', 'vendor_name', 'customer_name', 'date'],
    natural_key: [{ field: 'invoice_number' }, { field: 'vendor_name', company: true }],
    extract: [company('vendor_name', 'vendor_', 'ISSUED_BY'), company('customer_name', 'customer_', 'BILLED_TO')],
  },
  {
    capability_id: 'neotoma:store_transaction:v1',
    description: 'A movement of money with its merchant or counterparty.',
    primary_type: 'transaction',
    hash_fields: ['transaction_id', 'amount', 'merchant_name', 'counterparty', 'date'],
    natural_key: [{ field: 'transaction_id' }],
    extract: [company('merchant_name', 'merchant_', 'PAID_TO'), company('counterparty', 'counterparty_', 'PAID_TO')],
  },
  {
    capability_id: 'neotoma:store_receipt:v1',
    description: 'A receipt with its vendor.',
    primary_type: 'receipt',
    hash_fields: ['receipt_number', 'amount', 'vendor_name', 'date'],
    natural_key: [{ field: 'receipt_number' }, { field: 'vendor_name', company: true }],
    extract: [company('vendor_name', 'vendor_', 'ISSUED_BY')],
  },
  {
    capability_id: 'neotoma:store_contract:v1',
    description: 'A contract with its parties.',
    primary_type: 'contract',
    hash_fields: ['contract_number', 'parties', 'start_date', 'end_date'],
    natural_key: [{ field: 'contract_number' }],
    extract: [
      {
        kind: 'array_items',
        field: 'parties',
        entity_type: 'company',
        name_field: 'name',
        link: 'PARTY_TO',
        link_direction: 'inbound',
      },
    ],
  },
  {
    capability_id: 'neotoma:store_note:v1',
    description: 'A note with the tasks that are in it.',
    primary_type: 'note',
    hash_fields: ['title', 'content', 'tasks'],
    natural_key: [{ field: 'title' }],
    extract: [{ kind: 'array_items', field: 'tasks', entity_type: 'task', name_field: 'title' }],
  },
];

/** For connectors only, so the lists that agents read do not have them. */
const connectorCapabilities: readonly Capability[] = [
  ['message', 'A mail or chat message.'],
  ['post', 'A post of a social network.'],
  ['event', 'A calendar event.'],
  ['issue', 'An issue or pull request.'],
  ['commit', 'A commit or tag.'],
  ['article', 'An entry of a feed.'],
  ['document', 'A text file.'],
].map(([type, description]) => ({
  capability_id: `fourfold:store_${type}:v1`,
  description: description!,
  primary_type: type!,
  // Its id there identifies it, so what changes there becomes a further submission.
  hash_fields: ['provider', 'external_id'],
  natural_key: [{ field: 'provider' }, { field: 'external_id' }],
  extract: [],
}));

export const builtinById: ReadonlyMap<string, Capability> = new Map(
  [...builtinCapabilities, ...connectorCapabilities].map((capability) => [capability.capability_id, capability]),
);
