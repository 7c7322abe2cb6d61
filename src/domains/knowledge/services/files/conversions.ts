import type { Database } from '../../base/base-entries.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { type Field, isJson, type ServicePlan } from '../service-plan.ts';

/** Names of functions in the generated file that convert a value for the database, for an answer and for a query. */
interface Conversion {
  readonly store?: string;
  readonly answer?: string;
  readonly ask?: string;
}

const jsonText: Conversion = { store: 'toJson' };
const hex: Conversion = { store: 'toHex', ask: 'toHex' };

const conversions: Readonly<Record<Database, Partial<Readonly<Record<Field['type'], Conversion>>>>> = {
  mongodb: {
    date: { store: 'toMoment', answer: 'toIso', ask: 'toMoment' },
    array: { store: 'checked' },
    object: { store: 'checked' },
  },
  postgresql: {
    date: { store: 'toUtc', answer: 'toIso', ask: 'toUtc' },
    objectId: hex,
    array: jsonText,
    object: jsonText,
  },
  sqlite: {
    boolean: { answer: 'Boolean' },
    date: { store: 'toUtc', ask: 'toUtc' },
    objectId: hex,
    array: { ...jsonText, answer: 'fromJson' },
    object: { ...jsonText, answer: 'fromJson' },
  },
};

function conversionOf(database: Database, field: Field): Conversion {
  const conversion = conversions[database][field.type] ?? {};
  // SQLite's unique index compares the text, PostgreSQL's the jsonb value.
  return database === 'sqlite' && isJson(field) && field.unique ? { ...conversion, store: 'toSameText' } : conversion;
}

export type ConversionKind = keyof Conversion;

/** Entries of a table in the generated file: `due: toUtc`. */
export const conversionEntries = ({ database, fields }: ServicePlan, way: ConversionKind): readonly string[] =>
  fields.flatMap((field) => {
    const how = conversionOf(database, field)[way];
    return how === undefined ? [] : [`${field.name}: ${how}`];
  });

const helpers: Readonly<Record<string, { readonly needs: readonly string[]; readonly text: string }>> = {
  toMoment: {
    needs: [],
    text: `// Databases disagree about years before 1 and after 9999.
const toMoment = (value: unknown) => {
  const moment = new Date(String(value));
  const year = moment.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw new BadRequest('A date must be a moment in the years 1 to 9999');
  return moment;
};
`,
  },
  toUtc: {
    needs: ['toMoment'],
    text: `const toUtc = (value: unknown) => toMoment(value).toISOString();
`,
  },
  toIso: {
    needs: [],
    text: `const toIso = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
`,
  },
  toHex: {
    needs: [],
    text: `const toHex = (value: unknown) => String(value).toLowerCase();
`,
  },
  checked: {
    needs: [],
    text: `// What no database keeps, or no answer can be made of, is refused: too deep a value, and keys that drivers trip over.
const checked = (value: unknown, depth = 1): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > ${knowledgeLimits.jsonDepthCount}) throw new BadRequest('A value has more than ${knowledgeLimits.jsonDepthCount} levels');
  for (const [key, inner] of Object.entries(value)) {
    if (key === '_bsontype' || key.includes('\\0')) throw new BadRequest('A value has a key that cannot be kept');
    checked(inner, depth + 1);
  }
  return value;
};
`,
  },
  toJson: {
    needs: ['checked'],
    text: `const toJson = (value: unknown) => JSON.stringify(checked(value));
`,
  },
  fromJson: {
    needs: [],
    text: `const fromJson = (value: unknown) => JSON.parse(String(value));
`,
  },
  toSameText: {
    needs: ['checked'],
    text: `// The same value is the same text, whatever the order of its keys: that makes it unique.
const sortKeys = (_key: string, value: unknown) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
};
const toSameText = (value: unknown) => JSON.stringify(checked(value), sortKeys);
`,
  },
};

/** The functions that these entries use, dependencies first. */
export function helperTexts(entries: readonly string[]): readonly string[] {
  const named = entries.map((entry) => entry.slice(entry.indexOf(': ') + 2));
  const wanted = new Set(named.flatMap((name) => [...(helpers[name]?.needs ?? []), name]));
  return Object.entries(helpers)
    .filter(([name]) => wanted.has(name))
    .map(([, { text }]) => text);
}

/** Whether the generated file throws BadRequest itself. */
export const refusesValues = (entries: readonly string[]): boolean =>
  entries.some((entry) => /: (?:toMoment|toUtc|checked|toJson|toSameText)$/.test(entry));
