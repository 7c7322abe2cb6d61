import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { dateToMs } from '../iso-time.ts';
import { readAmountText } from '../texts/amount-text.ts';
import { readDateText } from '../texts/date-text.ts';
import { readNumberText, toExactNumber } from '../texts/number-text.ts';
import { truthLimits } from '../truth-limits.ts';
import { type EntitySchema, type FieldType, fieldOf, type SchemaField } from './entity-schema.ts';

const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * `1500.00` is 1500. A number that a double would round is rejected, and so is `1.500`, which may be fifteen hundred or one
 * and a half.
 */
function fitNumber(value: Json): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !plainDecimal.test(value)) return undefined;
  const isNegative = value.startsWith('-');
  const number = readNumberText(isNegative ? value.slice(1) : value);
  return number === undefined || number.unclearMark !== undefined ? undefined : toExactNumber(number, isNegative);
}

function fitType(type: FieldType, value: Json): Json | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return fitNumber(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'date':
      return typeof value === 'string' && dateToMs(value) !== undefined ? value : undefined;
    case 'array':
      return Array.isArray(value) ? value : undefined;
    case 'object':
      return isObject(value) ? value : undefined;
    case 'any':
      return value;
  }
}

/** A longer text is not a number, a date or a truth value. */
const readChars = 60;

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

/** `2025-01-15 10:30 +02:00` is an ISO 8601 time with blanks. */
const withoutBlanks = (text: string): string =>
  text.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T').replace(/ (?=Z$|[+-]\d{2}:\d{2}$)/, '');

/** The date in ISO 8601 with the precision of the text; undefined for `01/02/2025` and for a year of two digits. */
function readDate(text: string): string | undefined {
  const time = withoutBlanks(text);
  if (dateToMs(time) !== undefined) return time;
  const read = readDateText(text);
  if (read === undefined || read.isShortYear === true) return undefined;
  const { dayFirst = read.monthFirst, monthFirst = dayFirst } = read;
  return dayFirst === monthFirst ? dayFirst : undefined;
}

/** [TR90] The value that a text can only mean. */
function readType(type: FieldType, value: Json): Json | undefined {
  const fitted = fitType(type, value);
  if (fitted !== undefined) return fitted;
  if (typeof value !== 'string' || value.length > readChars) return undefined;
  const text = value.trim();
  if (type === 'number') return readAmountText(text)?.value;
  if (type === 'boolean') return truths.get(text.toLowerCase());
  return type === 'date' ? readDate(text) : undefined;
}

type ReadType = (type: FieldType, value: Json) => Json | undefined;

/** Canonical JSON has the same length and takes much longer to print. */
const isLong = (element: Json): boolean => Buffer.byteLength(JSON.stringify(element)) > truthLimits.elementBytes;

/** Any element fits a field of type `array`; otherwise it must have the type of the field. */
function fitElement(toType: ReadType, type: FieldType, element: Json): Json | undefined {
  if (element === null) return null;
  const fitted = type === 'array' ? element : toType(type, element);
  return fitted === undefined || isLong(fitted) ? undefined : fitted;
}

function fitElements(toType: ReadType, type: FieldType, elements: readonly Json[]): readonly Json[] | undefined {
  const fitted: Json[] = [];
  for (const element of elements) {
    const one = fitElement(toType, type, element);
    if (one === undefined) return undefined;
    fitted.push(one);
  }
  return fitted;
}

/** Keeps a single value of the field's type as it is, so that another strategy can read it later. */
function fitMerged(toType: ReadType, type: FieldType, value: Json): Json | undefined {
  if (Array.isArray(value)) return fitElements(toType, type, value as readonly Json[]);
  return type === 'array' ? fitElements(toType, type, [value]) : fitElement(toType, type, value);
}

function fitWith(toType: ReadType, { type, strategy }: SchemaField, value: Json): Json | undefined {
  if (value === null) return undefined;
  return strategy === 'merge_array' ? fitMerged(toType, type, value) : toType(type, value);
}

/**
 * The value as the field stores it; undefined if it does not fit and stays a raw fragment. Never guesses or loses
 * information; idempotent. null states nothing.
 */
export const fitValue = (field: SchemaField, value: Json): Json | undefined => fitWith(fitType, field, value);

/**
 * [TR90] Like `fitValue`, but also reads texts such as `1,500.00` and `15 January 2025`. For new statements only: what is
 * recorded is not read again, so that a better reader does not change answers about the past.
 */
export const readValue = (field: SchemaField, value: Json): Json | undefined => fitWith(readType, field, value);

/** To four decimals, so that it prints the same everywhere. */
const toShare = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;

/** Assigning to `__proto__` would change the object instead of adding a member. */
function putMember(members: Record<string, Json>, name: string, value: Json): void {
  if (name !== '__proto__') members[name] = value;
  else Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}

type Stated = Readonly<Record<string, Json | undefined>>;

/** [TR10] [TR11] */
export function splitFields(
  schema: EntitySchema,
  stated: Stated,
  toValue: (field: SchemaField, value: Json, name: string) => Json | undefined = fitValue,
) {
  const fields: Record<string, Json> = {};
  const rawFragments: Record<string, Json> = {};
  let fittingCount = 0;
  // No lists of the members, which may be fifty thousand.
  for (const name in stated) {
    const value = stated[name];
    if (value === null || value === undefined) continue;
    const field = fieldOf(schema, name);
    const fitting = field === undefined ? undefined : toValue(field, value, name);
    if (fitting === undefined) putMember(rawFragments, name, value);
    else {
      putMember(fields, name, fitting);
      if (Object.hasOwn(schema.fields, name)) fittingCount += 1;
    }
  }
  return { fields, rawFragments, specificity: toShare(fittingCount, Object.keys(schema.fields).length) };
}
