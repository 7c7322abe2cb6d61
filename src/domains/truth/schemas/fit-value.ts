import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { dateToMs } from '../iso-time.ts';
import { truthLimits } from '../truth-limits.ts';
import { type EntitySchema, type FieldType, fieldOf, type SchemaField } from './entity-schema.ts';

const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** A longer number cannot be represented exactly. */
const decimalChars = 400;

/** `1500.00` is 1500; a number that a double would round is rejected. */
function fitNumber(value: Json): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > decimalChars || !plainDecimal.test(value)) return undefined;
  const number = Number(value);
  const [whole = '', decimals = ''] = value.split('.');
  let kept = decimals.length;
  while (kept > 0 && decimals[kept - 1] === '0') kept -= 1;
  const shortest = kept === 0 ? whole : `${whole}.${decimals.slice(0, kept)}`;
  return String(number) === shortest ? number : undefined;
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

/** Canonical JSON has the same length and takes much longer to print. */
const isLong = (element: Json): boolean => Buffer.byteLength(JSON.stringify(element)) > truthLimits.elementBytes;

/** Any element fits a field of type `array`; otherwise it must have the type of the field. */
function fitElement(type: FieldType, element: Json): Json | undefined {
  if (element === null) return null;
  const fitted = type === 'array' ? element : fitType(type, element);
  return fitted === undefined || isLong(fitted) ? undefined : fitted;
}

function fitElements(type: FieldType, elements: readonly Json[]): readonly Json[] | undefined {
  const fitted: Json[] = [];
  for (const element of elements) {
    const one = fitElement(type, element);
    if (one === undefined) return undefined;
    fitted.push(one);
  }
  return fitted;
}

/** Keeps a single value of the field's type as it is, so that another strategy can read it later. */
function fitMerged(type: FieldType, value: Json): Json | undefined {
  if (Array.isArray(value)) return fitElements(type, value as readonly Json[]);
  return type === 'array' ? fitElements(type, [value]) : fitElement(type, value);
}

/**
 * The value as the field stores it; undefined if it does not fit and stays a raw fragment. Never guesses or loses
 * information; idempotent. null states nothing.
 */
export function fitValue(field: SchemaField, value: Json): Json | undefined {
  if (value === null) return undefined;
  return field.strategy === 'merge_array' ? fitMerged(field.type, value) : fitType(field.type, value);
}

/** To four decimals, so that it prints the same everywhere. */
const toShare = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;

/** Assigning to `__proto__` would change the object instead of adding a member. */
function putMember(members: Record<string, Json>, name: string, value: Json): void {
  if (name !== '__proto__') members[name] = value;
  else Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}

/** [TR10] [TR11] */
export function splitFields(schema: EntitySchema, stated: Readonly<Record<string, Json | undefined>>) {
  const fields: Record<string, Json> = {};
  const rawFragments: Record<string, Json> = {};
  let fittingCount = 0;
  // No lists of the members, which may be fifty thousand.
  for (const name in stated) {
    const value = stated[name];
    if (value === null || value === undefined) continue;
    const field = fieldOf(schema, name);
    const fitting = field === undefined ? undefined : fitValue(field, value);
    if (fitting === undefined) putMember(rawFragments, name, value);
    else {
      putMember(fields, name, fitting);
      if (Object.hasOwn(schema.fields, name)) fittingCount += 1;
    }
  }
  return { fields, rawFragments, specificity: toShare(fittingCount, Object.keys(schema.fields).length) };
}
