import type { EntitySchema, SchemaField, SchemaFields } from './entity-schema.ts';

const text: SchemaField = { type: 'string' };
const number: SchemaField = { type: 'number' };
const truth: SchemaField = { type: 'boolean' };
const date: SchemaField = { type: 'date' };
const list: SchemaField = { type: 'array' };
/** Several sources each know a part. */
const gathered: SchemaField = { type: 'array', strategy: 'merge_array' };
/** The newest document wins; of one date, the source with the higher priority. */
const documented: Pick<SchemaField, 'strategy' | 'tie_breaker'> = {
  strategy: 'last_write',
  tie_breaker: 'source_priority',
};
/** The source with the higher priority wins. */
const identifier: SchemaField = { type: 'string', identifier: true, strategy: 'highest_priority' };
/** Until version 2.0: the more specific source wins a tie. */
const firstFigure: SchemaField = { type: 'number', strategy: 'highest_priority', tie_breaker: 'specificity_score' };
const figure: SchemaField = { type: 'number', ...documented };
const documentDate: SchemaField = { type: 'date', ...documented };
const prose: SchemaField = { type: 'string', strategy: 'most_specific' };

/** Documents: only these fields. */
const fieldsOfDocuments: Readonly<Record<string, SchemaFields>> = {
  invoice: {
    invoice_number: identifier,
    amount: figure,
    currency: text,
    vendor_name: text,
    customer_name: text,
    date: documentDate,
    due_date: documentDate,
    status: text,
    subtotal: figure,
    tax_amount: figure,
    description: prose,
    line_items: list,
    purchase_order_number: identifier,
    tags: gathered,
  },
  transaction: {
    transaction_id: identifier,
    amount: figure,
    currency: text,
    merchant_name: text,
    counterparty: text,
    date: documentDate,
    posted_date: documentDate,
    category: text,
    account_id: text,
    status: text,
    balance: number,
    description: prose,
    tags: gathered,
  },
  receipt: {
    receipt_number: identifier,
    amount: figure,
    currency: text,
    vendor_name: text,
    date: documentDate,
    tax_amount: figure,
    payment_method: text,
    description: prose,
    line_items: list,
    tags: gathered,
  },
  contract: {
    contract_number: identifier,
    title: text,
    parties: gathered,
    start_date: documentDate,
    end_date: documentDate,
    signed_date: documentDate,
    status: text,
    amount: figure,
    currency: text,
    description: prose,
    tags: gathered,
  },
  note: {
    title: text,
    content: text,
    tasks: list,
    date,
    author: text,
    tags: gathered,
  },
};

/** People and work: fields that these lists do not have are accepted too. */
const fieldsOfOpenTypes: Readonly<Record<string, SchemaFields>> = {
  company: {
    name: text,
    address: text,
    tax_id: identifier,
    email: identifier,
    phone: text,
    website: text,
    country: text,
    industry: text,
    description: text,
    founded_date: date,
    aliases: gathered,
    tags: gathered,
  },
  person: {
    name: text,
    email: identifier,
    phone: text,
    address: text,
    role: text,
    company: text,
    birth_date: date,
    description: text,
    aliases: gathered,
    tags: gathered,
  },
  task: {
    name: text,
    title: text,
    description: text,
    status: text,
    is_done: truth,
    due_date: date,
    completed_date: date,
    assignee: text,
    priority: text,
    tags: gathered,
  },
  project: {
    name: text,
    description: text,
    status: text,
    owner: text,
    start_date: date,
    due_date: date,
    end_date: date,
    budget: number,
    aliases: gathered,
    tags: gathered,
  },
  place: {
    name: text,
    address: text,
    city: text,
    country: text,
    description: text,
    aliases: gathered,
    tags: gathered,
  },
  event: {
    name: text,
    date,
    end_date: date,
    location: text,
    description: text,
    tags: gathered,
  },
  decision: {
    name: text,
    title: text,
    decision: text,
    reason: text,
    status: text,
    date,
    decided_by: text,
    tags: gathered,
  },
  preference: {
    name: text,
    value: { type: 'any' },
    reason: text,
    scope: text,
    tags: gathered,
  },
  product: {
    name: text,
    description: text,
    price: number,
    currency: text,
    version: text,
    status: text,
    aliases: gathered,
    tags: gathered,
  },
  document: {
    name: text,
    title: text,
    author: text,
    date,
    url: text,
    summary: text,
    tags: gathered,
  },
};

/** The versions before truth knew when a statement holds. A past state that was known then is reduced with them. */
const firstVersion = '1.0';
const version = '2.0';

const ofVersion = (entity_type: string, fields: SchemaFields, isOpen: boolean): EntitySchema => ({
  entity_type,
  version,
  fields,
  ...(isOpen ? { open: true } : {}),
});

export const builtinSchemas: ReadonlyMap<string, EntitySchema> = new Map(
  [
    ...Object.entries(fieldsOfDocuments).map(([type, fields]) => ofVersion(type, fields, false)),
    ...Object.entries(fieldsOfOpenTypes).map(([type, fields]) => ofVersion(type, fields, true)),
  ].map((schema) => [schema.entity_type, schema]),
);

/** Used until a tenant activates another version. An unknown type accepts any field. */
export const defaultSchema = (type: string): EntitySchema =>
  builtinSchemas.get(type) ?? { entity_type: type, version: firstVersion, fields: {}, open: true };

const firstTypes: ReadonlySet<string> = new Set([...Object.keys(fieldsOfDocuments), 'company', 'person', 'task']);

function toFirstField(name: string, field: SchemaField): SchemaField {
  if (name === 'description') return prose;
  return field === figure ? firstFigure : field === documentDate ? date : field;
}

/** For an unknown type everything is a raw fragment. */
export function firstSchema(type: string): EntitySchema {
  const fields = firstTypes.has(type) ? defaultSchema(type).fields : {};
  return {
    entity_type: type,
    version: firstVersion,
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toFirstField(name, field)])),
  };
}

/** A built-in schema of this version. */
export function builtinSchema(type: string, wanted: string): EntitySchema | undefined {
  if (wanted === version) return defaultSchema(type);
  return wanted === firstVersion ? firstSchema(type) : undefined;
}
