import type { EntitySchema, SchemaField, SchemaFields } from './entity-schema.ts';

const text: SchemaField = { type: 'string' };
const number: SchemaField = { type: 'number' };
const truth: SchemaField = { type: 'boolean' };
const date: SchemaField = { type: 'date' };
const list: SchemaField = { type: 'array' };
/** Several sources each know a part. */
const gathered: SchemaField = { type: 'array', strategy: 'merge_array' };
/** The source with the higher priority wins. */
const identifier: SchemaField = { type: 'string', identifier: true, strategy: 'highest_priority' };
/** The more specific source wins a tie. */
const figure: SchemaField = { type: 'number', strategy: 'highest_priority', tie_breaker: 'specificity_score' };
const prose: SchemaField = { type: 'string', strategy: 'most_specific' };

const fieldsOfTypes: Readonly<Record<string, SchemaFields>> = {
  invoice: {
    invoice_number: identifier,
    amount: figure,
    currency: text,
    vendor_name: text,
    customer_name: text,
    date,
    due_date: date,
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
    date,
    posted_date: date,
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
    date,
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
    start_date: date,
    end_date: date,
    signed_date: date,
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
  company: {
    name: text,
    address: text,
    tax_id: identifier,
    email: identifier,
    phone: text,
    website: text,
    country: text,
    industry: text,
    description: prose,
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
    description: prose,
    aliases: gathered,
    tags: gathered,
  },
  task: {
    name: text,
    title: text,
    description: prose,
    status: text,
    is_done: truth,
    due_date: date,
    completed_date: date,
    assignee: text,
    priority: text,
    tags: gathered,
  },
};

const firstVersion = '1.0';

export const builtinSchemas: ReadonlyMap<string, EntitySchema> = new Map(
  Object.entries(fieldsOfTypes).map(([entity_type, fields]) => [
    entity_type,
    { entity_type, version: firstVersion, fields },
  ]),
);

/** Used until a tenant activates another version. For an unknown type everything is a raw fragment. */
export const defaultSchema = (type: string): EntitySchema =>
  builtinSchemas.get(type) ?? { entity_type: type, version: firstVersion, fields: {} };
