import { type Field, isJson, isSql, type ServicePlan } from '../service-plan.ts';
import { joinLines, quote, wrapList } from './code-text.ts';
import { type ConversionKind, conversionEntries, helperTexts } from './conversions.ts';

/** MongoDB keeps a text copy of a unique array or object, because its index would see single elements. */
export const hasCopy = (field: Field): boolean => isJson(field) && field.unique;
/** Field names of a request cannot begin with `__`. */
export const copyName = ({ name }: Field): string => `__${name}`;

const copyText = (copies: readonly Field[]): string =>
  joinLines(
    '// An index sees the elements of an array one by one: it is the text of the whole value that is unique.',
    wrapList(
      'const uniqueTexts: Record<string, string> = { ',
      copies.map((field) => `${copyName(field)}: '${field.name}'`),
      ' };',
    ),
    `const withTexts = (data: Record<string, unknown>) => {
  const texts = Object.entries(uniqueTexts).filter(([, field]) => data[field] !== undefined);
  const entries = texts.map(([text, field]) => [text, data[field] === null ? null : toSameText(data[field])]);
  return { ...data, ...Object.fromEntries(entries) };
};
`,
  );

/** Converts input to a document or an update, and a document to an answer. */
function documentText({ fields }: ServicePlan, hasStored: boolean, hasAnswered: boolean): string {
  const copies = fields.filter(hasCopy);
  const optional = fields.filter(({ required }) => !required);
  const data = copies.length > 0 ? 'withTexts(data)' : 'data';
  const sent = hasStored ? `convert(${data}, stored)` : data;
  const answered = hasAnswered ? 'convert(document, answered)' : '{ ...document }';
  return joinLines(
    copies.length > 0 && copyText(copies),
    `// A field without a value is not in its document, so that a unique index leaves it out.
const toDocument = (data: Record<string, unknown>) => {
  const entries = Object.entries(${sent});
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
};

const toUpdate = (data: Record<string, unknown>) => {
  const gone = Object.entries(${data}).filter(([, value]) => value === null);
  const $unset = Object.fromEntries(gone.map(([field]) => [field, '']));
  return gone.length === 0 ? toDocument(data) : { ...toDocument(data), $unset };
};
`,
    optional.length > 0 &&
      wrapList(
        'const optional = [',
        optional.map(({ name }) => quote(name)),
        '];',
      ),
    'const toRecord = (document: Record<string, unknown>) => {',
    `  const record: Record<string, unknown> = ${answered};`,
    optional.length > 0 && '  for (const field of optional) record[field] ??= null;',
    copies.map((field) => `  delete record.${copyName(field)};`),
    '  return record;',
    '};',
    '',
  );
}

const ways = ['store', 'answer', 'ask'] as const;
const tableNames: Readonly<Record<ConversionKind, string>> = { store: 'stored', answer: 'answered', ask: 'asked' };

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

/** Functions and tables that convert between what callers see and what the database stores. */
export function conversionBlocks(plan: ServicePlan): readonly string[] {
  const tables = ways.map((way) => [way, conversionEntries(plan, way)] as const);
  const entries = tables.flatMap(([, table]) => table);
  const hasTable = (way: ConversionKind) => tables.some(([one, table]) => one === way && table.length > 0);
  const copied = !isSql(plan.database) && plan.fields.some(hasCopy) ? ['copy: toSameText'] : [];
  const tableTexts = tables
    .filter(([, table]) => table.length > 0)
    .map(([way, table]) => wrapList(`const ${tableNames[way]}: Conversions = { `, table, ' };'));
  // For MongoDB the comment is about dates, the only type that is converted in queries.
  const hasReason = isSql(plan.database) || hasTable('ask');
  return [
    ...helperTexts([...entries, ...copied]),
    ...(entries.length === 0 ? [] : [convertText, joinLines(hasReason && reasons[plan.database], tableTexts, '')]),
    ...(hasTable('ask') ? [convertQueryText] : []),
    ...(isSql(plan.database) ? [] : [documentText(plan, hasTable('store'), hasTable('answer'))]),
  ];
}

function resolver(plan: ServicePlan, part: string, type: string, converter: string | undefined): string {
  const { name, pascal } = plan;
  return joinLines(
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
  const has = (way: ConversionKind) => conversionEntries(plan, way).length > 0;
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
  return joinLines(
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
