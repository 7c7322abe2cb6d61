import { z } from 'zod';
import { cutText } from '#kernel/fault/bound-fault.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Capability } from '../capabilities/capability.ts';
import { readAmountText } from '../texts/amount-text.ts';
import { readDateText } from '../texts/date-text.ts';
import { truthLimits } from '../truth-limits.ts';
import type { EntitySchema, SchemaField } from './entity-schema.ts';
import { fitValue, readValue } from './fit-value.ts';
import { nearField } from './near-field.ts';
import { findMoneyTexts, type MoneyTexts, type Stated, statedIn } from './read-statement.ts';

const misfit = z.object({
  field: z.string(),
  value: z.unknown().describe('As given, shortened'),
  expected: z.string(),
  parsed_as: z.unknown().optional().describe('Absent: kept as a raw fragment'),
  note: z.string().optional(),
});
export type Misfit = Readonly<z.output<typeof misfit>>;

const possibleDuplicate = z.object({
  entity_id: z.string(),
  entity_type: z.string(),
  name: z.string(),
  reason: z.string(),
  of: z.string().describe('The written entity'),
});
export type PossibleDuplicate = Readonly<z.output<typeof possibleDuplicate>>;

/** What a write could not use, or read differently; part of its answer. Empty members are left out. */
export const reviewFields = {
  unknown_fields: z.array(z.string()).optional(),
  did_you_mean: z.record(z.string(), z.string()).optional(),
  not_fitting: z.array(misfit).optional(),
  missing_key_fields: z.array(z.string()).optional(),
  possible_duplicates: z.array(possibleDuplicate).optional().describe('Existing entities that share a number or name'),
};

export interface Review {
  readonly unknown_fields?: readonly string[];
  readonly did_you_mean?: Readonly<Record<string, string>>;
  readonly not_fitting?: readonly Misfit[];
  readonly missing_key_fields?: readonly string[];
  readonly possible_duplicates?: readonly PossibleDuplicate[];
}

const { reviewedCount, reviewedChars } = truthLimits;

/** Short enough for an answer, whatever was sent. */
export function shorten(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= reviewedChars ? value : cutText(text, reviewedChars);
}

const expectations: Readonly<Record<SchemaField['type'], string>> = {
  string: 'string',
  number: 'number, such as 1500.5',
  boolean: 'boolean: true or false',
  date: 'date, such as 2025-01-15, 2025-01 or 2025-01-15T10:30:00Z',
  array: 'array',
  object: 'object',
  any: 'any JSON',
};

const expectationOf = ({ type, strategy }: SchemaField): string =>
  strategy === 'merge_array' && type !== 'array' ? `${type} or an array of them` : expectations[type];

/** Why a text of the right kind was not read. */
function ambiguityOf({ type }: SchemaField, value: Json): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (type === 'number') {
    const amount = readAmountText(value);
    if (amount !== undefined && amount.value === undefined)
      return 'The mark may separate thousands or decimals; send a number';
  }
  if (type !== 'date') return undefined;
  const read = readDateText(value);
  if (read === undefined) return undefined;
  return read.isShortYear === true
    ? 'The year has two digits; send YYYY-MM-DD'
    : 'Day or month may come first; send YYYY-MM-DD';
}

function noteCurrency(name: string, { written, conflicting, currency }: MoneyTexts): string | undefined {
  const own = written.get(name);
  if (own === undefined) return undefined;
  if (conflicting.has(name)) return `${own} is not the currency of the other values`;
  return currency === undefined ? `Currency in the text: ${own}` : `currency is set to ${currency}`;
}

function reviewField(name: string, field: SchemaField, value: Json, money: MoneyTexts): Misfit | undefined {
  if (fitValue(field, value) !== undefined) return undefined;
  const parsed = money.conflicting.has(name) ? undefined : readValue(field, value);
  const note = noteCurrency(name, money) ?? (parsed === undefined ? ambiguityOf(field, value) : undefined);
  return {
    field: name,
    value: shorten(value),
    expected: expectationOf(field),
    ...(parsed === undefined ? {} : { parsed_as: shorten(parsed) }),
    ...(note === undefined ? {} : { note }),
  };
}

function findMisfits(schema: EntitySchema, stated: Stated): readonly Misfit[] {
  const money = findMoneyTexts(schema, stated);
  const misfits: Misfit[] = [];
  for (const name of Object.keys(schema.fields)) {
    const value = statedIn(stated, name) ?? null;
    const one = value === null ? undefined : reviewField(name, schema.fields[name]!, value, money);
    if (one !== undefined) misfits.push(one);
    if (misfits.length >= reviewedCount) break;
  }
  return misfits;
}

/** A capability's part in how a body is read; facts have none. */
export type Reader = Pick<Capability, 'natural_key' | 'extract'>;

/** For statements that name their entity. */
export const noKey: Reader = { natural_key: [], extract: [] };

/** The body's list of files, which is not a field of an entity. */
const filesField = 'file_urls';

/** Fields that belong to another entity of the payload, such as `vendor_address`. */
function isTakenElsewhere(name: string, { extract }: Reader, stated: Stated): boolean {
  return (
    name === filesField ||
    extract.some(
      (rule) =>
        rule.field === name ||
        (rule.kind === 'field_value' &&
          rule.prefix !== undefined &&
          rule.prefix !== '' &&
          name.startsWith(rule.prefix) &&
          typeof statedIn(stated, rule.field) === 'string'),
    )
  );
}

function findUnknown(schema: EntitySchema, reader: Reader, stated: Stated): readonly string[] {
  const unknown: string[] = [];
  // No list of the members, which may be fifty thousand.
  for (const name in stated) {
    const value = stated[name];
    if (value === null || value === undefined || Object.hasOwn(schema.fields, name)) continue;
    if (isTakenElsewhere(name, reader, stated)) continue;
    unknown.push(name);
    if (unknown.length >= reviewedCount) break;
  }
  return unknown;
}

/** [TR92] Only fields that the statement does not contain: it cannot mean them twice. */
function suggestFields(schema: EntitySchema, reader: Reader, stated: Stated, unknown: readonly string[]) {
  const keys = reader.natural_key.map(({ field }) => field);
  const candidates = [...new Set([...keys, ...Object.keys(schema.fields)])].filter(
    (name) => (statedIn(stated, name) ?? null) === null,
  );
  return unknown.flatMap((name) => {
    const near = nearField(name, candidates, schema.entity_type);
    return near === undefined ? [] : [[cutText(name, reviewedChars), near] as const];
  });
}

const isNamed = (value: Json | undefined): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

/** [TR92] What a statement contains that the schema cannot use, and what it lacks. A type without fields knows all. */
export function reviewStatement(schema: EntitySchema, reader: Reader, stated: Stated): Review {
  const hasFields = Object.keys(schema.fields).length > 0;
  const unknown = hasFields ? findUnknown(schema, reader, stated) : [];
  const near = suggestFields(schema, reader, stated, unknown);
  const misfits = findMisfits(schema, stated);
  const missing = reader.natural_key.map(({ field }) => field).filter((field) => !isNamed(statedIn(stated, field)));
  return {
    ...(unknown.length === 0 ? {} : { unknown_fields: unknown.map((name) => cutText(name, reviewedChars)) }),
    ...(near.length === 0 ? {} : { did_you_mean: Object.fromEntries(near) }),
    ...(misfits.length === 0 ? {} : { not_fitting: misfits }),
    ...(missing.length === 0 ? {} : { missing_key_fields: missing }),
  };
}
