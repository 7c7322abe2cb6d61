import type { Json } from '#kernel/json/canonical.ts';
import type { Capability } from '../capabilities/capability.ts';
import { builtinSchemas } from '../schemas/builtin-schemas.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { entityIdOf, type Fields, type Rules } from './oracle-rules.fixture.ts';

/** How the oracle reads payloads: RULINGS R6, written independently. */
interface CapabilityRules {
  readonly type: string;
  readonly hash: readonly string[];
  /** `!` marks a company name. */
  readonly key: readonly string[];
  readonly companies: readonly string[];
  /** A list of entities: field, entity type, name field. */
  readonly list?: readonly [field: string, type: string, nameField: string];
  readonly priority: number;
  /** Relationship types by field; `!` leads from the other entity to the document. */
  readonly links?: Readonly<Record<string, string>>;
}

const invoice: CapabilityRules = {
  type: 'invoice',
  hash: ['invoice_number', 'amount', 'vendor_name', 'customer_name', 'date'],
  key: ['invoice_number', 'vendor_name!'],
  companies: ['vendor_name', 'customer_name'],
  priority: 100,
  links: { vendor_name: 'ISSUED_BY', customer_name: 'BILLED_TO' },
};

export const capabilityRules: Readonly<Record<string, CapabilityRules>> = {
  'neotoma:store_invoice:v1': invoice,
  'neotoma:store_transaction:v1': {
    type: 'transaction',
    hash: ['transaction_id', 'amount', 'merchant_name', 'counterparty', 'date'],
    key: ['transaction_id'],
    companies: ['merchant_name', 'counterparty'],
    priority: 100,
    links: { merchant_name: 'PAID_TO', counterparty: 'PAID_TO' },
  },
  'neotoma:store_contract:v1': {
    type: 'contract',
    hash: ['contract_number', 'parties', 'start_date', 'end_date'],
    key: ['contract_number'],
    companies: [],
    list: ['parties', 'company', 'name'],
    priority: 100,
    links: { parties: 'PARTY_TO!' },
  },
  'neotoma:store_note:v1': {
    type: 'note',
    hash: ['title', 'content', 'tasks'],
    key: ['title'],
    companies: [],
    list: ['tasks', 'task', 'title'],
    priority: 100,
  },
  'acme:scan_invoice:v1': { ...invoice, priority: 300, links: {} },
  'acme:store_ticket:v1': {
    type: 'ticket',
    hash: ['number', 'subject'],
    key: ['number'],
    companies: ['customer_name'],
    priority: 20,
  },
};

/** Must be registered by the tenant first. */
export const ownCapabilities: readonly Capability[] = [
  {
    capability_id: 'acme:scan_invoice:v1',
    primary_type: 'invoice',
    hash_fields: [...invoice.hash],
    natural_key: [{ field: 'invoice_number' }, { field: 'vendor_name', company: true }],
    extract: ['vendor', 'customer'].map((who) => ({
      kind: 'field_value',
      field: `${who}_name`,
      prefix: `${who}_`,
      entity_type: 'company',
    })),
    source_priority: 300,
  },
  {
    capability_id: 'acme:store_ticket:v1',
    primary_type: 'ticket',
    hash_fields: ['number', 'subject'],
    natural_key: [{ field: 'number' }],
    extract: [{ kind: 'field_value', field: 'customer_name', prefix: 'customer_', entity_type: 'company' }],
    source_priority: 20,
  },
];

const extendSchema = (
  type: string,
  version: string,
  more: EntitySchema['fields'],
  options: Pick<EntitySchema, 'open'> = {},
): EntitySchema => ({
  entity_type: type,
  version,
  fields: { ...builtinSchemas.get(type)?.fields, ...more },
  ...options,
});
const shoe = { shoe_size: { type: 'number', strategy: 'highest_priority' } } as const;
const address = { address: { type: 'string', strategy: 'most_specific', tie_breaker: 'source_priority' } } as const;
const phone = { phone: { type: 'string', strategy: 'highest_priority', tie_breaker: 'observed_at' } } as const;

