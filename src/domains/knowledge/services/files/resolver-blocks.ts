import { isSql, type ServicePlan } from '../service-request.ts';
import { conversionEntries, helperTexts, type Way } from './conversions.ts';
import { documentText, hasCopy } from './document-blocks.ts';
import { joined, listed } from './text.ts';

const ways = ['store', 'answer', 'ask'] as const;
const tableNames: Readonly<Record<Way, string>> = { store: 'stored', answer: 'answered', ask: 'asked' };

const reasons: Readonly<Record<ServicePlan['database'], string>> = {
  mongodb: '// Dates are dates in the documents, so that they can be compared, and ISO 8601 outside.',
  postgresql: '// JSON goes into its column as text, and a date comes out of its column as an object.',
  sqlite: '// SQLite has no booleans, dates or JSON: they are 1 and 0, ISO 8601 in UTC, and text.',
};

const convertText = `type Conversions = Record<string, (value: unknown) => unknown>;

// Changes what is there: a patch, and an answer to $select, hold only some of the fields.
const convert = (record: Record<string, unknown>, conversions: Conversions) => {
  const converted = { ...record };
  for (const [field, change] of Object.entries(conversions)) {
    const value = converted[field];
    if (value !== undefined && value !== null) converted[field] = change(value);
  }
  return converted;
};
`;

const convertQueryText = `// A value to compare with stands alone, in a list, or behind an operator such as $gt; $or and $and hold whole queries.
const convertOperand = (operand: unknown, change: (value: unknown) => unknown): unknown => {
  if (operand === undefined || operand === null) return operand;
  if (Array.isArray(operand)) return operand.map((item) => convertOperand(item, change));
  if (typeof operand !== 'object') return change(operand);
  const entries = Object.entries(operand);
  return Object.fromEntries(entries.map(([operator, value]) => [operator, convertOperand(value, change)]));
};

const convertQuery = (query: Record<string, unknown>): Record<string, unknown> => {
  const converted = { ...query };
  for (const [field, change] of Object.entries(asked)) {
    if (field in converted) converted[field] = convertOperand(converted[field], change);
  }
  for (const joint of ['$or', '$and']) {
    const queries = converted[joint];
    if (Array.isArray(queries)) converted[joint] = queries.map(convertQuery);
  }
  return converted;
};
`;

/** Functions and tables between what callers see and what the database holds. */
export function conversionBlocks(plan: ServicePlan): readonly string[] {
  const tables = ways.map((way) => [way, conversionEntries(plan, way)] as const);
  const entries = tables.flatMap(([, table]) => table);
  const hasTable = (way: Way) => tables.some(([one, table]) => one === way && table.length > 0);
  const copied = !isSql(plan.database) && plan.fields.some(hasCopy) ? ['copy: toSameText'] : [];
  const tableTexts = tables
    .filter(([, table]) => table.length > 0)
    .map(([way, table]) => listed(`const ${tableNames[way]}: Conversions = { `, table, ' };'));
  // Of MongoDB it is about dates, which alone are asked for in another form.
  const hasReason = isSql(plan.database) || hasTable('ask');
  return [
    ...helperTexts([...entries, ...copied]),
    ...(entries.length === 0 ? [] : [convertText, joined(hasReason && reasons[plan.database], tableTexts, '')]),
    ...(hasTable('ask') ? [convertQueryText] : []),
    ...(isSql(plan.database) ? [] : [documentText(plan, hasTable('store'), hasTable('answer'))]),
  ];
}

function resolver(plan: ServicePlan, part: string, type: string, converter: string | undefined): string {
  const { name, pascal } = plan;
  return joined(
    `export const ${name}${part}Resolver = resolve<${pascal}${type}, HookContext<${pascal}Service>>({`,
    '  properties: {},',
    converter !== undefined && `  converter: async (given) => ${converter} as ${pascal}${type},`,
    '});',
  );
}

interface Converters {
  readonly create?: string | undefined;
  readonly patch?: string | undefined;
  readonly answer?: string | undefined;
}

function sqlConverters(plan: ServicePlan): Converters {
  const has = (way: Way) => conversionEntries(plan, way).length > 0;
  const store = has('store') ? 'convert(given, stored)' : undefined;
  return { create: store, patch: store, answer: has('answer') ? 'convert(given, answered)' : undefined };
}

const documentConverters: Converters = {
  create: 'toDocument(given)',
  patch: 'toUpdate(given)',
  answer: 'toRecord(given)',
};

export function resolverText(plan: ServicePlan): string {
  const { create, patch, answer } = isSql(plan.database) ? sqlConverters(plan) : documentConverters;
  const ask = conversionEntries(plan, 'ask').length > 0 ? 'convertQuery(given)' : undefined;
  return joined(
    '// Values that are computed go into properties: field: async (value, record, context) => …',
    resolver(plan, 'Data', 'Data', create),
    resolver(plan, 'Patch', 'Patch', patch),
    resolver(plan, 'Query', 'Query', ask),
    resolver(plan, '', 'Record', answer),
    '// What callers from outside get: a field that resolves to undefined is hidden from them.',
    resolver(plan, 'External', 'Record', undefined),
    '',
  );
}
