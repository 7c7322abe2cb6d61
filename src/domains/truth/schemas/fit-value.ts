import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { truthLimits } from '../truth-limits.ts';
import { dateToMs } from './calendar.ts';
import type { FieldType, SchemaField } from './entity-schema.ts';

const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Longer texts are no number that a double holds exactly. */
const decimalChars = 400;

/** `1500.00` is 1500; a text that a double would round is no number for us. */
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
  }
}

const isLong = (element: Json): boolean => Buffer.byteLength(canonicalJson(element)) > truthLimits.elementBytes;

/** An element of a field of type `array` may be anything; of another type, it is of that type. */
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

/** A single value stays one where it is of the field's type, so that another strategy can read it later. */
function fitMerged(type: FieldType, value: Json): Json | undefined {
  if (Array.isArray(value)) return fitElements(type, value as readonly Json[]);
  return type === 'array' ? fitElements(type, [value]) : fitElement(type, value);
}

/**
 * The value as the field holds it; undefined when it does not fit, which is for raw fragments. Nothing is guessed and nothing
 * lost on the way, and what has been fitted fits again. null makes no statement.
 */
export function fitValue(field: SchemaField, value: Json): Json | undefined {
  if (value === null) return undefined;
  return field.strategy === 'merge_array' ? fitMerged(field.type, value) : fitType(field.type, value);
}