/** Fields that were raw or open before, and other policies for existing fields. */
export const ownSchemas: readonly EntitySchema[] = [
  extendSchema('company', '2.1', { ...shoe, ...address, ...phone }),
  extendSchema('company', '2.2', { ...shoe, ...address, ...phone, colour: { type: 'string' } }),
  extendSchema('invoice', '2.1', {
    colour: { type: 'string', strategy: 'most_specific' },
    reviewed_date: { type: 'date' },
  }),
  extendSchema(
    'invoice',
    '2.2',
    { colour: { type: 'string', strategy: 'most_specific' }, reviewed_date: { type: 'date' } },
    { open: true },
  ),
  extendSchema('ticket', '2.1', {
    number: { type: 'string', identifier: true },
    subject: { type: 'string', strategy: 'highest_priority', tie_breaker: 'specificity_score' },
    opened_date: { type: 'date' },
    labels: { type: 'array', strategy: 'merge_array' },
  }),
];

export interface EntityMention {
  readonly entityId: string;
  readonly entityType: string;
  readonly name: string;
  readonly rule: string;
  readonly role: string;
  readonly stated: Fields;
  readonly ended?: readonly string[];
}

const isMap = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** [TR6] [TR7] The payload's own entity first. */
export function mentionsIn(
  capability: CapabilityRules,
  body: Fields,
  contentId: string,
  rules: Rules,
): readonly EntityMention[] {
  const nameOf = (value: Json | undefined, isCompany: boolean): string =>
    typeof value === 'string' || typeof value === 'number' ? rules.normaliseName(String(value), isCompany) : '';
  const mention = (entityType: string, name: string, rule: string, role: string, stated: Fields): EntityMention => ({
    ...{ entityId: entityIdOf(entityType, name), entityType, name, rule, role, stated },
  });

  const parts = capability.key.map((field) => nameOf(body[field.replace('!', '')], field.endsWith('!')));
  const title = nameOf(body['title'], false) || nameOf(body['name'], false);
  const own: readonly [string, string] = parts.every((part) => part !== '')
    ? ['natural_key', parts.join('\u001f')]
    : title === ''
      ? ['content', contentId]
      : ['title', title];
  const found = [mention(capability.type, own[1], own[0], 'self', body)];

  for (const field of capability.companies) {
    const prefix = field.includes('_') ? `${field.split('_')[0]}_` : `${field}_`;
    const prefixed = Object.entries(body)
      .filter(([key]) => key.startsWith(prefix) && key !== `${prefix}name`)
      .map(([key, value]) => [key.slice(prefix.length), value] as const);
    const value = body[field];
    const said = isMap(value) ? value : { name: value as Json };
    const name = nameOf(said['name'], true);
    if (name !== '') found.push(mention('company', name, 'name', field, { ...Object.fromEntries(prefixed), ...said }));
  }

  if (capability.list !== undefined) {
    const [field, type, nameField] = capability.list;
    const value = body[field] ?? [];
    for (const [i, item] of (Array.isArray(value) ? (value as readonly Json[]) : [value]).entries()) {
      const said = isMap(item) ? item : { [nameField]: item };
      const name = nameOf(said[nameField], type === 'company') || nameOf(said['name'], type === 'company');
      if (name !== '') found.push(mention(type, name, 'name', `${field}[${i}]`, said));
    }
  }
  return found;
}

/** The edges between a document and the companies it names. */
export function linksIn({ links = {} }: CapabilityRules, mentions: readonly EntityMention[]) {
  const [own, ...others] = mentions;
  return others.flatMap(({ role, entityId }) => {
    const [type, isInbound] = (links[role.split('[')[0]!] ?? '').split('!');
    if (type === undefined || type === '') return [];
    const [source, target] = isInbound === undefined ? [own!.entityId, entityId] : [entityId, own!.entityId];
    return [{ type, source, target }];
  });
}
